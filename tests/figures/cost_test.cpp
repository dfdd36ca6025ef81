#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/figures/cost_chart.h"
#include "app/figures/magnitude.h"
#include "core/error.h"
#include "tests/figures/drawn.h"

namespace attn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const Set& knobs = {}, Size size = {1200, 900}) {
    return drawn(scene_of("cost", "", knobs), size).canvas->all_text();
}

TEST(CostFigure, FitsEveryPage) {
    const std::vector<Scene> scenes = {
        scene_of("cost", ""),
        scene_of("cost", "", {{"side", "8"}, {"k", "31"}}),
        scene_of("cost", "", {{"side", "512"}, {"patch", "16"}, {"measure", "fp16"}, {"heads", "8"}}),
        scene_of("cost", "", {{"curves", "global; local; axial; swin; block-1d; block-2d; xca; routing"}}),
        scene_of("cost", "", {{"curves", "local k=3; local k=5; local k=9; sasa"}, {"measure", "flops"}}),
        scene_of("cost", "", {{"curves", "xca"}}),
        scene_of("cost", "", {{"preset", "image-transformer"}}),
        scene_of("cost", "", {{"preset", "vit"}}),
    };
    Evaluator evaluator;
    for (const Scene& scene : scenes) {
        const auto result = evaluator.evaluate(scene);
        for (const Size size :
             {Size{720, 560}, Size{900, 760}, Size{1100, 560}, Size{1600, 1000}, Size{720, 1100}})
            EXPECT_EQ(faults(drawn(scene, result, size), size), "")
                << to_json(scene) << " at " << size.width << " x " << size.height;
    }
}

TEST(CostFigure, ReadsTheCurvesOffAtTheMark) {
    const std::string text = text_of();
    for (const char* said : {"N = 50,176 positions", "2,517,630,976", "10.07 GB", "2,458,624", "2,421,136",
                             "22,478,848", "112 ×", "÷ one: 224 ×", "twice the side, 16 times the cost",
                             "S = k²/2", "local and axial tie at S = 24.5"})
        EXPECT_THAT(text, HasSubstr(said));
    EXPECT_THAT(text_of({{"heads", "8"}}), HasSubstr("80.56 GB\nglobal in fp32, 8 heads"));
    const std::string small = text_of({{"side", "56"}});
    for (const char* said : {"N = 3,136", "9,834,496", "153,664", "144,400", "351,232"})
        EXPECT_THAT(small, HasSubstr(said));
    EXPECT_THAT(text_of({{"patch", "16"}}), HasSubstr("38,416"));
}

TEST(CostFigure, CountsPublishedSettingsAtTheirOwnSize) {
    EXPECT_THAT(text_of({{"preset", "vit"}}), HasSubstr("196 positions, 38,416 entries"));
    EXPECT_THAT(text_of({{"preset", "image-transformer"}}),
                HasSubstr("3,072 positions, 1,572,864 entries; global attention there: 9,437,184"));
}

TEST(CostFigure, SaysWhereNothingCrosses) {
    EXPECT_THAT(text_of({{"curves", "global; local"}}), HasSubstr("no crossing for S in 8 … 512"));
    const std::string wide = text_of({{"k", "31"}});  // k²/2 lies beyond m
    EXPECT_THAT(wide, Not(HasSubstr("S = k²/2")));
    EXPECT_THAT(text_of({{"k", "9"}}), HasSubstr("local and axial tie at S = 40.5"));
}

TEST(CostFigure, ParametersStandStillWhileKMoves) {
    const auto learned = [](const Set& knobs) {
        Evaluator evaluator;
        const auto result = evaluator.evaluate(scene_of("cost", "", knobs));
        std::vector<Index> weights;
        for (const CostCurve& curve : result->findings->cost.curves)
            weights.push_back(curve.mark.parameters.weights);
        return weights;
    };
    EXPECT_EQ(learned({{"k", "7"}}), learned({{"k", "21"}}));
    EXPECT_NE(learned({{"curves", "sasa"}}), learned({{"curves", "sasa"}, {"k", "21"}}));
}

TEST(CostFigure, TheMarkIsDraggedAlongItsAxis) {
    for (const char* side : {"8", "64", "512"}) {
        const Drawn page = drawn(scene_of("cost", "", {{"side", side}}), {960, 760});
        ASSERT_EQ(page.hits.size(), 1U);
        const Hit& axis = page.hits.front();
        EXPECT_EQ(axis.role, Hit::Role::axis);
        // What the pointer would read where the mark stands is the side that is set.
        const double share = std::log(std::stod(side) / axis.low) / std::log(axis.high / axis.low);
        const double x = axis.area.x + share * axis.area.width;
        const auto& lines = page.canvas->lines;
        EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
            return line.size() == 2 && std::abs(line[0].x - x) < 1e-6 && std::abs(line[1].x - x) < 1e-6;
        })) << side;
    }
}

TEST(CostFigure, CurvesStandOutFromTheirGround) {
    Evaluator evaluator;
    const auto result = evaluator.evaluate(
        scene_of("cost", "", {{"curves", "global; local; axial; swin; lsa; gsa; xca; sinks"}}));
    const CostChart& chart = result->findings->cost;
    for (const Theme* theme : {&light_theme(), &dark_theme(), &print_theme()})
        for (std::size_t i = 0; i < chart.curves.size(); ++i) {
            const CurveColour colour = curve_colour(*theme, chart, i);
            EXPECT_GE(contrast(colour.line, theme->ground), 3.0) << theme->id << ' ' << i;
            EXPECT_GE(contrast(colour.text, theme->ground), 4.5) << theme->id << ' ' << i;
            EXPECT_NE(colour.line, theme->query);
        }
}

TEST(CostFigure, RefusesCurvesThatAreNone) {
    const auto refusal = [](const char* curves) -> std::string {
        Scene scene = scene_of("cost", "");
        try {
            set_text(scene, "curves", curves);
        } catch (const Error& e) {
            return e.what();
        }
        return "nothing was refused";
    };
    EXPECT_THAT(refusal("global; loca"), HasSubstr("loca"));
    EXPECT_THAT(refusal("local k"), HasSubstr("expected name=value"));
    EXPECT_THAT(refusal("local z=3"), HasSubstr("no knob 'z'"));
    EXPECT_THAT(refusal("global;"), HasSubstr("got nothing"));
    EXPECT_THAT(refusal("se"), HasSubstr("no formula"));
    EXPECT_THAT(refusal("local k=0"), HasSubstr("knob 'k'"));
}

TEST(Magnitude, HasASuffixOfThousands) {
    EXPECT_EQ(magnitude(2458624), "2.46 M");
    EXPECT_EQ(magnitude(2517630976.0), "2.52 G");
    EXPECT_EQ(magnitude(196), "196");
    EXPECT_EQ(magnitude(999.6), "1.00 k");
    EXPECT_EQ(measured(10070523904.0, Measure::bytes_fp32, 4), "10.07 GB");
    EXPECT_EQ(layers_in_words(1), "one layer");
    EXPECT_EQ(layers_in_words(64), "64 layers");
}

}  // namespace
}  // namespace attn
