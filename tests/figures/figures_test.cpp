#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figure.h"
#include "app/figures/block_cost.h"
#include "app/figures/format.h"
#include "app/figures/memo.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "tests/figures/drawn.h"
#include "tests/figures/recording_canvas.h"

namespace attn {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

bool registered(std::string_view id) {
    return std::any_of(figures().begin(), figures().end(), [&](const Figure& each) { return each.id == id; });
}

TEST(Figures, FitEveryPage) {
    const std::vector<Size> sizes = {{720, 560},   {760, 620},  {950, 823}, {960, 700},
                                     {1600, 1000}, {1100, 560}, {720, 1100}};
    Evaluator evaluator;
    for (const Mechanism& shown : mechanisms()) {
        for (const std::string_view id : shown.figures) {
            if (!registered(id)) continue;
            const Scene scene = scene_of(id, shown.id);
            const auto result = evaluator.evaluate(scene);
            for (const Size size : sizes)
                for (const Focus focus : {Focus{}, Focus{{}, 1}, Focus{0, 2}})
                    EXPECT_EQ(faults(drawn(scene, result, size, focus), size), "")
                        << id << " of " << shown.id << " at " << size.width << " x " << size.height;
        }
    }
}

TEST(Figures, FitWhateverIsSet) {
    const std::string long_text =
        "the quick brown fox jumps over the lazy dog and then the other small red house in the old garden "
        "was seen "
        "by a black cat who slept on the sofa while it rained all day .";
    const std::vector<Scene> scenes = {
        scene_of("recipe", "non-local", {{"step", "score"}, {"order", "place"}, {"pooled", "true"}}),
        scene_of("recipe", "non-local", {{"pairwise", "dot"}, {"colour_scale", "uniform"}}),
        scene_of("recipe", "non-local", {{"grid", "64"}, {"query", "4095"}}),
        scene_of("recipe", "non-local", {{"grid", "3"}}),
        scene_of("overlay", "non-local",
                 {{"pairwise", "concatenation"}, {"colour_scale", "rank"}, {"range", "matrix"}}),
        scene_of("overlay", "non-local", {{"matrix", "false"}, {"gamma", "0"}, {"tau", "0.01"}}),
        scene_of("overlay", "non-local", {{"colour_scale", "uniform"}, {"range", "matrix"}, {"tau", "10"}}),
        scene_of("alignment", "additive", {{"source", long_text}, {"mass", "1"}}),
        scene_of("alignment", "scaled-dot", {{"source", long_text}, {"causal", "true"}, {"query", "30"}}),
        scene_of("alignment", "dot", {{"source", "on cats"}, {"target", "chats"}, {"tau", "0.01"}}),
        scene_of("recipe", "scaled-dot", {{"source", long_text}}),
        scene_of("recipe", "additive", {{"source", "a"}, {"target", long_text}}),
        scene_of("gate", "se", {{"beta", "0"}, {"log2C", "11"}, {"r", "2"}}),
        scene_of("gate", "se", {{"beta", "10"}, {"log2C", "4"}, {"r", "32"}}),
    };
    Evaluator evaluator;
    for (const Scene& scene : scenes) {
        const auto result = evaluator.evaluate(scene);
        for (const Size size : {Size{720, 560}, Size{960, 720}, Size{1500, 900}})
            EXPECT_EQ(faults(drawn(scene, result, size), size), "")
                << to_json(scene) << " at " << size.width << " x " << size.height;
    }
}

TEST(Figures, ShowTheUsersOwnArrays) {
    for (const auto& [mechanism, file] :
         std::vector<std::pair<const char*, const char*>>{{"non-local", "non-local-embedded-gaussian-pooled"},
                                                          {"non-local", "non-local-dot"},
                                                          {"additive", "additive"},
                                                          {"dot", "dot-padded"},
                                                          {"scaled-dot", "scaled-dot-causal"},
                                                          {"se", "se"}}) {
        const std::string path = std::string(ATTNSCOPE_TESTS "/golden/") + file + ".npz";
        const Case contents = read_npz(read_file(path), path);
        const Mechanism& shown = attn::mechanism(mechanism);
        for (const std::string_view id : shown.figures) {
            if (!registered(id)) continue;
            Scene scene = scene_of(id, mechanism);
            scene.input = {.name = file,
                           .type = "application/x-npz",
                           .bytes = std::make_shared<const std::string>(read_file(path))};
            for (const auto& [knob, value] : contents.knobs)
                if (find(schema(scene), knob) != nullptr) set(scene, knob, value);
            for (const Size size : {Size{720, 560}, Size{960, 700}})
                EXPECT_EQ(faults(drawn(scene, size), size), "") << id << " of " << file;
        }
    }
}

TEST(Figures, AreTheSameFromFrameToFrame) {
    Evaluator evaluator;
    for (const auto& [id, mechanism] : std::vector<std::pair<const char*, const char*>>{
             {"recipe", "non-local"}, {"overlay", "non-local"}, {"alignment", "additive"}, {"gate", "se"}}) {
        const Scene scene = scene_of(id, mechanism);
        const auto result = evaluator.evaluate(scene);
        Memo memo;
        std::vector<std::vector<std::string>> frames;
        for (Memo* kept : {static_cast<Memo*>(nullptr), &memo, &memo}) {
            RecordingCanvas canvas(fonts(), 2.0);
            figure(id).draw({scene, *result, dark_theme(), {0, 0, 900, 700}, {}, kept}, canvas);
            EXPECT_EQ(canvas.open_clips(), 0);
            frames.push_back(canvas.calls());
        }
        EXPECT_EQ(difference(frames[0], frames[1]), "");
        EXPECT_EQ(difference(frames[1], frames[2]), "");
    }
}

TEST(Figures, KeepTheirCellsFromFrameToFrame) {
    const Scene scene = scene_of("overlay", "non-local");
    Evaluator evaluator;
    const auto result = evaluator.evaluate(scene);
    Memo memo;
    std::vector<const Cells*> cells;
    for (int i = 0; i < 2; ++i) {
        ProbeCanvas canvas(fonts(), 1.0);
        figure("overlay").draw({scene, *result, light_theme(), {0, 0, 900, 700}, {}, &memo}, canvas);
        for (const HeatMap& map : canvas.maps) cells.push_back(map.cells.get());
    }
    const auto half = static_cast<std::ptrdiff_t>(cells.size() / 2);
    EXPECT_GE(half, 4);  // the row, the matrix, and their colour bars
    EXPECT_TRUE(std::equal(cells.begin(), cells.begin() + half, cells.begin() + half));
}

TEST(Figures, SayTheSameAtEveryResolution) {
    Evaluator evaluator;
    for (const auto& [id, mechanism] : std::vector<std::pair<const char*, const char*>>{
             {"recipe", "additive"}, {"overlay", "non-local"}, {"alignment", "scaled-dot"}, {"gate", "se"}}) {
        const Scene scene = scene_of(id, mechanism);
        const auto result = evaluator.evaluate(scene);
        const std::string once = drawn(scene, result, {960, 700}, {}, light_theme(), 1.0).canvas->all_text();
        EXPECT_EQ(drawn(scene, result, {960, 700}, {}, light_theme(), 2.0).canvas->all_text(), once) << id;
        EXPECT_EQ(drawn(scene, result, {960, 700}, {}, print_theme(), 4.0).canvas->all_text(), once) << id;
    }
}

TEST(Figures, TheQueryHasTheAccent) {
    Evaluator evaluator;
    for (const auto& [id, mechanism] :
         std::vector<std::pair<const char*, const char*>>{{"recipe", "non-local"},
                                                          {"recipe", "additive"},
                                                          {"overlay", "non-local"},
                                                          {"alignment", "dot"}}) {
        const Scene scene = scene_of(id, mechanism);
        const auto result = evaluator.evaluate(scene);
        for (const Theme* look : {&light_theme(), &dark_theme(), &print_theme()})
            EXPECT_THAT(drawn(scene, result, {960, 700}, {}, *look).canvas->colours, Contains(look->query))
                << id;
    }
    // No gate asks anything.
    EXPECT_THAT(drawn(scene_of("gate", "se")).canvas->colours, Not(Contains(light_theme().query)));
}

TEST(RecipeFigure, WritesTheLiveNumbers) {
    for (const char* id : {"non-local", "additive", "scaled-dot", "se"}) {
        const Scene scene = scene_of("recipe", id);
        const Drawn page = drawn(scene, {960, 700}, {{}, 3});
        const Head& head = page.result->trace.heads.front();
        const Index query = query_of(scene, *page.result);
        std::vector<std::string> accented;
        for (const Written& text : page.canvas->texts)
            if (text.colour == light_theme().query) accented.push_back(text.text);
        EXPECT_THAT(accented, Contains(significant(static_cast<double>(head.scores.at(query, 3))))) << id;
        EXPECT_THAT(accented, Contains(significant(static_cast<double>(head.weights.at(query, 3))))) << id;
    }
}

TEST(RecipeFigure, HasTheFormOfEachSquash) {
    const auto text = [](std::string_view mechanism, const Set& knobs) {
        return joined(drawn(scene_of("recipe", mechanism, knobs)));
    };
    EXPECT_THAT(text("non-local", {{"tau", "0.25"}}), HasSubstr("/0.25) / Σ"));
    EXPECT_THAT(text("non-local", {{"pairwise", "dot"}}), HasSubstr(" / 576 = "));
    EXPECT_THAT(text("non-local", {{"pairwise", "dot"}, {"pooled", "true"}}), HasSubstr(" / 144 = "));
    EXPECT_THAT(text("non-local", {{"pairwise", "concatenation"}}), HasSubstr("ReLU(w·[θ₂₉₃, φ"));
    EXPECT_THAT(text("se", {{"beta", "3"}}), HasSubstr("σ(3·"));
    EXPECT_THAT(text("additive", {}), HasSubstr("vᵀ tanh(W s₂ + U h"));
}

TEST(RecipeFigure, PointsAtTheHeaviestKeyOtherThanItself) {
    const std::string all = joined(drawn(scene_of("recipe", "scaled-dot", {{"query", "3"}})));
    EXPECT_THAT(all, HasSubstr("e = q₃·k"));
    EXPECT_THAT(all, Not(HasSubstr("q₃·k₃")));
}

TEST(RecipeFigure, SortsItsBarsOrLeavesThemInPlace) {
    for (const bool sorted : {true, false}) {
        const Drawn page = drawn(scene_of("recipe", "additive", {{"order", sorted ? "sorted" : "place"}}));
        const auto bars = std::find_if(page.hits.begin(), page.hits.end(),
                                       [](const Hit& hit) { return !hit.order.empty(); });
        ASSERT_NE(bars, page.hits.end());
        ASSERT_EQ(bars->role, Hit::Role::keys);
        ASSERT_EQ(bars->order.size(), 10U);
        const auto weights = page.result->trace.heads.front().weights.row(query_of(page.scene, *page.result));
        const auto falls = [&](Index a, Index b) {
            return weights[static_cast<std::size_t>(a)] > weights[static_cast<std::size_t>(b)];
        };
        EXPECT_EQ(std::is_sorted(bars->order.begin(), bars->order.end(), falls), sorted);
        EXPECT_EQ(std::is_sorted(bars->order.begin(), bars->order.end()), !sorted);
    }
}

TEST(RecipeFigure, OtherStepsRecede) {
    const auto ink_of = [](const Drawn& page, std::string_view name) {
        for (const Written& text : page.canvas->texts)
            if (text.text == name) return text.colour;
        return Colour{};
    };
    const Drawn page = drawn(scene_of("recipe", "non-local", {{"step", "squash"}}));
    EXPECT_EQ(ink_of(page, "squash"), light_theme().ink);
    EXPECT_NE(ink_of(page, "score"), light_theme().ink);
    EXPECT_NE(ink_of(page, "multiply"), light_theme().ink);
}

TEST(OverlayFigure, ShowsThePapersNumbers) {
    const std::string text = drawn(scene_of("overlay", "non-local")).canvas->all_text();
    for (const char* number : {"784", "614,656", "2.46 MB", "314,703,872", "1,644,167,168", "2,097,152",
                               "153,664", "78,675,968", "C = 1,024, inner 512, 4 × 14 × 14"})
        EXPECT_THAT(text, HasSubstr(number));
}

TEST(OverlayFigure, MarksTheIdentity) {
    EXPECT_THAT(drawn(scene_of("overlay", "non-local", {{"gamma", "0"}})).canvas->all_text(),
                HasSubstr("identity"));
    EXPECT_THAT(drawn(scene_of("overlay", "non-local")).canvas->all_text(), Not(HasSubstr("identity")));
}

TEST(OverlayFigure, AScaleChangesWhereWeightsStand) {
    Evaluator evaluator;
    std::vector<std::vector<float>> positions;
    for (const char* scale : {"linear", "log", "rank", "uniform"}) {
        const Scene scene = scene_of("overlay", "non-local", {{"colour_scale", scale}});
        const Drawn page = drawn(scene, evaluator.evaluate(scene));
        const Cells& row = *page.canvas->maps.front().cells;
        std::vector<float> shares;
        for (const float position : row.position)
            shares.push_back((position - row.low) / (row.high - row.low));
        for (const auto& other : positions) {
            // × uniform is the logarithm again, only its ends are told as multiples.
            if (std::string_view(scale) == "uniform" && &other == &positions[1])
                EXPECT_THAT(shares, testing::Pointwise(testing::FloatNear(1e-4F), other));
            else
                EXPECT_NE(shares, other) << scale;
        }
        positions.push_back(std::move(shares));
    }
}

TEST(OverlayFigure, OneRangeForAllRowsIsThatOfTheMatrix) {
    const Drawn own = drawn(scene_of("overlay", "non-local", {{"colour_scale", "linear"}}));
    const Drawn all =
        drawn(scene_of("overlay", "non-local", {{"colour_scale", "linear"}, {"range", "matrix"}}));
    const Map& weights = own.result->trace.heads.front().weights;
    float most = 0.0F;
    for (Index q = 0; q < weights.rows(); ++q)
        for (const float weight : weights.row(q)) most = std::max(most, weight);
    EXPECT_LT(own.canvas->maps.front().cells->shown_high, 0.5 * static_cast<double>(most));
    EXPECT_FLOAT_EQ(static_cast<float>(all.canvas->maps.front().cells->shown_high), most);
}

TEST(Figures, SayWhichQueriesSeeNothing) {
    for (const auto& [id, mechanism] : std::vector<std::pair<const char*, const char*>>{
             {"alignment", "additive"}, {"recipe", "additive"}}) {
        const Scene scene = scene_of(id, mechanism);
        Evaluator evaluator;
        Result result = *evaluator.evaluate(scene);
        const Index query = query_of(scene, result);
        auto weights = std::make_shared<Array>(Shape{10, 10});
        result.trace.heads.front().weights = Map(weights);
        result.trace.blind = {query};
        const Drawn page = drawn(scene, std::make_shared<const Result>(std::move(result)));
        EXPECT_EQ(faults(page, {960, 700}), "") << id;
        EXPECT_THAT(page.canvas->all_text(), HasSubstr("One query sees no key")) << id;
        EXPECT_THAT(page.canvas->colours, Contains(light_theme().warning)) << id;
    }
}

TEST(AlignmentFigure, DrawsLinesUntilTheMassIsReached) {
    for (const char* mass : {"0.3", "0.7", "1"}) {
        const Drawn page = drawn(scene_of("alignment", "additive", {{"mass", mass}}));
        const auto weights = page.result->trace.heads.front().weights.row(query_of(page.scene, *page.result));
        std::vector<float> falling(weights.begin(), weights.end());
        std::sort(falling.rbegin(), falling.rend());
        std::size_t needed = 0;
        for (double sum = 0.0; needed < falling.size() && sum < std::stod(mass); ++needed)
            sum += static_cast<double>(falling[needed]);
        // Lines to keys lean: they begin at the query's word and end elsewhere.
        const auto threads =
            std::count_if(page.canvas->lines.begin(), page.canvas->lines.end(), [](const auto& line) {
                return line.size() == 2 && std::abs(line[1].x - line[0].x) > 60.0 &&
                       std::abs(line[1].x - line[0].x) < 250.0 && line[0].y > 100.0 && line[0].y < 560.0;
            });
        EXPECT_EQ(static_cast<std::size_t>(threads), needed) << mass;
    }
}

TEST(AlignmentFigure, EveryTokenCanBeRead) {
    std::string words;
    for (int i = 0; i < 40; ++i) words += (i % 3 == 0 ? "same" : "word" + std::to_string(i)) + " ";
    for (const Size size : {Size{720, 560}, Size{960, 640}}) {
        const Drawn page = drawn(scene_of("alignment", "additive", {{"source", words}}), size);
        const std::string text = page.canvas->all_text();
        for (int i = 0; i < 40; ++i)
            EXPECT_THAT(text, HasSubstr(std::to_string(i) + "  " +
                                        (i % 3 == 0 ? "same" : "word" + std::to_string(i))));
        EXPECT_EQ(faults(page, size), "");
    }
}

TEST(GateFigure, ShowsTheRealBlocksNumbers) {
    const std::string text = drawn(scene_of("gate", "se")).canvas->all_text();
    for (const char* number : {"8,192", "4,096 + 4,096", "272", "589,824", "1.39 %", "2,514,944", "62.54 %"})
        EXPECT_THAT(text, HasSubstr(number));
}

TEST(GateFigure, SaysWhyABlockIsIllegal) {
    const Drawn page = drawn(scene_of("gate", "se", {{"log2C", "4"}, {"r", "32"}}));
    const auto said =
        std::find_if(page.canvas->texts.begin(), page.canvas->texts.end(),
                     [](const Written& text) { return text.text.starts_with("Expected C ≥ r"); });
    ASSERT_NE(said, page.canvas->texts.end());
    EXPECT_EQ(said->colour, light_theme().warning);
    EXPECT_THAT(page.canvas->all_text(), HasSubstr("identity"));  // the picture stands
}

TEST(Figures, AreFoundById) {
    EXPECT_EQ(figure("gate").id, "gate");
    try {
        figure("gates");
        FAIL() << "nothing was thrown";
    } catch (const UsageError& e) {
        EXPECT_THAT(e.what(), HasSubstr("overlay, alignment, gate, recipe"));
    }
}

TEST(BlockCost, CountsByFormula) {
    const BlockCost all = block_cost(1024, 512, 784, false);
    EXPECT_EQ(all.pairs, 614656);
    EXPECT_EQ(all.matrix_bytes, 2458624.0);
    EXPECT_EQ(all.score_multiply_adds, 314703872);
    EXPECT_EQ(all.projection_multiply_adds, 1644167168);
    EXPECT_EQ(all.weights, 2097152);
    const BlockCost pooled = block_cost(1024, 512, 784, true);
    EXPECT_EQ(pooled.pairs, 153664);
    EXPECT_EQ(pooled.score_multiply_adds, 78675968);
    EXPECT_EQ(pooled.projection_multiply_adds, all.projection_multiply_adds);
}

TEST(Format, WritesNumbersAsFiguresDo) {
    EXPECT_EQ(grouped(1644167168), "1,644,167,168");
    EXPECT_EQ(grouped(-999), "−999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(significant(0.04168), "0.0417");
    EXPECT_EQ(significant(0.99996), "1.00");
    EXPECT_EQ(significant(-12345.6), "−12,346");
    EXPECT_EQ(significant(1.2e-7), "1.20·10⁻⁷");
    EXPECT_EQ(significant(0.0), "0");
    EXPECT_EQ(significant(-INFINITY), "−∞");
    EXPECT_EQ(plain(0.15), "0.15");
    EXPECT_EQ(plain(2.0), "2");
    EXPECT_EQ(plain(10.0), "10");
    EXPECT_EQ(percent(0.62539, 2), "62.54 %");
    EXPECT_EQ(bytes(2458624), "2.46 MB");
    EXPECT_EQ(bytes(512), "512 B");
    EXPECT_EQ(bytes(999999), "1.00 MB");
    EXPECT_EQ(subscript(293), "₂₉₃");
}

}  // namespace
}  // namespace attn
