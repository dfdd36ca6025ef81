#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/figures/equation.h"
#include "app/figures/reading.h"
#include "core/catalog.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "tests/figures/drawn.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

/// A number as figures write it, read back.
double number_of(std::string text) {
    const auto replace = [&text](std::string_view what, std::string_view with) {
        for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
            text.replace(at, what.size(), with);
    };
    replace("−", "-");
    replace(",", "");
    replace("·10", "e");
    replace("⁻", "-");
    const std::vector<std::string> superscripts = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (std::size_t digit = 0; digit < superscripts.size(); ++digit)
        replace(superscripts[digit], std::to_string(digit));
    return std::stod(text);
}

constexpr double three_digits = 6e-3;  ///< relative: half of the last of three digits, of 1.00

/// One mechanism's equation for the scene's query and one key.
struct Written {
    Scene scene;
    std::shared_ptr<const Result> result;
    Page page;
    Reading reading;
    Equation steps;

    Written(std::string_view id, Focus focus, const Set& knobs = {})
        : scene(scene_of("recipe", id, knobs)),
          result(Evaluator().evaluate(scene)),
          page{scene, *result, light_theme(), {}, focus},
          reading(read(page)),
          steps(equation(page, reading)) {}

    [[nodiscard]] double score() const { return reading.head->scores.at(reading.shown, reading.key); }
    [[nodiscard]] double weight() const { return reading.head->weights.at(reading.shown, reading.key); }
    /// The live numbers of a step.
    [[nodiscard]] std::vector<double> live(const Runs& runs) const {
        std::vector<double> numbers;
        for (const Run& run : runs)
            if (run.colour == light_theme().query) numbers.push_back(number_of(run.text));
        return numbers;
    }
};

std::string text_of(const Runs& runs) {
    std::string text;
    for (const Run& run : runs) text += run.text;
    return text;
}

void expect_near(double shown, double true_value, std::string_view what) {
    EXPECT_NEAR(shown, true_value, three_digits * std::abs(true_value) + 1e-12) << what;
}

/// The key that the figure chooses, and the one that lies on the query; in `axial`, where that stands in the
/// sums of both passes, the one above it.
std::vector<Focus> two_keys(std::string_view id) {
    const Written chosen(id, {});
    const Index above = id == "axial" ? chosen.result->trace.keys.width : 0;
    return {{}, {{}, chosen.reading.query - above}};
}

TEST(Equation, AgreesWithTheTraceOfEveryMechanism) {
    for (const Mechanism& shown : mechanisms())
        for (const Focus& focus : two_keys(shown.id)) {
            const Written written(shown.id, focus);
            const std::vector<double> of_score = written.live(written.steps.score);
            const std::vector<double> of_squash = written.live(written.steps.squash);
            ASSERT_FALSE(of_score.empty()) << shown.id;
            expect_near(of_score.back(), written.score(), shown.id);
            expect_near(of_squash.front(), written.score(), shown.id);
            expect_near(of_squash.back(), written.weight(), shown.id);
            const std::string_view result =
                shown.multiply.substr(0, shown.multiply.find_first_of(" \xE1\xE2"));
            EXPECT_EQ(text_of(written.steps.multiply).substr(0, result.size()), result) << shown.id;
        }
}

/// What is written between the signs, computed again.
TEST(Equation, SquashesAsItSays) {
    for (const Mechanism& shown : mechanisms()) {
        const std::vector<Focus> keys = two_keys(shown.id);
        const Written one(shown.id, keys[0]);
        const Trace& trace = one.result->trace;
        const double sharpness = trace.sharpness;
        if (trace.squash == Squash::sigmoid) {
            expect_near(one.weight(), 1.0 / (1.0 + std::exp(-sharpness * one.score())), shown.id);
        } else if (trace.squash == Squash::divide) {
            expect_near(one.weight(), one.score() / sharpness, shown.id);
        } else {  // every weight of a row is over the same sum
            const Written other(shown.id, keys[1]);
            const auto above = [&](const Written& written) {
                const std::vector<double> live = written.live(written.steps.squash);
                const double factor = live.size() == 3 ? live[1] : 1.0;
                return factor * std::exp(written.score() / sharpness);
            };
            EXPECT_NEAR(one.weight() * above(other), other.weight() * above(one),
                        2 * three_digits * other.weight() * above(one))
                << shown.id;
        }
    }
}

