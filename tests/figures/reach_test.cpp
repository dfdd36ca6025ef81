#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "app/figures/memo.h"
#include "core/error.h"
#include "tests/figures/drawn.h"
#include "tests/figures/recording_canvas.h"

namespace attn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<Size> sizes = {{720, 560},   {760, 620},  {900, 760},  {960, 800},
                                 {1600, 1000}, {1100, 560}, {720, 1100}, {920, 820}};

std::string text_of(std::string_view pattern, const Set& knobs = {}, Size size = {1200, 900}) {
    return drawn(scene_of("reach", pattern, knobs), size).canvas->all_text();
}

TEST(ReachFigure, FitsEveryPageForEveryPattern) {
    Evaluator evaluator;
    for (const Pattern& shown : patterns()) {
        const Scene scene = scene_of("reach", shown.id);
        const auto result = evaluator.evaluate(scene);
        for (const Size size : sizes)
            EXPECT_EQ(faults(drawn(scene, result, size), size), "")
                << shown.id << " at " << size.width << " x " << size.height;
    }
}

TEST(ReachFigure, FitsWhateverIsSet) {
    const std::vector<Scene> scenes = {
        scene_of("reach", "local", {{"rows", "224"}, {"columns", "224"}, {"layers", "8"}, {"map", "cover"}}),
        scene_of("reach", "local", {{"rows", "1"}, {"columns", "1"}}),
        scene_of("reach", "axial", {{"rows", "4"}, {"columns", "64"}, {"map", "keys"}}),
        scene_of("reach", "axial", {{"rows", "64"}, {"columns", "3"}, {"layers", "12"}}),
        scene_of("reach", "causal", {{"rows", "1"}, {"columns", "64"}, {"query", "63"}}),
        scene_of("reach", "sliding-window", {{"rows", "1"}, {"columns", "1000"}, {"query", "999"}}),
        scene_of("reach", "bigbird",
                 {{"rows", "1"}, {"columns", "100"}, {"view", "cells"}, {"map", "cover"}}),
        scene_of("reach", "block-1d", {{"view", "matrix"}, {"map", "keys"}}),
        scene_of("reach", "local", {{"stack", "swin; swin shift=2; local k=3 and causal"}, {"layers", "64"}}),
        scene_of("reach", "custom", {{"text", "k > q + 3"}, {"key", "0"}}),
        scene_of("reach", "local", {{"bridges", "false"}, {"with_cost", "false"}, {"side", "8"}}),
    };
    Evaluator evaluator;
    for (const Scene& scene : scenes) {
        const auto result = evaluator.evaluate(scene);
        for (const Size size : sizes)
            for (const Focus focus : {Focus{}, Focus{{}, 0}})
                EXPECT_EQ(faults(drawn(scene, result, size, focus), size), "")
                    << to_json(scene) << " at " << size.width << " x " << size.height;
    }
}

TEST(ReachFigure, LocalWindow) {
    const std::string text = text_of("local");
    for (const char* said :
         {"49 of 256 keys · 19.1 %", "169 of 256 keys · 66.0 %", "49 → 169", "10,000",
          "entries, edges counted", "7 keys a side: 3 left, itself, 3 right", "through 4 bridges, 4 paths"})
        EXPECT_THAT(text, HasSubstr(said));
    EXPECT_THAT(text, HasSubstr("3\nlayers, this query\n5\nlayers, worst query"));
    EXPECT_THAT(text_of("local", {{"edge", "shift"}}), HasSubstr("4\nlayers, worst query"));
    EXPECT_THAT(text_of("local", {{"edge", "wrap"}}), HasSubstr("3\nlayers, worst query"));
    EXPECT_THAT(text_of("local", {{"query", "0"}}), HasSubstr("16 → 49"));
    EXPECT_THAT(text_of("local", {{"query", "0"}, {"edge", "shift"}}), HasSubstr("49 → 100"));
    EXPECT_THAT(text_of("local", {{"layers", "3"}}), HasSubstr("49 → 169 → 256"));
}

