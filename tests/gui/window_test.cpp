#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "app/theme.h"
#include "tests/gui/window_fixture.h"
#include "tests/gui/xdnd.h"

namespace attn::test {
namespace {

using namespace std::chrono_literals;

/// A sanitised or crowded machine may be given more time: ATTNSCOPE_TEST_SLACK=5.
double slack() {
    const char* text = std::getenv("ATTNSCOPE_TEST_SLACK");
    return text != nullptr ? std::max(1.0, std::strtod(text, nullptr)) : 1.0;
}

TEST_F(WindowTest, FirstFrameComesWithinHalfASecond) {
    double best = 1e9;
    for (int launch = 0; launch < 3 && best > 0.5 * slack(); ++launch) {
        start();
        best = std::min(best, program_->frames().front().at("t").get<double>());
        program_.reset();
    }
    EXPECT_LT(best, 0.5 * slack());
}

TEST_F(WindowTest, DraggingInThePictureMovesTheQuery) {
    start();
    const Screenshot before = person_->look();
    const Point from = cell("pieces", 12, 5);
    const Point to = cell("pieces", 3, 8);
    person_->move(from.x, from.y);
    person_->press();
    person_->move((from.x + to.x) / 2, (from.y + to.y) / 2);
    EXPECT_TRUE(
        program_->wait_for([](const Json& state) { return state.at("query") != 12 * 24 + 5; }));  // live
    person_->move(to.x, to.y);
    EXPECT_TRUE(becomes("query", 3 * 24 + 8));
    person_->release();
    program_->wait_until_still();
    const Colour accent = light_theme().query;
    const Screenshot after = person_->look();
    EXPECT_NE(before, after);
    const auto accents = [&](const Screenshot& shot, Point near) {  // the query's frame lies about its cell
        int count = 0;
        for (int y = -14; y <= 14; ++y) {
            for (int x = -14; x <= 14; ++x) count += shot.at(near.x + x, near.y + y) == accent ? 1 : 0;
        }
        return count;
    };
    EXPECT_GT(accents(after, to), 8);
    EXPECT_EQ(accents(before, to), 0);
    person_->key("ctrl+z");  // the whole drag is one step
    EXPECT_TRUE(becomes("query", Json()));
}

TEST_F(WindowTest, KeysMoveTheQuery) {
    start();
    const int begin = 12 * 24 + 5;
    const std::pair<const char*, int> moves[] = {
        {"Right", begin + 1}, {"Down", begin + 25}, {"shift+Up", begin - 95}, {"shift+Left", begin - 100},
        {"Home", 0},          {"Left", 0},          {"End", 24 * 24 - 1}};
    for (const auto& [key, query] : moves) {
        person_->key(key);
        EXPECT_TRUE(program_->wait_for([&](const Json& state) { return state.at("query") == query; })) << key;
    }
}

TEST_F(WindowTest, SlidersDragFineResetScrollAndType) {
    start();
    const Rect rail = widget("knob.tau").inset(6);  // the grip is a ring's radius wider than the rail
    const double y = rail.centre().y;
    person_->drag(rail.x + rail.width * 0.4, y, rail.x + rail.width * 0.75, y);
    program_->wait_until_still();
    const double dragged = program_->knob("tau").get<double>();
    EXPECT_NEAR(dragged, 0.01 * std::pow(1000.0, 0.75), 0.12);

    person_->hold("shift");
    person_->drag(rail.x + rail.width * 0.75, y, rail.x + rail.width * 0.95, y);
    person_->let_go("shift");
    program_->wait_until_still();
    EXPECT_NEAR(program_->knob("tau").get<double>(), 0.01 * std::pow(1000.0, 0.77), 0.12);

    person_->double_click(rail.x + rail.width * 0.2, y);
    EXPECT_TRUE(becomes("tau", Json()));

    person_->wheel(1);
    EXPECT_TRUE(program_->wait_for([&](const Json&) { return !program_->knob("tau").is_null(); }));
    EXPECT_GT(program_->knob("tau").get<double>(), 0.15);

    click("knob.tau.value");
    person_->type("0.37");
    person_->key("enter");
    EXPECT_TRUE(becomes("tau", 0.37));
}

TEST_F(WindowTest, AnIllegalValueTurnsRedAndThePictureStands) {
    start();
    const Json scene = program_->state().at("scene");
    person_->move(600, 870);
    program_->wait_until_still();
    const Screenshot before = person_->look();
    click("knob.tau.value");
    person_->type("50");
    person_->key("enter");
    person_->move(600, 870);
    program_->wait_until_still();
    const Screenshot after = person_->look();
    EXPECT_EQ(program_->state().at("scene"), scene);
    const Rect panel = widget("knob.tau");
    int warned = 0;
    for (int y = static_cast<int>(panel.y) - 30; y < static_cast<int>(panel.bottom()) + 40; ++y) {
        for (int x = static_cast<int>(panel.x); x < static_cast<int>(panel.right()); ++x) {
            warned += after.at(x, y) == light_theme().warning ? 1 : 0;
        }
    }
    EXPECT_GT(warned, 40);
    const Rect figure = widget("figure");
    for (int y = static_cast<int>(figure.y); y < static_cast<int>(figure.bottom()); ++y) {
        for (int x = static_cast<int>(figure.x); x < static_cast<int>(figure.right()); ++x) {
            ASSERT_EQ(before.at(x, y), after.at(x, y)) << x << ", " << y;
        }
    }
    click("knob.tau.value");
    person_->type("0.5");
    person_->key("enter");
    EXPECT_TRUE(becomes("tau", 0.5));
}

TEST_F(WindowTest, ThemeAndZoomChangeLive) {
    start();
    const Point ground{widget("figure").x + 6, widget("figure").y + 6};
    EXPECT_EQ(person_->look().at(ground.x, ground.y), light_theme().ground);
    person_->key("t");
    ASSERT_TRUE(program_->wait_for([](const Json& state) { return state.at("theme") == "dark"; }));
    program_->wait_until_still();
    EXPECT_EQ(person_->look().at(ground.x, ground.y), dark_theme().ground);
    const double width = widget("action.theme").width;
    person_->key("ctrl+plus");
    person_->key("ctrl+plus");
    ASSERT_TRUE(program_->wait_for([](const Json& state) { return state.at("scale") > 1.2; }));
    program_->wait_until_still();
    EXPECT_NEAR(widget("action.theme").width, width * 1.21, 3.0);
    person_->key("ctrl+0");
    EXPECT_TRUE(program_->wait_for([](const Json& state) { return state.at("scale") == 1.0; }));
    program_->wait_until_still();
    EXPECT_NEAR(widget("action.theme").width, width, 0.5);
}

TEST_F(WindowTest, CatalogueTabsPaletteAndUndoChangeTheScene) {
    start();
    const auto shows = [&](const char* mechanism, const char* figure) {
        return program_->wait_for([&](const Json& state) {
            return state.at("scene").at("mechanism") == mechanism &&
                   state.at("scene").at("figure") == figure && state.at("current");
        });
    };
    click("figure.recipe");
    EXPECT_TRUE(shows("non-local", "recipe"));
    click("entry.additive");
    EXPECT_TRUE(
        program_->wait_for([](const Json& s) { return s.at("scene").at("mechanism") == "additive"; }));
    person_->key("ctrl+k");
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return s.at("widgets").contains("sheet.text"); }));
    person_->type("scaled");
    person_->key("enter");
    EXPECT_TRUE(
        program_->wait_for([](const Json& s) { return s.at("scene").at("mechanism") == "scaled-dot"; }));
    person_->key("ctrl+z");
    EXPECT_TRUE(
        program_->wait_for([](const Json& s) { return s.at("scene").at("mechanism") == "additive"; }));
    person_->key("ctrl+z");
    EXPECT_TRUE(shows("non-local", "recipe"));
    person_->key("ctrl+z");
    EXPECT_TRUE(shows("non-local", "overlay"));
    person_->key("ctrl+shift+z");
    EXPECT_TRUE(shows("non-local", "recipe"));
}

