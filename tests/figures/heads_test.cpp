#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/figures/reading.h"
#include "core/heads.h"
#include "tests/figures/drawn.h"

namespace attn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Hit> of_heads(const Drawn& page) {
    std::vector<Hit> heads;
    for (const Hit& hit : page.hits)
        if (hit.role == Hit::Role::heads) heads.push_back(hit);
    return heads;
}

TEST(Heads, AllInOneArePairByPair) {
    Evaluator evaluator;
    const auto result = evaluator.evaluate(scene_of("alignment", "multi-head"));
    ASSERT_EQ(result->all_heads.size(), 3U);
    const std::vector<Head>& heads = result->trace.heads;
    for (Index q = 0; q < 10; ++q) {
        for (Index k = 0; k < 10; ++k) {
            float sum = 0.0F;
            float most = -1.0F;
            float least = 2.0F;
            for (const Head& head : heads) {
                sum += head.weights.at(q, k);
                most = std::max(most, head.weights.at(q, k));
                least = std::min(least, head.weights.at(q, k));
            }
            EXPECT_NEAR(result->all_heads[0].weights.at(q, k), sum / 4.0F, 1e-6F);
            EXPECT_EQ(result->all_heads[1].weights.at(q, k), most);
            EXPECT_EQ(result->all_heads[2].weights.at(q, k), least);
        }
    }
}

TEST(Heads, AScoreIsOfThoseThatHoldThePair) {
    PairTable table = even_table(1, 3, 1);
    table.key = {1};
    const auto held = std::make_shared<const PairTable>(table);
    PairTable other = even_table(1, 3, 2);
    other.key = {1, 2};
    const auto numbers = [](std::vector<float> values) {
        const auto count = static_cast<Index>(values.size());
        return share(Array({1, count}, std::move(values)));
    };
    const auto more = std::make_shared<const PairTable>(other);
    const Map first(held, numbers({-0.5F}));
    const Map second(more, numbers({-0.2F, -0.7F}));
    const std::vector<Head> heads = {{first, first}, {second, second}};
    EXPECT_FLOAT_EQ(combined(heads, Combine::greatest).scores.at(0, 2), -0.7F);
    EXPECT_FLOAT_EQ(combined(heads, Combine::mean).scores.at(0, 2), -0.7F);
    EXPECT_FLOAT_EQ(combined(heads, Combine::mean).scores.at(0, 1), -0.35F);
    EXPECT_FLOAT_EQ(combined(heads, Combine::greatest).weights.at(0, 2), 0.0F);  // it weighs 0 in the first
    EXPECT_FLOAT_EQ(combined(heads, Combine::mean).weights.at(0, 2), -0.35F);
}

TEST(Heads, SmallMapsSayWhatHeadsDoAndPickOne) {
    Scene scene = scene_of("alignment", "multi-head", {{"query", "3"}});
    const Drawn page = drawn(scene);
    EXPECT_THAT(page.canvas->all_text(), HasSubstr("4 heads, made by hand"));
    EXPECT_THAT(page.canvas->all_text(), HasSubstr("previous word"));
    const std::vector<Hit> small = of_heads(page);
    ASSERT_EQ(small.size(), 7U);
    for (std::size_t choice = 0; choice < small.size(); ++choice) {
        EXPECT_EQ(small[choice].order, std::vector<Index>{static_cast<Index>(choice)});
        Scene other = scene;
        set_all(other, show_head(*page.result, choice));
        const Page shown{other, *page.result, light_theme(), {0, 0, 960, 700}, {}};
        const Head& wanted =
            choice < 4 ? page.result->trace.heads[choice] : page.result->all_heads[choice - 4];
        EXPECT_EQ(read(shown).weights.data(), wanted.weights.row(3).data()) << choice;
    }
}

TEST(Heads, OneIsShownAlone) {
    const Drawn page = drawn(scene_of("alignment", "multi-head", {{"head", "2"}, {"strip", "false"}}));
    EXPECT_THAT(page.canvas->all_text(), HasSubstr("head 2: previous word, made by hand"));
    EXPECT_EQ(of_heads(page).size(), 1U);  // pressed twice it brings the others back
}

