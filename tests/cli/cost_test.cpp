#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace attn {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

class Costs : public Program {
  protected:
    [[nodiscard]] json told(Words words) const {
        words.insert(words.begin(), "cost");
        words.emplace_back("--json");
        return json::parse(run_well(words));
    }
};

TEST_F(Costs, CountEntriesOfOneHead) {
    const struct {
        Words words;
        long long tokens, entries, exact;
    } cases[] = {
        {{"global"}, 50'176, 2'517'630'976, 2'517'630'976},
        {{"local"}, 50'176, 2'458'624, 2'421'136},
        {{"axial"}, 50'176, 22'478'848, 22'478'848},
        {{"global", "--grid", "56x56"}, 3'136, 9'834'496, 9'834'496},
        {{"local", "--grid", "56x56", "--set", "k=7"}, 3'136, 153'664, 144'400},
        {{"axial", "--grid", "56x56"}, 3'136, 351'232, 351'232},
        {{"vit"}, 196, 38'416, 38'416},
    };
    for (const auto& one : cases) {
        const json object = told(one.words);
        EXPECT_EQ(object["id"], one.words.front());
        EXPECT_EQ(object["tokens"], one.tokens) << object.dump();
        EXPECT_EQ(object["entries"], one.entries) << object.dump();
        EXPECT_EQ(object["entries_exact"], one.exact) << object.dump();
        EXPECT_TRUE(object["entries"].is_number_integer());
    }
    const json memory = told({"image-transformer"});
    EXPECT_EQ(memory["tokens"], 3'072);
    EXPECT_EQ(memory["entries"], 1'572'864);
    EXPECT_EQ(told({"global", "--grid", "1x3072"})["entries"], 9'437'184);
}

TEST_F(Costs, CountBytesOfEveryHead) {
    EXPECT_EQ(told({"global"})["bytes_fp32"], 10'070'523'904);
    EXPECT_EQ(told({"global", "--set", "heads=8"})["bytes_fp32"], 80'564'191'232);
}

TEST_F(Costs, CountAVideosNonLocalBlock) {
    const Words words = {"non-local", "--grid", "14x14", "--set", "frames=4"};
    const json whole = told(words);
    EXPECT_EQ(whole["tokens"], 784);
    EXPECT_EQ(whole["entries"], 614'656);
    EXPECT_EQ(whole["entries_exact"], nullptr);
    EXPECT_EQ(whole["multiply_adds"],
              json({{"score", 314'703'872}, {"value", 314'703'872}, {"projections", 1'644'167'168}}));
    EXPECT_EQ(whole["parameters"]["weights"], 2'097'152);
    Words pooling = words;
    pooling.insert(pooling.end(), {"--set", "pooled=true"});
    EXPECT_EQ(told(pooling)["multiply_adds"]["score"], 78'675'968);
}

TEST_F(Costs, ComparesAGateWithAConvolution) {
    const json block = told({"se"});
    EXPECT_EQ(block["parameters"], json({{"weights", 8'192}, {"biases", 272}}));
    EXPECT_EQ(block["conv3x3"], 589'824);
    EXPECT_NEAR(block["ratio"].get<double>(), 0.0139, 5e-5);
    EXPECT_EQ(told({"se", "--set", "log2C=11"})["conv3x3"], 9LL * 2048 * 2048);
    const json network = told({"se-resnet-50"});
    EXPECT_EQ(network["weights"], 2'514'944);
    EXPECT_NEAR(network["last_stage_share"].get<double>(), 0.6254, 5e-5);
    EXPECT_EQ(told({"se-resnet-50", "--set", "r=8"})["weights"], 2 * 2'514'944);
}

TEST_F(Costs, OfATypedRuleAreCounted) {
    const json object = told({"custom", "--grid", "8x8", "--set", "text=k <= q"});
    EXPECT_EQ(object["entries"], nullptr);
    EXPECT_EQ(object["entries_exact"], 64 * 65 / 2);
    EXPECT_EQ(object["bytes_fp32"], 4 * 64 * 65 / 2);
}

TEST_F(Costs, AreSaidInWords) {
    const std::string words = run_well({"cost", "local"});
    EXPECT_THAT(words, HasSubstr("2,458,624"));
    EXPECT_THAT(words, HasSubstr("2,421,136"));
    EXPECT_THAT(run_well({"cost", "se"}), HasSubstr("1.39 %"));
    EXPECT_THAT(run_well({"cost", "se-resnet-50"}), HasSubstr("62.54 %"));
    EXPECT_THAT(run_well({"cost", "axial"}), HasSubstr("112.0 × fewer"));
}

TEST_F(Costs, RefuseWhatIsNotLegal) {
    const Words wrong[] = {
        {},
        {"no-such"},
        {"local", "--grid", "224"},
        {"local", "--set", "r=4"},
        {"neighborhood", "--grid", "4x4"},
        {"se", "--set", "log2C=4", "--set", "r=32"},
        {"vit", "--grid", "8x224"},
        {"se-resnet-50", "--grid", "8x8"},
        {"se-resnet-50", "--set", "k=7"},
        {"se-resnet-50", "--set", "r=15"},
    };
    for (const Words& words : wrong) {
        Words all = {"cost"};
        all.insert(all.end(), words.begin(), words.end());
        run_badly(2, all);
    }
    EXPECT_THAT(run_badly(2, {"cost", "no-such"}), HasSubstr("vit"));
}

}  // namespace
}  // namespace attn