TEST_F(WindowTest, AnExportedFigureDroppedBackIsTheSameScene) {
    start();
    for (const char* key : {"Right", "Up"}) person_->key(key);
    click("knob.tau.value");
    person_->type("0.42");
    person_->key("enter");
    ASSERT_TRUE(becomes("tau", 0.42));
    const Json scene = program_->state().at("scene");

    person_->key("ctrl+e");
    ASSERT_TRUE(
        program_->wait_for([](const Json& s) { return s.at("widgets").contains("export.format.1"); }));
    program_->wait_until_still();
    click("export.format.1");
    person_->key("ctrl+a");
    person_->type("mine.svg");
    person_->key("enter");
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return s.at("status") == "written: mine.svg"; }));
    const auto written = std::filesystem::last_write_time(folder_ / "mine.svg");

    // A file that is there is asked about: the first Enter replaces nothing.
    person_->key("ctrl+e");
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return s.at("widgets").contains("export.go"); }));
    program_->wait_until_still();
    person_->key("ctrl+a");
    person_->type("mine.svg");
    person_->key("enter");
    program_->wait_until_still();
    EXPECT_TRUE(program_->state().at("widgets").contains("export.go"));
    EXPECT_EQ(std::filesystem::last_write_time(folder_ / "mine.svg"), written);
    person_->key("enter");
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return s.at("status") == "written: mine.svg"; }));
    EXPECT_GT(std::filesystem::last_write_time(folder_ / "mine.svg"), written);

    person_->key("r");
    ASSERT_TRUE(becomes("tau", Json()));
    ASSERT_TRUE(drop_files(person_->display(), person_->window(), {(folder_ / "mine.svg").string()}));
    EXPECT_TRUE(program_->wait_for([&](const Json& s) { return s.at("scene") == scene; }));
    EXPECT_EQ(program_->state().at("status"), "");
}

