#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/figures/numbers_data.h"
#include "core/catalog.h"
#include "tests/figures/drawn.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

/// Every published number that the figure must carry, as the papers print them.
const std::map<std::string, std::vector<std::string>>& facts() {
    static const std::map<std::string, std::vector<std::string>> all = {
        {"non-local",
         {"72.5", "72.7", "72.9", "72.8", "72.3", "+0.9", "+2.5", "38.0 → 39.0", "44.1 → 45.0", "34.6 → 35.5",
          "Under 5 %", "7×7"}},
        {"se",
         {"6.62", "6.52", "6.07", "6.34", "22.25–22.72", "23.30", "28.1 M", "22.93", "22.28", "3.86", "3.87",
          "+0.26 %", "2.251 %", "SE_4_6 and SE_5_1", "SE_5_2 near 1", "SE_5_3"}},
        {"block-1d", {"4.06", "3.47", "3.13", "2.99", "2.90", "3.77", "8 positions", "256 positions"}},
        {"block-2d", {"4.06", "3.47", "3.13", "2.99", "2.90", "3.77"}},
        {"sasa",
         {"77.6", "78.2", "80.2", "−0.5 points", "80.7", "79.6–79.9", "79.5", "18.0", "7.2", "25.6", "8.2",
          "+0.7 points", "22.0", "110", "36.6", "33.4", "182", "36.5", "4.1 B"}},
        {"axial", {"3.76", "3.44", "Sparse Transformer"}},
        {"axial-deeplab",
         {"12.5", "25.6", "+1.2", "+0.4", "59.1", "64.2", "617.4", "687.4", "12.1", "110.4", "41.8", "46.7",
          "274.0", "39.7", "2.5×", "3.8× and 27×", "3,081.4 B", "4.1 B", "8.2 B"}}};
    return all;
}

TEST(Numbers, CarryEveryPublishedFact) {
    for (const auto& [mechanism, numbers] : facts()) {
        const std::string text = drawn(scene_of("numbers", mechanism), {1100, 900}).canvas->all_text();
        std::string flat = text;  // sentences are broken into lines
        std::replace(flat.begin(), flat.end(), '\n', ' ');
        for (const std::string& number : numbers) EXPECT_THAT(flat, HasSubstr(number)) << mechanism;
    }
}

TEST(Numbers, AreListedByTheMechanismsThatHaveThem) {
    for (const Mechanism& one : mechanisms()) {
        const bool listed = std::count(one.figures.begin(), one.figures.end(), "numbers") > 0;
        EXPECT_EQ(listed, published_numbers(one.id) != nullptr) << one.id;
        EXPECT_EQ(listed, facts().contains(std::string(one.id))) << one.id;
    }
    for (const PublishedNumbers& one : published_numbers())
        for (const std::string& id : one.mechanisms) EXPECT_NO_THROW(static_cast<void>(mechanism(id)));
}

TEST(Numbers, HaveASourceAUnitAndAMeaning) {
    for (const PublishedNumbers& one : published_numbers()) {
        EXPECT_NE(one.lead, "");
        for (const PublishedChart& chart : one.charts)
            for (const PublishedValue& row : chart.rows) {
                EXPECT_THAT(row.source, HasSubstr(" 20")) << row.label;  // a year
                EXPECT_NE(row.unit, "") << row.label;
                EXPECT_LE(row.low, row.high) << row.label;
                if (chart.form == PublishedChart::Form::shares) {
                    EXPECT_TRUE(row.from) << row.label;
                }
            }
    }
}

TEST(Numbers, DotsStandWhereTheirValuesLie) {
    // Of the four functions: equal steps of accuracy are equal steps along the axis.
    const Drawn page = drawn(scene_of("numbers", "non-local"));
    std::vector<double> x;
    for (const Rect& circle : page.canvas->circles) x.push_back(circle.centre().x);
    ASSERT_GE(x.size(), 4U);
    const double tenth = (x[2] - x[0]) / 4.0;  // 72.5 to 72.9
    EXPECT_GT(tenth, 1.0);
    EXPECT_NEAR(x[1] - x[0], 2 * tenth, 1e-6);  // 72.7
    EXPECT_NEAR(x[3] - x[0], 3 * tenth, 1e-6);  // 72.8
}

TEST(Numbers, BarsBeginAtZero) {
    for (const PublishedNumbers& one : published_numbers())
        for (const PublishedChart& chart : one.charts) {
            if (chart.form != PublishedChart::Form::bars) continue;
            const auto page = drawn(scene_of("numbers", one.mechanisms.front()), {1100, 900});
            // Lengths are to each other as the numbers are, to a pixel.
            std::vector<double> lengths;
            for (const PublishedValue& row : chart.rows)
                for (const Written& text : page.canvas->texts) {
                    if (text.text != row.label) continue;
                    const double y = text.box.centre().y;
                    for (const Rect& shape : page.canvas->shapes)
                        if (shape.height == 10.0 && std::abs(shape.centre().y - y) < 3.0 &&
                            shape.x > text.box.x && shape.x - text.box.x < 300.0)
                            lengths.push_back(shape.width);
                }
            ASSERT_EQ(lengths.size(), chart.rows.size()) << chart.title;
            const double scale = lengths.front() / chart.rows.front().low;
            for (std::size_t i = 0; i < lengths.size(); ++i)
                EXPECT_NEAR(lengths[i], scale * chart.rows[i].low, 2.5) << chart.title;
        }
}

TEST(Numbers, AreATable) {
    Evaluator evaluator;
    const Scene scene = scene_of("numbers", "sasa");
    const std::string csv = figure("numbers").csv(scene, *evaluator.evaluate(scene));
    EXPECT_THAT(csv, HasSubstr("\"Where attention replaces convolution\",\"early only\",79.6,79.9,,\"%\","
                               "\"ImageNet top-1\",higher,\"Ramachandran et al. 2019"));
    EXPECT_THAT(csv, HasSubstr("\"RetinaNet on COCO\",\"FLOPs\",110,,182,\"B\",\"\",lower,"));
}

TEST(Numbers, FitSmallWindows) {
    for (const auto& [mechanism, numbers] : facts())
        for (const Size size : {Size{614, 622}, Size{940, 822}, Size{1100, 640}})
            EXPECT_EQ(faults(drawn(scene_of("numbers", mechanism), size), size), "")
                << mechanism << " at " << size.width << " x " << size.height;
}

}  // namespace
}  // namespace attn