TEST(ReachFigure, OtherPatterns) {
    EXPECT_THAT(text_of("axial"), HasSubstr("31 → 256\n"));
    EXPECT_THAT(text_of("axial"), HasSubstr("2\nlayers, this query\n2\nlayers, worst query"));
    EXPECT_THAT(text_of("axial", {{"m", "7"}, {"layers", "6"}}), HasSubstr("13 → 61 → 256"));
    EXPECT_THAT(text_of("axial", {{"m", "7"}}), HasSubstr("10\nlayers, worst query"));
    EXPECT_THAT(text_of("block-1d"), HasSubstr("64 → 96\n"));
    EXPECT_THAT(text_of("block-1d"), HasSubstr("never\nstops at 128 of 256\nnever\nlayers, worst query"));
    EXPECT_THAT(text_of("block-2d"), HasSubstr("80 → 112"));
    EXPECT_THAT(text_of("block-2d", {{"sides", "around"}}), HasSubstr("144 → 256"));
    EXPECT_THAT(text_of("strided"), HasSubstr("23 → 122"));
    EXPECT_THAT(text_of("fixed"), HasSubstr("38 → 122"));
    const Set stack = {{"stack", "swin; swin shift=2"}, {"layers", "4"}};
    EXPECT_THAT(text_of("local", stack), HasSubstr("16 → 64 → 256"));
    EXPECT_THAT(text_of("local", stack), HasSubstr("7\nlayers, worst query"));
    EXPECT_THAT(text_of("local", {{"stack", "swin shift=2; swin"}}),
                HasSubstr("5\nlayers, this query\n8\nlayers, worst query"));
    const Set dilated = {{"rows", "1"},
                         {"columns", "64"},
                         {"query", "32"},
                         {"layers", "4"},
                         {"stack",
                          "dilated k=7 dilation=1; dilated k=7 dilation=4; dilated k=7 dilation=1; "
                          "dilated k=7 dilation=8"}};
    EXPECT_THAT(text_of("local", dilated), HasSubstr("7 → 31 → 64"));
}

TEST(ReachFigure, FollowsAKeyPointedAtOrChosen) {
    const Scene scene = scene_of("reach", "axial", {{"key", "7,0"}});
    EXPECT_THAT(drawn(scene, {1200, 900}).canvas->all_text(),
                HasSubstr("key (7, 0): one layer, through 16 bridges, 16 paths"));
    EXPECT_THAT(drawn(scene, {1200, 900}, Focus{{}, 121}).canvas->all_text(), HasSubstr("31 paths"));
    EXPECT_THAT(drawn(scene, {1200, 900}, Focus{{}, 0}).canvas->all_text(), HasSubstr("2 paths"));
    // Walking back through a rule that was typed takes long on a large grid: only the chosen key is followed.
    const Scene typed =
        scene_of("reach", "custom",
                 {{"text", "abs(qr-kr)+abs(qc-kc)<=9"}, {"rows", "72"}, {"columns", "72"}, {"key", "30,40"}});
    EXPECT_THAT(drawn(typed, {1200, 900}, Focus{{}, 40}).canvas->all_text(), HasSubstr("key (30, 40): "));
    const Drawn lit = drawn(scene_of("reach", "local", {{"with_cost", "false"}}), {1200, 900});
    const Drawn unlit =
        drawn(scene_of("reach", "local", {{"with_cost", "false"}, {"bridges", "false"}}), {1200, 900});
    EXPECT_EQ(lit.canvas->circles.size(), 4U);
    EXPECT_EQ(unlit.canvas->circles.size(), 0U);
    EXPECT_THAT(text_of("local", {{"layers", "60"}}), HasSubstr("·10"));  // paths beyond 2⁵³
}

TEST(ReachFigure, SaysWhichQueriesAreBlind) {
    const Drawn page = drawn(scene_of("reach", "custom", {{"text", "k > q"}}));
    EXPECT_THAT(page.canvas->all_text(), HasSubstr("Query (15, 15) sees no key in the first layer."));
    EXPECT_THAT(page.canvas->colours, testing::Contains(light_theme().warning));
    EXPECT_THAT(text_of("causal"), Not(HasSubstr("sees no key")));
}

TEST(ReachFigure, DrawsTheSequencesMask) {
    const Drawn page =
        drawn(scene_of("reach", "causal", {{"rows", "1"}, {"columns", "64"}, {"query", "9"}}), {960, 800});
    ASSERT_GE(page.hits.size(), 2U);
    EXPECT_EQ(page.hits[0].role, Hit::Role::pairs);
    EXPECT_EQ(page.hits[0].rows, 64);
    const Cells& mask = *page.canvas->maps.front().cells;
    for (Index q = 0; q < 64; ++q)
        for (Index k = 0; k < 64; ++k)
            EXPECT_EQ(mask.classes[static_cast<std::size_t>(q * 64 + k)] == CellClass::value, k <= q);
}