TEST_F(WindowTest, ABrokenFileIsOneQuietLineAndNothingElse) {
    start();
    const Json scene = program_->state().at("scene");
    const std::filesystem::path broken = folder_ / "broken é 20%.png";
    std::ofstream(broken) << "\x89PNG\r\n\x1a\n but nothing more";
    ASSERT_TRUE(drop_files(person_->display(), person_->window(), {broken.string()}));
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return s.at("warning").get<bool>(); }));
    EXPECT_NE(program_->state().at("status").get<std::string>().find("broken é 20%.png"), std::string::npos);
    EXPECT_EQ(program_->state().at("scene"), scene);
    person_->key("Right");  // the next action takes the line away
    EXPECT_TRUE(program_->wait_for([](const Json& s) { return s.at("status") == ""; }));
}

TEST_F(WindowTest, OpensAFileChosenInTheSheet) {
    std::ofstream(folder_ / "dots.json")
        << R"({"attnscope":1,"figure":"recipe","mechanism":"scaled-dot","input":{},"set":{}})";
    std::filesystem::create_directory(folder_ / "empty");
    start();
    person_->key("ctrl+o");
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return s.at("widgets").contains("line.dots.json"); }));
    EXPECT_TRUE(program_->state().at("widgets").contains("line.empty/.folder"));
    person_->type("dots");
    person_->key("enter");
    EXPECT_TRUE(
        program_->wait_for([](const Json& s) { return s.at("scene").at("mechanism") == "scaled-dot"; }));
}

TEST_F(WindowTest, IdleDrawsNothing) {
    start();
    person_->click(cell("pieces", 4, 4).x, cell("pieces", 4, 4).y);
    program_->wait_until_still();
    const std::size_t frames = program_->frames().size();
    const double cpu = program_->cpu_seconds();
    std::this_thread::sleep_for(2s);
    EXPECT_EQ(program_->frames().size(), frames);
    EXPECT_LE(program_->cpu_seconds() - cpu, 0.02);  // 1 %, in clock ticks of 10 ms
}

TEST_F(WindowTest, PresentsAloneAndComesBack) {
    start();
    person_->key("F5");
    ASSERT_TRUE(program_->wait_for([](const Json& s) { return !s.at("widgets").contains("filter"); }));
    EXPECT_NEAR(program_->state().at("scale").get<double>(), 1.35, 1e-6);
    EXPECT_NEAR(widget("figure").width, 1440, 1);
    person_->key("esc");
    EXPECT_TRUE(program_->wait_for([](const Json& s) { return s.at("widgets").contains("filter"); }));
}

TEST_F(WindowTest, ClosesWithSuccess) {
    start();
    person_->close_window();
    EXPECT_EQ(program_->exit_code(), 0);
}

TEST_F(WindowTest, IsUsableWhenSmall) {
    start({"--size", "1024x700"});
    EXPECT_GT(widget("figure").width, 560);
    EXPECT_TRUE(program_->state().at("widgets").contains("action.export"));
    const Rect rail = widget("knob.column").inset(6);
    person_->click(rail.x + 0.5, rail.centre().y);
    EXPECT_TRUE(program_->wait_for([](const Json& s) { return s.at("query") == 12 * 24; }));
    person_->resize_window(500, 400);
    EXPECT_TRUE(program_->wait_for([](const Json& s) { return !s.at("widgets").contains("filter"); }));
    EXPECT_NEAR(widget("figure").width, 500, 1);
}

/// The median of the frames while the pointer drags τ back and forth without a rest.
double median_frame(Program& program, Person& person, Rect rail, int moves) {
    const std::size_t first = program.frames().size();
    person.move(rail.x + rail.width * 0.5, rail.centre().y);
    person.press();
    for (int i = 0; i < moves; ++i) {
        person.move(rail.x + rail.width * (0.3 + 0.4 * ((i % 20) / 20.0)), rail.centre().y);
    }
    person.release();
    program.wait_until_still();
    std::vector<double> times;
    for (std::size_t i = first; i < program.frames().size(); ++i) {
        times.push_back(program.frames()[i].at("ms").get<double>());
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return times[times.size() / 2];
}

TEST_F(WindowTest, DraggingTemperatureKeepsSixtyFrames) {
    for (const char* grid : {"grid=24", "grid=28"}) {
        start({"--set", "features=random", "--set", "d=64", "--set", grid});
        const auto drag = [&](const char* knob) {
            return median_frame(*program_, *person_, widget(knob).inset(6), 60);
        };
        // What else the machine does only adds: the best of a few drags is the program's own. Where it never
        // rests, the measure is a frame of the same run that computes nothing.
        double best = 1e9;
        double allowed = 1000.0 / 60 * slack();
        for (int i = 0; i < 3 && best >= allowed; ++i) {
            best = std::min(best, drag("knob.tau"));
            if (best >= allowed) allowed = std::max(allowed, 2.5 * drag("knob.opacity"));
        }
        EXPECT_LT(best, allowed) << grid;
        RecordProperty(grid, std::to_string(best));
        program_.reset();
    }
}

}  // namespace
}  // namespace attn::test
