#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/io/file.h"
#include "core/io/npz.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Cases : public Program {
  protected:
    [[nodiscard]] Case load(const std::string& name) const { return read_npz(read(name), name); }
};

std::vector<std::string> golden_cases(const std::string& of = "") {
    std::vector<std::string> paths;
    for (const auto& entry : fs::directory_iterator(golden(of)))
        if (entry.path().extension() == ".npz") paths.push_back(entry.path().string());
    return paths;
}

TEST_F(Cases, OfTheAuthorsAreVerified) {
    std::vector<std::string> arguments = golden_cases();
    ASSERT_GE(arguments.size(), 16U);
    arguments.insert(arguments.begin(), "verify");
    const std::string report = run_well(arguments);
    EXPECT_EQ(report.find("too large"), std::string::npos);
    EXPECT_THAT(report, HasSubstr("out.weights"));
}

TEST_F(Cases, OfPatternsAreVerifiedExactly) {
    std::vector<std::string> arguments = golden_cases("patterns");
    ASSERT_EQ(arguments.size(), 28U);
    arguments.insert(arguments.begin(), "verify");
    EXPECT_THAT(run_well(arguments), HasSubstr("out.mask"));

    Case mask = read_npz(read_file(golden("patterns/local.npz")), "local.npz");
    mask.arrays.at("out.mask").values()[17] = 0.0F;
    write("tampered.npz", write_npz(mask));
    EXPECT_THAT(run({"verify", "tampered.npz"}).out, HasSubstr("too large"));
    for (const auto& [id, value] : Values{
             {"k", std::string("wide")}, {"H", Index{8}}, {"W", 0.5}, {"pattern", std::string("no-such")}}) {
        Case broken = mask;
        broken.knobs[id] = value;
        write("broken.npz", write_npz(broken));
        EXPECT_THAT(run_badly(1, {"verify", "broken.npz"}), HasSubstr("broken.npz"));
    }
}

TEST_F(Cases, ThatWereTamperedWithAreNot) {
    Case tampered = read_npz(read_file(golden("dot.npz")), "dot.npz");
    Array& weights = tampered.arrays.at("out.weights");
    weights.values()[3] += 4e-5F;  // beyond 1e-5 absolute and relative
    write("tampered.npz", write_npz(tampered));
    const Outcome outcome = run({"verify", golden("se.npz"), "tampered.npz"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("too large"));
    EXPECT_THAT(outcome.err, StartsWith("attnscope: error: 1 of 2 cases"));

    weights.values()[3] -= 4e-5F;
    tampered.arrays.insert_or_assign("out.weights", weights.reshaped({weights.size()}));
    write("reshaped.npz", write_npz(tampered));
    EXPECT_THAT(run({"verify", "reshaped.npz"}).out, HasSubstr("computed [5, 7]"));
    tampered.arrays.erase("out.weights");
    tampered.arrays.emplace("out.dream", Array({2}));
    write("foreign.npz", write_npz(tampered));
    EXPECT_THAT(run({"verify", "foreign.npz"}).out, HasSubstr("not computed"));
}

TEST_F(Cases, WithoutResultsOrMechanismAreErrors) {
    Case bare = read_npz(read_file(golden("dot.npz")), "dot.npz");
    bare.knobs.erase("mechanism");
    write("nameless.npz", write_npz(bare));
    EXPECT_THAT(run_badly(1, {"verify", "nameless.npz"}), HasSubstr("p.mechanism"));
    run_well({"verify", "nameless.npz", "--mechanism", "dot"});
    std::erase_if(bare.arrays, [](const auto& entry) { return entry.first.starts_with("out."); });
    write("bare.npz", write_npz(bare));
    EXPECT_THAT(run_badly(1, {"verify", "bare.npz", "--mechanism", "dot"}), HasSubstr("out.*"));
    bare.knobs["mechanism"] = std::string("no-such");
    write("unknown.npz", write_npz(bare));
    run_badly(1, {"compute", "dot", "--in", "unknown.npz"});
    bare.knobs["mechanism"] = std::string("dot");
    bare.knobs["no_such"] = Index{1};
    write("knob.npz", write_npz(bare));
    EXPECT_THAT(run_badly(1, {"compute", "dot", "--in", "knob.npz"}), HasSubstr("no_such"));
    run_badly(1, {"compute", "additive", "--in", golden("dot.npz")});
}

TEST_F(Cases, AreComputedIntoCasesThatVerify) {
    for (const std::string& path : golden_cases()) {
        const Case before = read_npz(read_file(path), path);
        const std::string id = std::get<std::string>(before.knobs.at("mechanism"));
        run_well({"compute", id, "--in", path, "-o", "again.npz"});
        const Case after = load("again.npz");
        for (const auto& [name, array] : before.arrays) {
            ASSERT_TRUE(after.arrays.contains(name)) << path << ' ' << name;
            EXPECT_EQ(after.arrays.at(name).shape(), array.shape()) << path << ' ' << name;
        }
        run_well({"verify", "again.npz"});
    }
}

TEST_F(Cases, TakeTemperatureOneUnlessTold) {
    run_well({"compute", "dot", "--in", golden("dot.npz"), "-o", "one.npz"});
    run_well({"compute", "dot", "--in", golden("dot.npz"), "--set", "tau=0.1", "-o", "cold.npz"});
    const auto largest = [&](const std::string& name) {
        const Case contents = load(name);
        const auto values = contents.arrays.at("out.weights").values();
        return *std::max_element(values.begin(), values.end());
    };
    EXPECT_LT(largest("one.npz"), 0.7F);
    EXPECT_GT(largest("cold.npz"), 0.9F);
    EXPECT_EQ(load("cold.npz").knobs.at("tau"), Value(0.1));
    run_well({"verify", "cold.npz"});
}

TEST_F(Cases, GiveTheirResultsAsTables) {
    run_well({"compute", "dot", "--in", golden("dot.npz"), "-o", "dot.json"});
    const json told = json::parse(read("dot.json"));
    EXPECT_EQ(told["out.weights"]["shape"], json({5, 7}));
    EXPECT_EQ(told["out.weights"]["values"].size(), 35U);
    run_well({"compute", "dot", "--in", golden("dot.npz"), "-o", "dot.csv"});
    EXPECT_THAT(read("dot.csv"), StartsWith("axis0,0,1,2,3,4,5,6\n0,"));
    run_well({"compute", "se", "--in", golden("se.npz"), "--array", "out.gate", "-o", "gate.csv"});
    EXPECT_THAT(read("gate.csv"), StartsWith("0,1,2,"));
}

TEST_F(Cases, AreSummedUpWithoutAnOutput) {
    const std::string summary = run_well({"compute", "non-local", "--set", "grid=8"});
    EXPECT_THAT(summary, HasSubstr("64 (8 × 8)"));
    EXPECT_THAT(summary, HasSubstr("out.weights"));
    EXPECT_THAT(summary, HasSubstr("[64, 64]"));
    EXPECT_THAT(summary, HasSubstr("entropy"));
}

}  // namespace
}  // namespace attn
