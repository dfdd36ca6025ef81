#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/input/words.h"
#include "core/io/picture.h"
#include "tests/figures/drawn.h"

namespace attn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The share of a word's weight that lies on cells chosen by row and column.
template <typename Chosen>
double mass(const Result& result, Index word, Chosen&& chosen) {
    const auto row = result.trace.heads.front().weights.row(word);
    double sum = 0.0;
    for (std::size_t cell = 0; cell < row.size(); ++cell) {
        const auto width = static_cast<std::size_t>(result.trace.keys.width);
        if (chosen(static_cast<double>(cell / width) + 0.5, static_cast<double>(cell % width) + 0.5))
            sum += static_cast<double>(row[cell]);
    }
    return sum;
}

auto disc(double row, double column, double radius) {
    return [=](double y, double x) { return std::hypot(y - row, x - column) < radius; };
}

TEST(Caption, WordsFindWhatTheyNameInTheToyPicture) {
    Evaluator evaluator;
    for (const char* mechanism : {"soft", "hard"}) {
        const auto result = evaluator.evaluate(scene_of(
            "overlay", mechanism, {{"target", "the red ball , the blue one under the sun and hill"}}));
        EXPECT_EQ(result->trace.keys, (Grid{24, 24}));
        EXPECT_TRUE(result->key_labels.empty());
        const auto red = [](double y, double x) {
            return disc(12.5, 5.5, 3.8)(y, x) || disc(8.2, 17.2, 3.8)(y, x);
        };
        EXPECT_GT(mass(*result, 1, red), 0.6) << "red";
        EXPECT_GT(mass(*result, 2, red), 0.6) << "a red ball is no blue one";
        EXPECT_GT(mass(*result, 5, disc(18.6, 15.6, 3.2)), 0.6) << "blue";
        EXPECT_GT(mass(*result, 9, disc(4.3, 8.3, 2.6)), 0.4) << "sun";
        EXPECT_GT(mass(*result, 11, [](double y, double) { return y > 14.0; }), 0.6) << "hill";
        const auto upper = [](double y, double) { return y < 12.0; };
        EXPECT_NEAR(mass(*result, 0, upper), 0.5, 0.1) << "“the” names nothing";
        EXPECT_THAT(result->said, HasSubstr("random directions, seed 7"));
        EXPECT_THAT(result->said, HasSubstr("the, ,, one, under, and"));
        EXPECT_THAT(result->said, Not(HasSubstr("red")));
    }
}

TEST(Caption, ColoursAreFoundInTheUsersPicture) {
    Picture halves{32, 32, std::vector<std::uint8_t>(32 * 32 * 3)};
    for (std::size_t p = 0; p < 32 * 32; ++p) {
        const bool left = p % 32 < 16;
        halves.rgb[3 * p] = left ? 220 : 40;
        halves.rgb[3 * p + 1] = 60;
        halves.rgb[3 * p + 2] = left ? 40 : 220;
    }
    const EncodedPicture encoded = encode_for_scene(halves);
    Scene scene = scene_of("overlay", "soft");
    scene.input = picture_input("halves.png", encoded.type, encoded.bytes);
    set_text(scene, "target", "blue red ball");
    Evaluator evaluator;
    const auto result = evaluator.evaluate(scene);
    const auto left = [](double, double x) { return x < 12.0; };
    EXPECT_LT(mass(*result, 0, left), 0.2);
    EXPECT_GT(mass(*result, 1, left), 0.8);
    EXPECT_THAT(result->said, HasSubstr("ball")) << "only the toy's balls are known";
}

TEST(Caption, TheGateClosesForWordsThatNameNothing) {
    Evaluator evaluator;
    const auto result =
        evaluator.evaluate(scene_of("overlay", "soft", {{"target", "a red ball on the green hill"}}));
    const auto gate = result->trace.out.at("out.gate");
    const std::vector<bool> names = {false, true, true, false, false, true, true};
    for (std::size_t word = 0; word < names.size(); ++word) {
        if (names[word])
            EXPECT_GT(gate->values()[word], 0.7F) << word;
        else
            EXPECT_LT(gate->values()[word], 0.3F) << word;
    }
}

TEST(Caption, EveryWordCanBePressed) {
    const Drawn page = drawn(scene_of("overlay", "hard"));
    const std::size_t words = page.result->query_labels.size();
    for (std::size_t word = 0; word < words; ++word)
        EXPECT_EQ(std::count_if(page.hits.begin(), page.hits.end(),
                                [&](const Hit& hit) {
                                    return hit.role == Hit::Role::queries &&
                                           hit.order == std::vector<Index>{static_cast<Index>(word)};
                                }),
                  2)  // in the sentence and under its map
            << word;
    EXPECT_GE(page.canvas->circles.size(), words);  // the cell that each takes
}

TEST(Caption, ALongOneFits) {
    std::string words;
    for (int i = 0; i < 150; ++i) words += i % 5 == 0 ? "red " : "word" + std::to_string(i) + " ";
    Evaluator evaluator;
    for (const char* query : {"0", "70", "149"}) {
        const Scene scene = scene_of("overlay", "soft", {{"target", words}, {"query", query}});
        const auto result = evaluator.evaluate(scene);
        for (const Size size : {Size{720, 560}, Size{960, 700}, Size{1500, 900}})
            EXPECT_EQ(faults(drawn(scene, result, size), size), "") << query << " at " << size.width;
    }
}

TEST(Caption, TheFigureSaysWhatTheWordsLookAt) {
    const Scene picture = scene_of("overlay", "cross");
    EXPECT_TRUE(looks_at_picture(picture));
    EXPECT_TRUE(looks_at_picture(with_figure(picture, "recipe")));  // as it was shown
    const Scene words = with_figure(picture, "alignment");
    EXPECT_FALSE(looks_at_picture(words));
    EXPECT_FALSE(looks_at_picture(with_figure(words, "recipe")));
    EXPECT_NE(evaluation_key(picture), evaluation_key(words));
    EXPECT_EQ(scene_from_json(to_json(with_figure(picture, "recipe"))), with_figure(picture, "recipe"));
}

}  // namespace
}  // namespace attn