TEST(ReachFigure, WrapsASequenceIntoRows) {
    const Drawn page = drawn(
        scene_of("reach", "sinks", {{"rows", "1"}, {"columns", "100"}, {"view", "cells"}, {"query", "99"}}));
    const Hit& hit = page.hits.front();
    ASSERT_EQ(static_cast<Index>(hit.order.size()), hit.rows * hit.columns);
    EXPECT_GE(hit.rows * hit.columns, 100);
    EXPECT_EQ(hit.order[99], 99);
    EXPECT_EQ(hit.order.back(), 99);  // no positions there: the last one
}

TEST(ReachFigure, ColoursEachHopInItsOwnWay) {
    const Drawn page = drawn(scene_of("reach", "local", {{"layers", "3"}}));
    const HeatMap& hops = page.canvas->maps.at(1);
    const auto colour_at = [&](std::size_t cell) {
        return colour_of(hops.cells->position[cell], hops.cells->classes[cell], *hops.cells, hops.colouring);
    };
    EXPECT_EQ(colour_at(121 + 3), rgb(0x2E6F8E));
    EXPECT_EQ(colour_at(121 + 6), rgb(0x6CC5A4));
    EXPECT_EQ(colour_at(0), rgb(0xC9E4A8));
    const HeatMap& one = page.canvas->maps.at(0);
    EXPECT_EQ(colour_of(one.cells->position[0], one.cells->classes[0], *one.cells, one.colouring),
              light_theme().unseen);
}

TEST(ReachFigure, IsTheSameFromFrameToFrame) {
    const Scene scene = scene_of("reach", "swin", {{"map", "keys"}});
    Evaluator evaluator;
    const auto result = evaluator.evaluate(scene);
    Memo memo;
    std::vector<std::vector<std::string>> frames;
    for (Memo* kept : {static_cast<Memo*>(nullptr), &memo, &memo}) {
        RecordingCanvas canvas(fonts(), 2.0);
        figure("reach").draw({scene, *result, dark_theme(), {0, 0, 900, 760}, {}, kept}, canvas);
        frames.push_back(canvas.calls());
    }
    EXPECT_EQ(difference(frames[0], frames[1]), "");
    EXPECT_EQ(difference(frames[1], frames[2]), "");
}

TEST(ReachFigure, KeepsWhatDoesNotDependOnTheQuery) {
    Evaluator evaluator;
    Scene scene = scene_of("reach", "block-1d", {{"map", "cover"}});
    const auto before = evaluator.evaluate(scene);
    set(scene, "query", Index{7});
    const auto after = evaluator.evaluate(scene);
    EXPECT_NE(before->key, after->key);
    EXPECT_EQ(before->findings->followed[0].cover, after->findings->followed[0].cover);
    EXPECT_EQ(before->findings->followed[0].stack, after->findings->followed[0].stack);
    EXPECT_EQ(after->findings->followed[0].query, 7);
}

TEST(ReachFigure, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    Evaluator evaluator;
    const Scene scene =
        scene_of("reach", "block-1d", {{"rows", "128"}, {"columns", "128"}, {"map", "cover"}});
    EXPECT_THROW(evaluator.evaluate(scene, source.get_token()), Cancelled);
    const auto result = evaluator.evaluate(scene_of("reach", "block-1d"));
    EXPECT_EQ(result->findings->followed[0].reach.counts[0], 64);
}

TEST(ReachFigure, RefusesWhatIsNotLegalTogether) {
    Scene scene = scene_of("reach", "local", {{"edge", "shift"}});
    const Scene legal = scene;
    EXPECT_THROW(set(scene, "rows", Index{5}), UsageError);  // a window of 7 in 5 rows
    EXPECT_THROW(set_text(scene, "stack", "local k=7; axal"), UsageError);
    EXPECT_EQ(scene, legal);
    set_text(scene, "stack", "axial; lsa");
    EXPECT_EQ(scene_from_json(to_json(scene)), scene);
}

}  // namespace
}  // namespace attn
