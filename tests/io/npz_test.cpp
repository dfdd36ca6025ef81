#include "core/io/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "tests/io/zip_bytes.h"

namespace attn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
std::string raw(std::initializer_list<T> values) {
    std::string bytes;
    for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return bytes;
}

std::string dictionary(const std::string& type, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': " + shape + ", }\n";
}

template <typename T>
std::vector<float> read_as(const std::string& type, std::initializer_list<T> values) {
    std::string shape = std::to_string(values.size());
    shape.insert(0, 1, '(').append(",)");
    const Array array = read_npy(npy_bytes(dictionary(type, shape), raw(values)), "array");
    return {array.values().begin(), array.values().end()};
}

/// What the reader says of these bytes; empty when it takes them.
std::string complaint(const std::string& bytes) {
    try {
        static_cast<void>(read_npz(bytes, "case.npz"));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

Case example() {
    Case c;
    c.arrays.emplace("in.x", Array({2, 3}, {1, -2.5F, 1e-30F, 4, 5, std::numeric_limits<float>::infinity()}));
    c.arrays.emplace("out.mask", Array({2, 2}, {1, 0, 0, 1}, Element::flag));
    c.arrays.emplace("out.index", Array({3}, {7, -1, 16777216}, Element::index));
    c.arrays.emplace("out.empty", Array({0, 4}));
    c.arrays.emplace("out.gate (sum) α", Array(Shape{}, {0.5F}));
    c.knobs = {{"mechanism", std::string("dot")},
               {"tau", 0.15},
               {"k", Index{7}},
               {"causal", true},
               {"text", std::string()}};
    return c;
}

TEST(Npz, GivesBackWhatWasWritten) {
    const Case before = example();
    const Case after = read_npz(write_npz(before), "case.npz");
    EXPECT_EQ(after.arrays, before.arrays);
    EXPECT_EQ(after.knobs, before.knobs);
}

TEST(Npz, WritesTheSameBytesAgain) {
    EXPECT_EQ(write_npz(example()), write_npz(read_npz(write_npz(example()), "case.npz")));
    EXPECT_EQ(read_npz(write_npz({}), "case.npz").arrays.size(), 0U);
}

TEST(Npz, ReadsEveryElementType) {
    EXPECT_THAT(read_as<float>("<f4", {1.5F, -0.25F}), ElementsAre(1.5F, -0.25F));
    EXPECT_THAT(read_as<double>("<f8", {1.5, 1e300}),
                ElementsAre(1.5F, std::numeric_limits<float>::infinity()));
    EXPECT_THAT(read_as<std::int8_t>("|i1", {-128, 127}), ElementsAre(-128, 127));
    EXPECT_THAT(read_as<std::uint8_t>("|u1", {0, 255}), ElementsAre(0, 255));
    EXPECT_THAT(read_as<std::int16_t>("<i2", {-300, 300}), ElementsAre(-300, 300));
    EXPECT_THAT(read_as<std::uint16_t>("<u2", {65535}), ElementsAre(65535));
    EXPECT_THAT(read_as<std::int32_t>("<i4", {-70000}), ElementsAre(-70000));
    EXPECT_THAT(read_as<std::uint32_t>("<u4", {70000}), ElementsAre(70000));
    EXPECT_THAT(read_as<std::int64_t>("<i8", {-5, 16777216}), ElementsAre(-5, 16777216));
    EXPECT_THAT(read_as<std::uint64_t>("<u8", {9}), ElementsAre(9));
    EXPECT_THAT(read_as<std::uint8_t>("|b1", {0, 1, 2}), ElementsAre(0, 1, 1));
}

TEST(Npz, ReadsHalfPrecision) {
    // 1, −2, the largest, the least normal, the least subnormal, −0
    const auto values = read_as<std::uint16_t>("<f2", {0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x8000});
    EXPECT_THAT(values,
                ElementsAre(1.0F, -2.0F, 65504.0F, std::ldexp(1.0F, -14), std::ldexp(1.0F, -24), 0.0F));
    EXPECT_TRUE(std::signbit(values.back()));
    EXPECT_TRUE(std::isinf(read_as<std::uint16_t>("<f2", {0x7C00}).front()));
    EXPECT_TRUE(std::isnan(read_as<std::uint16_t>("<f2", {0x7E00}).front()));
}

TEST(Npz, TurnsFortranOrder) {
    // Element [i, j, k] of a 2 × 3 × 2 array holds 100 i + 10 j + k; the first axis is the fastest.
    std::string data;
    for (const int k : {0, 1})
        for (const int j : {0, 1, 2})
            for (const int i : {0, 1}) data += raw({static_cast<float>(100 * i + 10 * j + k)});
    const Array array = read_npy(npy_bytes(dictionary("<f4", "(2, 3, 2)", true), data), "array");
    EXPECT_THAT(array.values(), ElementsAre(0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121));
}

TEST(Npz, ReadsKnobsAsTheyWereMeant) {
    const auto knob = [](const std::string& type, const std::string& data) {
        return read_npz(zip_bytes({{"p.x.npy", npy_bytes(dictionary(type, "()"), data)}}), "case.npz")
            .knobs.at("x");
    };
    EXPECT_EQ(knob("<f4", raw({0.1F})), Value(0.1));
    EXPECT_EQ(knob("<i8", raw({std::int64_t{1} << 40U})), Value(Index{1} << 40U));
    EXPECT_EQ(knob("|b1", raw({'\1'})), Value(true));
    EXPECT_EQ(knob("|S5", std::string("sum\0\0", 5)), Value(std::string("sum")));
    EXPECT_EQ(knob("<U3", raw<std::uint32_t>({U'd', U'é', 0})), Value(std::string("dé")));
}

TEST(Npz, RefusesBrokenArchives) {
    const std::string whole = write_npz(example());
    EXPECT_THAT(complaint(""), HasSubstr("case.npz is empty"));
    EXPECT_THAT(complaint("no archive"), HasSubstr("not a whole .npz"));
    for (const std::size_t kept : {std::size_t{4}, whole.size() / 2, whole.size() - 1}) {
        EXPECT_NE(complaint(whole.substr(0, kept)), "") << kept;
    }
    EXPECT_THAT(complaint(zip_bytes({{"notes.txt", "hello"}})), HasSubstr("notes.txt is not an .npy array"));
    const std::string one = write_npy(Array(Shape{}));
    EXPECT_THAT(complaint(zip_bytes({{"in.x.npy", one}, {"in.x.npy", one}})), HasSubstr("not a whole .npz"));
    EXPECT_THAT(complaint(zip_bytes({{"in.x.npy", one, 129}})), HasSubstr("claims 129 bytes"));
    EXPECT_THAT(complaint(zip_bytes({{"in.x.npy", one, 2'000'000'000, 8}})),
                HasSubstr("claims 2000000000 bytes"));
    EXPECT_THAT(complaint(zip_bytes({{"in.x.npy", one, 1000, 8}})), HasSubstr("in.x.npy"));
    EXPECT_THAT(complaint(zip_bytes({{"in.x.npy", one, 0, 12}})), HasSubstr("packed in a way"));
}

TEST(Npz, SeesEveryFlippedByteOfTheData) {
    const Array array({64}, std::vector<float>(64, 1.0F));
    const std::string whole = write_npz({{{"in.x", array}}, {}});
    const std::size_t start = whole.find("\x93NUMPY");
    ASSERT_NE(start, std::string::npos);
    for (std::size_t at = start; at < start + write_npy(array).size(); ++at) {
        std::string broken = whole;
        broken[at] = static_cast<char>(broken[at] ^ 0x10);
        EXPECT_NE(complaint(broken), "") << "byte " << at;
    }
}

TEST(Npz, RefusesHeadersThatDoNotFitTheData) {
    const auto refused = [](const std::string& header, const std::string& data = "12345678") {
        return complaint(zip_bytes({{"in.x.npy", npy_bytes(header, data)}}));
    };
    EXPECT_EQ(refused(dictionary("<f4", "(2,)")), "");
    EXPECT_THAT(refused(dictionary("<f4", "(3,)")), HasSubstr("in.x.npy: the shape [3]"));
    EXPECT_NE(refused(dictionary("<f4", "(1,)")), "");
    EXPECT_NE(refused(dictionary("<f4", "(9223372036854775807, 9223372036854775807)")), "");
    EXPECT_NE(refused(dictionary("<f4", "(4294967296, 4294967296)")), "");
    EXPECT_NE(refused(dictionary("<f4", "(-2,)")), "");
    EXPECT_NE(refused(dictionary("<f4", "(0,)")), "");
    EXPECT_THAT(refused(dictionary(">f4", "(2,)")), HasSubstr("little-endian"));
    EXPECT_NE(refused(dictionary("<c8", "(1,)")), "");
    EXPECT_THAT(refused("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}"),
                HasSubstr("named fields"));
    EXPECT_NE(refused("{'descr': '<f4', 'shape': (2"), "");
    EXPECT_NE(refused(dictionary("|S8", "()")), "");
    EXPECT_NE(refused(dictionary("<i8", "()"), raw({std::int64_t{16777217}})), "");
    EXPECT_NE(complaint(zip_bytes({{"p.k.npy", npy_bytes(dictionary("<i4", "(2,)"), "12345678")}})), "");
    EXPECT_NE(complaint(zip_bytes({{"in.x.npy", "not an array"}})), "");
}

}  // namespace
}  // namespace attn
