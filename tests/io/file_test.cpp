#include "core/io/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "core/error.h"
#include "core/io/table.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A folder of its own for each test, gone afterwards.
class Files : public ::testing::Test {
  protected:
    Files() {
        std::string name = (fs::temp_directory_path() / "attnscope-io-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder = name;
    }
    ~Files() override { fs::remove_all(folder); }

    [[nodiscard]] std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    fs::path folder;
};

template <typename Function>
std::string complaint(Function&& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST_F(Files, AreReadAndReplacedWhole) {
    const fs::path path = folder / "α \xFF.bin";
    const std::string bytes("\0\n\xFF", 3);
    write_file(path, "something longer before");
    write_file(path, bytes);
    EXPECT_EQ(read_file(path), bytes);
    EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, KeepTheirPermissionsAndLinks) {
    const fs::path path = folder / "kept";
    write_file(path, "1");
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read);
    fs::create_symlink(path, folder / "link");
    write_file(folder / "link", "2");
    EXPECT_EQ(read_file(path), "2");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(fs::status(path).permissions(),
              fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read);
}

TEST_F(Files, LeaveNothingWhenTheDiskIsFull) {
    const fs::path path = folder / "big";
    write_file(path, "old");
    // A limit on the size of files stands for a full disk.
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{1000, before.rlim_max};
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string said = complaint([&] { write_file(path, std::string(5000, 'x')); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(said, HasSubstr("cannot write"));
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, AreRefusedInOneLine) {
    EXPECT_THAT(complaint([&] { read_file(folder / "none"); }), HasSubstr("cannot open"));
    EXPECT_THAT(complaint([&] { read_file(folder); }), HasSubstr("is a folder"));
    EXPECT_THAT(complaint([&] { write_file(folder, "x"); }), HasSubstr("is a folder"));
    EXPECT_THAT(complaint([&] { write_file(folder / "no" / "x", "x"); }), HasSubstr("cannot write"));
    write_file(folder / "ten", "0123456789");
    EXPECT_EQ(read_file(folder / "ten", 10), "0123456789");
    EXPECT_THAT(complaint([&] { read_file(folder / "ten", 9); }), HasSubstr("larger than 9 bytes"));
    EXPECT_EQ(complaint([&] { read_file(folder / "a\nb"); }).find('\n'), std::string::npos);
}

TEST(ShownName, IsAlwaysUtf8) {
    EXPECT_EQ(shown_name("α β.png"), "α β.png");
    EXPECT_EQ(shown_name("a\nb\x7F"), "a b ");
    EXPECT_EQ(shown_name("\xFFx\xC3"), "\uFFFDx\uFFFD");
    EXPECT_EQ(shown_name("\xC0\x80"), "\uFFFD\uFFFD");            // overlong
    EXPECT_EQ(shown_name("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
    EXPECT_EQ(shown_name("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
}

TEST(Base64, FollowsTheStandard) {
    EXPECT_EQ(to_base64(""), "");
    EXPECT_EQ(to_base64("f"), "Zg==");
    EXPECT_EQ(to_base64("fo"), "Zm8=");
    EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    EXPECT_EQ(from_base64(to_base64(all)), all);
    for (const char* broken : {"Zg=", "Zg", "Z===", "Zg==Zg==", "Zm9 ", "Zm9\n", "=m9v"}) {
        EXPECT_THROW(static_cast<void>(from_base64(broken)), Error) << broken;
    }
}

TEST(Table, WritesNumbersThatReadBackExactly) {
    const Array array({2, 1, 2}, {0.1F, -1e-20F, INFINITY, NAN});
    EXPECT_EQ(to_csv(array), "axis0,axis1,0,1\n0,0,0.1,-1e-20\n1,0,inf,nan\n");
    EXPECT_EQ(to_csv(Array(Shape{}, {2.5F})), "0\n2.5\n");
    EXPECT_EQ(to_csv(Array({2, 0})), "axis0\n");
    EXPECT_EQ(to_csv(Array({1}, {1e7F}, Element::index)), "0\n10000000\n");
}

TEST(Table, WritesJson) {
    const Arrays arrays{{"out.\"α\"", Array({2}, {0.1F, -INFINITY})}, {"out.w", Array({1, 0})}};
    EXPECT_EQ(to_json(arrays),
              "{\n \"out.\\\"\\u03b1\\\"\": {\"shape\": [2], \"values\": [0.1, \"-inf\"]},\n"
              " \"out.w\": {\"shape\": [1, 0], \"values\": []}\n}\n");
}

}  // namespace
}  // namespace attn