TEST(Heads, ManyHaveRoomAndTheShownOneIsAmongThem) {
    Evaluator evaluator;
    for (const auto& [figure, mechanism] :
         {std::pair{"alignment", "multi-head"}, std::pair{"overlay", "cross"}}) {
        const Scene scene = scene_of(figure, mechanism, {{"heads", "40"}, {"head", "33"}});
        const auto result = evaluator.evaluate(scene);
        for (const Size size : {Size{720, 560}, Size{960, 700}}) {
            const Drawn page = drawn(scene, result, size);
            EXPECT_EQ(faults(page, size), "") << figure << " at " << size.width;
            const std::vector<Hit> small = of_heads(page);
            EXPECT_TRUE(std::any_of(small.begin(), small.end(), [](const Hit& hit) {
                return hit.order == std::vector<Index>{32};
            })) << figure;
            EXPECT_EQ(small.back().order, std::vector<Index>{42});  // the least of all
        }
    }
}

TEST(Heads, OneHeadHasNoStrip) {
    EXPECT_TRUE(of_heads(drawn(scene_of("alignment", "multi-head", {{"heads", "1"}}))).empty());
    EXPECT_TRUE(of_heads(drawn(scene_of("alignment", "hard"))).empty());
}

TEST(OneContext, IsTheLastSourceStateForEveryWord) {
    Evaluator evaluator;
    for (const char* mechanism : {"additive", "dot", "general", "concat", "location", "local-m", "local-p"}) {
        Scene scene = scene_of("alignment", mechanism, {{"context", "fixed"}, {"valid", "6"}});
        const auto result = evaluator.evaluate(scene);
        const Map& weights = result->trace.heads.front().weights;
        const Index width = result->trace.values->extent(1);
        const auto values = result->trace.values->values();
        const auto output = result->trace.output->values();
        for (Index q = 0; q < weights.rows(); ++q) {
            for (Index k = 0; k < weights.columns(); ++k)
                EXPECT_EQ(weights.at(q, k), k == 5 ? 1.0F : 0.0F) << mechanism;
            for (Index c = 0; c < width; ++c)
                EXPECT_EQ(output[static_cast<std::size_t>(q * width + c)],
                          values[static_cast<std::size_t>(5 * width + c)]);
        }
        const Drawn page = drawn(scene, result);
        EXPECT_THAT(page.canvas->all_text(), HasSubstr("the bottleneck that attention")) << mechanism;
        EXPECT_EQ(faults(page, {960, 700}), "") << mechanism;
        EXPECT_FALSE(with_figure(scene, "recipe").set.contains("context"));
    }
    EXPECT_THROW(scene_of("alignment", "scaled-dot", {{"context", "fixed"}}), std::exception);
}

TEST(AlignmentFigure, MarksWhereLocalPLooks) {
    const Drawn page = drawn(scene_of("alignment", "local-p", {{"D", "3"}}));
    EXPECT_THAT(page.canvas->all_text(), HasSubstr("7 of 10"));
    const auto places = page.result->trace.out.at("out.pt");
    const auto matrix = std::find_if(page.hits.begin(), page.hits.end(),
                                     [](const Hit& hit) { return hit.role == Hit::Role::pairs; });
    ASSERT_NE(matrix, page.hits.end());
    for (Index q = 0; q < 10; ++q) {
        const double cell = matrix->area.width / 10.0;
        const double x = matrix->area.x +
                         (static_cast<double>(places->values()[static_cast<std::size_t>(q)]) + 0.5) * cell;
        const double y = matrix->area.y + (static_cast<double>(q) + 0.5) * matrix->area.height / 10.0;
        EXPECT_TRUE(std::any_of(page.canvas->lines.begin(), page.canvas->lines.end(), [&](const auto& line) {
            return line.size() == 2 && std::abs(line[0].x - x) < 1.0 && std::abs(line[1].x - x) < 1.0 &&
                   line[0].y < y && line[1].y > y;
        })) << q;
    }
}

TEST(AlignmentFigure, MarksTheKeyThatIsDrawn) {
    for (const char* pick : {"sample", "argmax"}) {
        const Drawn page = drawn(scene_of("alignment", "hard", {{"pick", pick}}));
        const auto matrix = std::find_if(page.hits.begin(), page.hits.end(),
                                         [](const Hit& hit) { return hit.role == Hit::Role::pairs; });
        ASSERT_NE(matrix, page.hits.end());
        const std::string_view index =
            std::string_view(pick) == "sample" ? "out.sample_index" : "out.argmax_index";
        const auto taken = page.result->trace.out.find(index)->second;
        ASSERT_EQ(page.canvas->circles.size(), 10U);
        for (std::size_t q = 0; q < 10; ++q) {
            const Point at = page.canvas->circles[q].centre();
            EXPECT_EQ(std::floor((at.x - matrix->area.x) / matrix->area.width * 10.0), taken->values()[q]);
            EXPECT_EQ(std::floor((at.y - matrix->area.y) / matrix->area.height * 10.0),
                      static_cast<double>(q));
        }
    }
}

}  // namespace
}  // namespace attn
