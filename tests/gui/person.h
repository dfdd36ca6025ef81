#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/colour.h"

struct _XDisplay;

namespace attn::test {

/// What is on the screen.
struct Screenshot {
    int width = 0, height = 0;
    std::vector<std::uint32_t> pixels;  ///< 0xRRGGBB
    [[nodiscard]] Colour at(double x, double y) const;
    friend bool operator==(const Screenshot&, const Screenshot&) = default;
};

/// Someone at the virtual display's mouse and keyboard: real events through the XTest extension. Coordinates
/// are pixels of the program's window. Every movement takes as long as a program needs to see it.
class Person {
  public:
    explicit Person(const std::string& display);
    ~Person();
    Person(const Person&) = delete;
    Person& operator=(const Person&) = delete;

    void move(double x, double y);
    void press();
    void release();
    void click(double x, double y);
    void double_click(double x, double y);
    void drag(double x0, double y0, double x1, double y1, int steps = 8);
    void wheel(int notches);  ///< up is positive
    /// "ctrl+shift+z", "F5", "Left".
    void key(std::string_view chord);
    void hold(std::string_view key);
    void let_go(std::string_view key);
    void type(std::string_view ascii);

    Screenshot look();
    /// Asks the window to close, as a window manager would.
    void close_window();
    void resize_window(int width, int height);

    [[nodiscard]] _XDisplay* display() const { return display_.get(); }
    [[nodiscard]] unsigned long window();

  private:
    void send_key(unsigned long symbol, bool down);

    struct Close {
        void operator()(_XDisplay* display) const;
    };
    std::unique_ptr<_XDisplay, Close> display_;
};

}  // namespace attn::test
