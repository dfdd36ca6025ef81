#include <gtest/gtest.h>

#include "tests/gui/window_fixture.h"

namespace attn::test {
namespace {

class HeadsWindowTest : public WindowTest {
  protected:
    /// The middle of the n-th part of the figure with that role.
    [[nodiscard]] Point part(const std::string& role, int n) const {
        for (const Json& hit : program_->state().at("hits")) {
            if (hit.at("role") != role || n-- > 0) continue;
            const Json& box = hit.at("rect");
            return {box[0].get<double>() + box[2].get<double>() / 2,
                    box[1].get<double>() + box[3].get<double>() / 2};
        }
        ADD_FAILURE() << "no part of the figure has the role " << role;
        return {};
    }
};

TEST_F(HeadsWindowTest, AHeadIsPickedAndShownAlone) {
    start({"--mechanism", "multi-head"});
    const Point second = part("heads", 1);
    person_->click(second.x, second.y);
    EXPECT_TRUE(becomes("head", 2));
    const Point mean = part("heads", 4);
    person_->click(mean.x, mean.y);
    EXPECT_TRUE(becomes("all_heads", "mean"));
    const Point third = part("heads", 2);
    person_->double_click(third.x, third.y);
    EXPECT_TRUE(becomes("strip", false));
    EXPECT_TRUE(becomes("head", 3));
    program_->wait_until_still();
    const Point line = part("heads", 0);
    person_->double_click(line.x, line.y);
    EXPECT_TRUE(becomes("strip", Json()));  // all are back
}

TEST_F(HeadsWindowTest, AWordIsPressedInTheSentence) {
    start({"--mechanism", "soft"});
    const Point word = part("queries", 5);
    person_->click(word.x, word.y);
    EXPECT_TRUE(becomes("query", 5));
    person_->key("Left");
    EXPECT_TRUE(becomes("query", 4));
}

}  // namespace
}  // namespace attn::test
