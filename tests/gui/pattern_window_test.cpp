#include <gtest/gtest.h>

#include "tests/gui/window_fixture.h"

namespace attn::test {
namespace {

class PatternWindowTest : public WindowTest {
  protected:
    [[nodiscard]] bool scene_becomes(const char* part, const Json& value) {
        return program_->wait_for([&](const Json& s) { return s.at("scene").at(part) == value; });
    }
};

TEST_F(PatternWindowTest, TheQueryIsDraggedAndAKeyChosenInTheGrid) {
    start({"--figure", "reach"});
    const Screenshot before = person_->look();
    const Point from = cell("pieces", 7, 9);
    const Point to = cell("pieces", 2, 3);
    person_->drag(from.x, from.y, to.x, to.y);
    EXPECT_TRUE(becomes("query", 2 * 16 + 3));
    program_->wait_until_still();
    EXPECT_NE(person_->look(), before);
    const Point key = cell("pieces", 4, 5);
    person_->hold("ctrl");
    person_->click(key.x, key.y);
    person_->let_go("ctrl");
    EXPECT_TRUE(becomes("key", 4 * 16 + 5));
    EXPECT_TRUE(becomes("query", 2 * 16 + 3));
}

TEST_F(PatternWindowTest, LayersAreEditedInPlace) {
    start({"--figure", "reach"});
    click("layers.part");
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return s.at("widgets").contains("layer.2"); }));
    program_->wait_until_still();
    const auto type_layer = [&](const char* text) {
        click("layer.2");
        person_->key("ctrl+a");
        person_->type(text);
        person_->key("enter");
    };
    type_layer("nonsense");
    program_->wait_until_still();
    EXPECT_TRUE(becomes("stack", "local; local"));  // what cannot be read changes nothing
    type_layer("row");  // no letter twice: a toolkit may drop one typed within the same millisecond
    EXPECT_TRUE(becomes("stack", "local; row"));
    click("entry.global");
    EXPECT_TRUE(scene_becomes("pattern", "global"));
    EXPECT_TRUE(becomes("stack", Json()));
    EXPECT_NE(program_->state().at("status").get<std::string>().find("stack"), std::string::npos);
}

TEST_F(PatternWindowTest, ARuleComesBackWithItsPattern) {
    start({"--figure", "reach", "--pattern", "custom", "--set", "text=q-k"});
    click("entry.global");
    ASSERT_TRUE(scene_becomes("pattern", "global"));
    person_->key("ctrl+k");
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return s.at("widgets").contains("sheet.text"); }));
    person_->type("custom");
    person_->key("enter");
    ASSERT_TRUE(scene_becomes("pattern", "custom"));
    EXPECT_TRUE(becomes("text", "q-k"));
}

TEST_F(PatternWindowTest, ARuleIsReadWhileItIsTyped) {
    start({"--figure", "reach", "--pattern", "custom"});
    click("knob.text");
    person_->key("ctrl+a");
    person_->type("q-k");
    EXPECT_TRUE(becomes("text", "q-k"));
    person_->type("-");  // no Enter: wrong, and the last legal picture stands
    program_->wait_until_still();
    EXPECT_TRUE(becomes("text", "q-k"));
}

TEST_F(PatternWindowTest, TheMarkIsDraggedAlongTheCurves) {
    start({"--figure", "cost"});
    const Point left = cell("axis", 0, 0);
    person_->drag(left.x, left.y, left.x - 120, left.y);
    EXPECT_TRUE(program_->wait_for([](const Json& s) {
        const Json& set = s.at("scene").at("set");
        return set.contains("side") && set.at("side") < 100;
    }));
}

TEST_F(PatternWindowTest, EachSubjectKeepsTheSceneItWasLeftWith) {
    start();
    click("knob.tau.value");
    person_->type("0.42");
    person_->key("enter");
    ASSERT_TRUE(becomes("tau", 0.42));
    click("figure.answers");
    ASSERT_TRUE(scene_becomes("figure", "answers"));
    program_->wait_until_still();
    person_->key("5");
    EXPECT_TRUE(scene_becomes("pattern", "axial"));
    EXPECT_TRUE(scene_becomes("figure", "reach"));
    click("figure.overlay");
    EXPECT_TRUE(becomes("tau", 0.42));
}

}  // namespace
}  // namespace attn::test
