#include "tests/gui/window_fixture.h"

#include <cstdlib>
#include <stdexcept>

namespace attn::test {

WindowTest::WindowTest() : WindowTest(Size{1440, 900}) {}

WindowTest::WindowTest(Size screen)
    : server_(static_cast<int>(screen.width), static_cast<int>(screen.height)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "attnscope-window-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    person_ = std::make_unique<Person>(server_.display());
}

WindowTest::~WindowTest() {
    program_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void WindowTest::start(std::vector<std::string> arguments) {
    program_ = std::make_unique<Program>(server_.display(), folder_, std::move(arguments));
    ASSERT_TRUE(
        program_->wait_for([](const Json& state) { return state.at("frame") >= 2 && state.at("current"); }));
    program_->wait_until_still();
}

Rect WindowTest::widget(const std::string& id) {
    const Json& widgets = program_->state().at("widgets");
    if (!widgets.contains(id)) {
        ADD_FAILURE() << "no widget " << id << " among " << widgets.dump();
        return {};
    }
    const Json& box = widgets.at(id);
    return {box[0], box[1], box[2], box[3]};
}

void WindowTest::click(const std::string& id) {
    const Point at = widget(id).centre();
    person_->click(at.x, at.y);
    program_->wait_until_still();
}

Point WindowTest::cell(const std::string& role, int row, int column) {
    for (const Json& hit : program_->state().at("hits")) {
        if (hit.at("role") != role) continue;
        const Json& box = hit.at("rect");
        return {
            box[0].get<double>() + box[2].get<double>() * (column + 0.5) / hit.at("columns").get<double>(),
            box[1].get<double>() + box[3].get<double>() * (row + 0.5) / hit.at("rows").get<double>()};
    }
    ADD_FAILURE() << "no part of the figure has the role " << role;
    return {};
}

bool WindowTest::becomes(const std::string& knob, const Json& value) {
    return program_->wait_for([&](const Json&) { return program_->knob(knob) == value; });
}

}  // namespace attn::test