TEST(Equation, ComputesWhatAGateOfItsOwnMakesOfItsNumber) {
    for (const char* id : {"bam", "ran", "bilinear"})
        for (const Index position : {0, 77, 575}) {
            const Written written(id, {{}, position}, {{"head", "2"}});
            const std::vector<double> live = written.live(written.steps.multiply);
            const bool adds = adds_the_input(*written.result->mechanism);
            ASSERT_EQ(live.size(), adds ? 4U : 3U) << text_of(written.steps.multiply);
            const double computed = adds ? live[0] + live[1] * live[2] : live[0] * live[1];
            const float output =
                written.result->trace.output->values()[static_cast<std::size_t>(576 + position)];
            EXPECT_NEAR(computed, output, 0.02) << id;
            expect_near(live.back(), output, id);
        }
}

/// Every mechanism whose formula ends in √d, none whose does not.
TEST(Equation, DividesByTheRoot) {
    for (const Mechanism& shown : mechanisms()) {
        const Written written(shown.id, {});
        const std::string text = text_of(written.steps.score);
        const bool divides = text.find("/ √d = ") != std::string::npos;
        EXPECT_EQ(written.result->trace.width > 0, divides && shown.id != "axial") << text;
        if (written.result->trace.width == 0) continue;
        const std::vector<double> live = written.live(written.steps.score);
        ASSERT_EQ(live.size(), 3U) << text;
        EXPECT_NEAR(live[0] / live[1], live[2], 2 * three_digits * std::abs(live[2]) + 1e-12) << text;
    }
}

TEST(Equation, ShowsTheScoreThatIsSet) {
    const auto score = [](std::string_view id, const Set& knobs) {
        const std::string text = text_of(Written(id, {{}, 7}, knobs).steps.score);
        return text.substr(0, text.find(" = ", text.find(" = ") + 1));
    };
    EXPECT_EQ(score("sasa", {{"terms", "content"}, {"query", "8"}}), "e = q₈·k₇");
    EXPECT_EQ(score("bam", {{"combine", "product"}}), "e = e_c·e_s");
    EXPECT_EQ(score("scaled-dot", {{"scale", "0.5"}}), "e = 0.5·q₂·k₇");
}

TEST(Equation, SaysWhichKeyWasDrawn) {
    const Written drawn("hard", {});
    EXPECT_EQ(drawn.reading.key, drawn.result->trace.picked[static_cast<std::size_t>(drawn.reading.query)]);
    EXPECT_THAT(text_of(drawn.steps.multiply), HasSubstr(" += 1 · a"));
    const Written other("hard", {{}, (drawn.reading.key + 1) % 10});
    EXPECT_THAT(text_of(other.steps.multiply), HasSubstr(" += 0 · a"));
}

TEST(Steps, AddUpToTheScore) {
    for (const char* id : {"sasa", "axial-deeplab", "swin", "neighborhood"}) {
        const Written written(id, {});
        const auto addends = addends_of(written.page, written.reading);
        ASSERT_GE(addends.size(), 2U) << id;
        for (std::size_t k = 0; k < written.reading.scores.size(); ++k) {
            if (!written.reading.allowed.empty() && written.reading.allowed[k] == 0.0F) continue;
            float sum = 0.0F;
            for (const auto& row : addends) sum += row[k];
            EXPECT_NEAR(sum, written.reading.scores[k], 1e-4) << id;
        }
    }
}

