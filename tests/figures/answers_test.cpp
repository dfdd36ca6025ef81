#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/figures/drawn.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

TEST(AnswersFigure, FitsEveryPage) {
    const std::vector<Scene> scenes = {
        scene_of("answers", ""),
        scene_of("answers", "", {{"patterns", "local"}}),
        scene_of("answers", "", {{"rows", "1"}, {"columns", "100"}, {"patterns", "causal; strided; sinks"}}),
        scene_of("answers", "", {{"rows", "64"}, {"columns", "64"}, {"layers", "9"}}),
        scene_of("answers", "",
                 {{"patterns",
                   "global; causal; local; swin; lsa; gsa; strided; fixed; axial; "
                   "not local k=3; local and causal; custom text=\"k % 3 == 0\""}}),
    };
    Evaluator evaluator;
    for (const Scene& scene : scenes) {
        const auto result = evaluator.evaluate(scene);
        for (const Size size :
             {Size{720, 560}, Size{900, 760}, Size{1080, 430}, Size{1600, 1000}, Size{720, 1100}})
            EXPECT_EQ(faults(drawn(scene, result, size, Focus{{}, 3}), size), "")
                << to_json(scene) << " at " << size.width << " x " << size.height;
    }
}

TEST(AnswersFigure, SaysWhatEachPatternSeesAndCosts) {
    const Drawn page = drawn(scene_of("answers", ""), {1600, 1000});
    const std::string text = page.canvas->all_text();
    for (const char* said :
         {"query (7, 9)", "256 · 100 %", "49 · 19.1 %", "64 · 25.0 %", "80 · 31.2 %", "31 · 12.1 %", "2.52 G",
          "2.46 M", "22.5 M", "layers, this query\n3\nlayers, worst query\n5", "never: 128 of 256"})
        EXPECT_THAT(text, HasSubstr(said));
    EXPECT_EQ(page.hits.size(), 5U);
}

TEST(AnswersFigure, TheQueryIsOfItsGrid) {
    Scene scene = scene_of("answers", "", {{"rows", "4"}, {"columns", "8"}});
    const auto knobs = schema(scene);
    EXPECT_EQ(find(knobs, "query")->high, 31.0);
    set_text(scene, "query", "3,7");
    EXPECT_EQ(std::get<Index>(scene.set.at("query")), 31);
    EXPECT_THROW(set(scene, "query", Index{32}), UsageError);
    set(scene, "rows", Index{2});  // it stays at its place
    EXPECT_EQ(std::get<Index>(scene.set.at("query")), 15);
}

TEST(RolloutFigure, HandsWeightsOnThroughLayers) {
    const Drawn one = drawn(scene_of("rollout", "non-local", {{"layers", "1"}}));
    const Drawn three = drawn(scene_of("rollout", "non-local"));
    EXPECT_EQ(one.canvas->maps.at(0).cells->position, one.canvas->maps.at(2).cells->position);
    EXPECT_NE(three.canvas->maps.at(0).cells->position, three.canvas->maps.at(2).cells->position);
    EXPECT_THAT(three.canvas->all_text(), HasSubstr("row of A³"));
    EXPECT_THAT(three.canvas->all_text(), HasSubstr("1.00000\nsum of the row"));
    EXPECT_THAT(drawn(scene_of("rollout", "scaled-dot", {{"residual", "true"}})).canvas->all_text(),
                HasSubstr("½(A + I)"));
}

TEST(RolloutFigure, SaysWhyThereIsNone) {
    for (const char* pairwise : {"dot", "concatenation"}) {
        const Drawn page = drawn(scene_of("rollout", "non-local", {{"pairwise", pairwise}}));
        EXPECT_THAT(page.canvas->all_text(), HasSubstr("There is no rollout here"));
        EXPECT_TRUE(page.hits.empty());
    }
}

}  // namespace
}  // namespace attn
