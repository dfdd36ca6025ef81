#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/canvas.h"
#include "tests/gui/person.h"
#include "tests/gui/program.h"
#include "tests/gui/x_server.h"

namespace attn::test {

/// The real program in a real window on a virtual display, in a folder of its own.
class WindowTest : public ::testing::Test {
  protected:
    WindowTest();
    ~WindowTest() override;

    /// Starts the program and waits until its first picture stands.
    void start(std::vector<std::string> arguments = {});
    /// The pixels of a widget; the test fails when there is none of that name.
    Rect widget(const std::string& id);
    void click(const std::string& id);
    /// The middle of a cell of the first hit of that role.
    Point cell(const std::string& role, int row, int column);
    /// Waits until the knob has that value.
    bool becomes(const std::string& knob, const Json& value);

    XServer server_;
    std::filesystem::path folder_;
    std::unique_ptr<Person> person_;
    std::unique_ptr<Program> program_;

    explicit WindowTest(Size screen);
};

}  // namespace attn::test
