#include <gtest/gtest.h>

#include "tests/gui/window_fixture.h"

namespace attn::test {
namespace {

/// Figures that run no mechanism: what is known of one, or of all.
class PagesWindowTest : public WindowTest {
  protected:
    [[nodiscard]] bool scene_becomes(const char* part, const Json& value) {
        return program_->wait_for([&](const Json& s) { return s.at("scene").at(part) == value; });
    }
};

TEST_F(PagesWindowTest, TheFeaturesAreDraggedInTheLaboratory) {
    start({"--mechanism", "scaled-dot"});
    click("figure.laboratory");
    ASSERT_TRUE(scene_becomes("figure", "laboratory"));
    program_->wait_until_still();
    const Point middle = cell("axis", 0, 0);
    const Screenshot before = person_->look();
    person_->drag(middle.x, middle.y, middle.x - 40, middle.y);
    EXPECT_TRUE(program_->wait_for([](const Json& s) {
        const Json& set = s.at("scene").at("set");
        return set.contains("d") && set.at("d") < 22;
    }));
    program_->wait_until_still();
    EXPECT_NE(person_->look(), before);
    click("figure.alignment");  // the mechanism as it was
    EXPECT_TRUE(scene_becomes("figure", "alignment"));
    click("figure.laboratory");
    EXPECT_TRUE(scene_becomes("figure", "laboratory"));
}

TEST_F(PagesWindowTest, ARowOfTheTableOpensItsMechanism) {
    start({"--mechanism", "scaled-dot"});
    click("figure.table");
    ASSERT_TRUE(scene_becomes("figure", "table"));
    program_->wait_until_still();
    const Point first = cell("mechanism", 0, 0);
    person_->click(first.x, first.y);
    EXPECT_TRUE(scene_becomes("mechanism", "additive"));
    EXPECT_TRUE(scene_becomes("figure", "alignment"));
}

TEST_F(PagesWindowTest, TheNumbersFollowTheMechanism) {
    start({"--mechanism", "sasa"});
    click("figure.numbers");
    ASSERT_TRUE(scene_becomes("figure", "numbers"));
    program_->wait_until_still();
    const Screenshot before = person_->look();
    click("entry.axial");
    EXPECT_TRUE(scene_becomes("mechanism", "axial"));
    EXPECT_TRUE(scene_becomes("figure", "numbers"));
    program_->wait_until_still();
    EXPECT_NE(person_->look(), before);
}

}  // namespace
}  // namespace attn::test
