#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "app/gui/actions.h"
#include "app/gui/history.h"
#include "app/gui/knob_scale.h"
#include "app/gui/text_edit.h"
#include "app/gui/triangles.h"
#include "core/catalog.h"

namespace attn {
namespace {

TEST(Actions, NoTwoHaveTheSameChordOrId) {
    std::map<std::pair<int, int>, std::string_view> chords;
    std::set<std::string_view> ids;
    for (const Action& one : actions()) {
        EXPECT_TRUE(ids.insert(one.id).second) << one.id;
        EXPECT_FALSE(one.chords.empty()) << one.id;
        EXPECT_FALSE(one.help.empty()) << one.id;
        for (const Chord chord : one.chords) {
            const auto [at, added] = chords.try_emplace({chord.key, chord.mods}, one.id);
            EXPECT_TRUE(added) << to_string(chord) << ": " << at->second << " and " << one.id;
        }
    }
}

TEST(Actions, NameTheirChords) {
    EXPECT_EQ(to_string({GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT}), "Ctrl Shift Z");
    EXPECT_EQ(to_string({GLFW_KEY_F5, 0}), "F5");
    EXPECT_EQ(to_string({GLFW_KEY_LEFT, 0}), "←");
}

TEST(History, AGestureIsOneStep) {
    History history;
    Scene scene;
    const auto change = [&](double tau, const std::string& gesture) {
        history.record(scene, gesture);
        scene.set["tau"] = tau;
    };
    change(0.2, "drag tau");
    change(0.3, "drag tau");
    change(0.4, "drag tau");
    history.close();
    change(0.5, "drag tau");
    change(0.6, "");
    change(0.7, "");
    const auto tau = [](const std::optional<Scene>& s) { return std::get<double>(s->set.at("tau")); };
    EXPECT_EQ(tau(history.undo(scene)), 0.6);
    Scene there = scene;
    there.set["tau"] = 0.6;
    EXPECT_EQ(tau(history.undo(there)), 0.5);
    EXPECT_EQ(tau(history.redo(there)), 0.6);
    there.set["tau"] = 0.5;
    history.undo(there);
    EXPECT_TRUE(history.can_redo());
    history.record(there, "");
    EXPECT_FALSE(history.can_redo());
}

Keystroke key(int code, int mods = 0) {
    return {code, mods, 0};
}

TEST(TextEdit, EditsByCodePointsAndWords) {
    TextEdit edit("");
    for (const std::uint32_t c : {U'σ', U'(', U'α', U' ', U'β', U')'}) edit.handle({.character = c});
    EXPECT_EQ(edit.text(), "σ(α β)");
    edit.handle(key(GLFW_KEY_LEFT));
    edit.handle(key(GLFW_KEY_BACKSPACE));
    EXPECT_EQ(edit.text(), "σ(α )");
    edit.handle(key(GLFW_KEY_LEFT, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT));
    EXPECT_EQ(edit.selected(), "σ(α ");
    edit.handle({.character = U'x'});
    EXPECT_EQ(edit.text(), "x)");
    edit.handle(key(GLFW_KEY_A, GLFW_MOD_CONTROL));
    edit.insert("one\ntwo\x7f");
    EXPECT_EQ(edit.text(), "onetwo");
    edit.handle(key(GLFW_KEY_HOME));
    edit.handle(key(GLFW_KEY_DELETE));
    EXPECT_EQ(edit.text(), "netwo");
    EXPECT_FALSE(edit.handle(key(GLFW_KEY_F5)));
}

/// Every number that a rail can give must be legal and come back to (about) the same place.
TEST(KnobScale, EveryKnobsRailGivesLegalValues) {
    for (const Mechanism& one : mechanisms()) {
        for (const Parameter& knob : one.parameters) {
            if (knob.kind != Parameter::Kind::real && knob.kind != Parameter::Kind::integer) continue;
            for (int i = 0; i <= 100; ++i) {
                const double share = i / 100.0;
                const Value value = value_at(knob, share, false);
                EXPECT_NO_THROW(static_cast<void>(checked(knob, value)))
                    << one.id << " " << knob.id << " " << share;
                const double back = share_of(knob, number_of(value));
                const double coarse = knob.kind == Parameter::Kind::integer ? 1.0 : 0.06;
                EXPECT_NEAR(back, share, coarse) << one.id << " " << knob.id;
            }
            const double end = knob.offered > 0.0 ? knob.offered : knob.high;
            EXPECT_EQ(number_of(value_at(knob, 1.0, false)), end) << knob.id;
        }
    }
}

TEST(KnobScale, NumbersAreRoundedForPeople) {
    const Parameter tau{.id = "tau",
                        .kind = Parameter::Kind::real,
                        .low = 0.01,
                        .high = 10,
                        .scale = Parameter::Scale::logarithmic};
    EXPECT_EQ(std::get<double>(value_at(tau, share_of(tau, 0.15), false)), 0.15);
    EXPECT_EQ(std::get<double>(value_at(tau, share_of(tau, 0.1534), true)), 0.1535);
    const Parameter beta{.id = "beta", .kind = Parameter::Kind::real, .low = 0, .high = 10};
    EXPECT_EQ(std::get<double>(value_at(beta, 0.2013, false)), 2.0);
    EXPECT_EQ(std::get<double>(stepped(beta, 2.0, -1)), 1.95);
}

TEST(Triangles, CoverAPolygonWithADent) {
    const std::vector<Point> dented = {{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}};
    EXPECT_FALSE(convex(dented));
    double area = 0.0;
    for (const auto& [a, b, c] : triangles(dented)) {
        area += std::abs((dented[b].x - dented[a].x) * (dented[c].y - dented[a].y) -
                         (dented[b].y - dented[a].y) * (dented[c].x - dented[a].x)) /
                2;
    }
    EXPECT_DOUBLE_EQ(area, 10.0);
    EXPECT_TRUE(convex(std::vector<Point>{{0, 0}, {4, 0}, {4, 4}, {0, 4}}));
}

}  // namespace
}  // namespace attn