TEST(Steps, AreOfTheShapeTheySay) {
    for (const Mechanism& shown : mechanisms()) {
        const Written written(shown.id, {});
        const Trace& trace = written.result->trace;
        for (const Step& step : trace.steps) {
            const bool positions = step.shape == Step::Shape::positions;
            if (positions || step.shape == Step::Shape::numbers) {
                ASSERT_TRUE(step.array.get() && step.maps.empty()) << shown.id << ' ' << step.id;
                EXPECT_TRUE(!positions || step.array->rank() == 3) << shown.id << ' ' << step.id;
                continue;
            }
            ASSERT_FALSE(step.maps.empty()) << shown.id << ' ' << step.id;
            const Map& map = step.maps.front();
            const bool of_keys = step.shape == Step::Shape::keys || trace.queries.size() == 1;
            const bool one_query = step.shape == Step::Shape::queries && trace.queries.size() == 1;
            EXPECT_EQ(map.rows(), one_query ? 1 : (of_keys ? trace.keys : trace.queries).size())
                << shown.id << ' ' << step.id;
            EXPECT_TRUE(step.shape != Step::Shape::pairs || map.columns() == trace.keys.size())
                << shown.id << ' ' << step.id;
        }
    }
}

/// The window of the query alone is drawn, and its cells answer to the pointer with their keys.
TEST(Steps, AreDrawnAndCanBeLeftOut) {
    const Drawn with = drawn(scene_of("recipe", "sasa"));
    const Drawn without = drawn(scene_of("recipe", "sasa", {{"steps", "false"}}));
    EXPECT_EQ(with.canvas->maps.size(), without.canvas->maps.size() + 4);  // each with its colour bar
    const auto window =
        std::ranges::find_if(with.hits, [](const Hit& hit) { return hit.order.size() == 49; });
    ASSERT_NE(window, with.hits.end());
    const Index query = query_of(with.scene, *with.result);
    EXPECT_EQ(window->order[24], query);
    EXPECT_EQ(window->order[0], query - 3 * 24 - 3);
}

/// Other sizes than the toys': odd and oblong grids, several heads, no names.
TEST(Recipe, FitsThePageOfEveryCase) {
    for (const auto& entry : std::filesystem::directory_iterator(ATTNSCOPE_TESTS "/golden")) {
        if (entry.path().extension() != ".npz") continue;
        const std::string bytes = read_file(entry.path().string());
        const Case contents = read_npz(bytes, entry.path().string());
        Scene scene = scene_of("recipe", std::get<std::string>(contents.knobs.at("mechanism")));
        scene.input = {.name = entry.path().filename().string(),
                       .type = "application/x-npz",
                       .bytes = std::make_shared<const std::string>(bytes)};
        for (const auto& [knob, value] : case_knobs(mechanism(scene.mechanism), contents.knobs))
            if (find(schema(scene), knob) != nullptr) set(scene, knob, value);
        for (const Size size : {Size{614, 620}, Size{960, 700}})
            EXPECT_EQ(faults(drawn(scene, size), size), "") << entry.path().stem();
    }
}

TEST(Bars, MarkWhatMeansNothingIsPreferred) {
    const auto text = [](std::string_view mechanism, const Set& knobs) {
        return joined(drawn(scene_of("recipe", mechanism, knobs)));
    };
    EXPECT_THAT(text("non-local", {}), HasSubstr("dashed: uniform 1/576"));
    EXPECT_THAT(text("sasa", {}), HasSubstr("dashed: uniform 1/49"));
    EXPECT_THAT(text("sasa", {{"query", "0"}}), HasSubstr("dashed: uniform 1/16"));
    EXPECT_THAT(text("local-m", {}), HasSubstr("dashed: uniform 1/5"));
    EXPECT_THAT(text("attention-gate", {}), HasSubstr("dashed: 1, the identity"));
    EXPECT_THAT(text("ran", {}), HasSubstr("dashed: 1 doubles; 0 is the identity"));
    EXPECT_THAT(text("non-local", {{"pairwise", "dot"}}), HasSubstr("they need not sum to 1"));
}

}  // namespace
}  // namespace attn
