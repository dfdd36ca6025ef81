#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/figures/format.h"
#include "tests/figures/drawn.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

TEST(Laboratory, FitsWhateverIsSet) {
    const std::vector<Scene> scenes = {
        scene_of("laboratory", "scaled-dot", {{"d", "1"}, {"keys", "2"}}),
        scene_of("laboratory", "scaled-dot", {{"d", "512"}, {"keys", "256"}, {"scaling", "false"}}),
    };
    Evaluator evaluator;
    for (const Scene& scene : scenes) {
        const auto result = evaluator.evaluate(scene);
        for (const Size size : {Size{614, 622}, Size{720, 560}, Size{1500, 900}})
            EXPECT_EQ(faults(drawn(scene, result, size), size), "")
                << to_json(scene) << " at " << size.width << " x " << size.height;
    }
}

TEST(Laboratory, WritesTheChosenSoftmaxsNumbersAndTheTheory) {
    Evaluator evaluator;
    for (const bool scaling : {true, false}) {
        const Scene scene =
            scene_of("laboratory", "scaled-dot", {{"d", "200"}, {"scaling", scaling ? "true" : "false"}});
        const auto result = evaluator.evaluate(scene);
        const ScalePoint& point = result->findings->scale->point;
        const SoftmaxFacts& facts = scaling ? point.scaled : point.unscaled;
        const std::string text = drawn(scene, result).canvas->all_text();
        EXPECT_THAT(text, HasSubstr(scaling ? "in theory 1\n" : "in theory d = 200\n"));
        for (const double number : {facts.variance, facts.entropy, facts.largest, facts.mean_gradient})
            EXPECT_THAT(text, HasSubstr('\n' + significant(number) + '\n'));
    }
}

TEST(Laboratory, ScalingAndAppearanceNeedNoNewExperiment) {
    Scene scene = scene_of("laboratory", "scaled-dot");
    const std::string key = evaluation_key(scene);
    set_text(scene, "scaling", "false");
    EXPECT_EQ(evaluation_key(scene), key);
    set_text(scene, "d", "65");
    EXPECT_NE(evaluation_key(scene), key);
    EXPECT_NE(evaluation_key(scene_of("recipe", "scaled-dot")), key);

    Evaluator evaluator;
    const auto experiment = [&] { return evaluator.evaluate(scene)->findings->scale->experiment; };
    const auto first = experiment();
    set_text(scene, "d", "3");
    EXPECT_EQ(experiment(), first);
    set_text(scene, "seed", "8");
    EXPECT_NE(experiment(), first);
}

TEST(Laboratory, DIsDraggedAlongEveryChart) {
    for (const char* d : {"1", "30", "512"}) {
        const Drawn page = drawn(scene_of("laboratory", "scaled-dot", {{"d", d}}));
        ASSERT_EQ(page.hits.size(), 4U);
        for (const Hit& axis : page.hits) {
            EXPECT_EQ(axis.role, Hit::Role::axis);
            EXPECT_EQ(axis.id, "d");
            const double x = axis.area.x + axis.area.width * std::log(std::stod(d) / axis.low) /
                                               std::log(axis.high / axis.low);
            const auto& lines = page.canvas->lines;
            EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
                return line.size() == 2 && std::abs(line[0].x - x) < 1e-6 && std::abs(line[1].x - x) < 1e-6;
            })) << d;
        }
    }
}

TEST(Laboratory, HasItsCurvesAsATable) {
    const Scene scene = scene_of("laboratory", "scaled-dot");
    Evaluator evaluator;
    const auto result = evaluator.evaluate(scene);
    const std::string csv = figure("laboratory").csv(scene, *result);
    EXPECT_THAT(
        csv, HasSubstr("\n512,no," +
                       format(result->findings->scale->experiment->curve().back().unscaled.variance) + ','));
    EXPECT_THAT(csv, HasSubstr("\n512,yes,"));
}

}  // namespace
}  // namespace attn
