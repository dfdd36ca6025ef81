#include "tests/gui/person.h"

#include <X11/XKBlib.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>

#include <chrono>
#include <cmath>
#include <map>
#include <stdexcept>
#include <thread>

namespace attn::test {
namespace {

using namespace std::chrono_literals;

void pause() {
    std::this_thread::sleep_for(40ms);
}

KeySym symbol_of(std::string_view name) {
    static const std::map<std::string_view, KeySym> known = {{"ctrl", XK_Control_L}, {"shift", XK_Shift_L},
                                                             {"enter", XK_Return},   {"esc", XK_Escape},
                                                             {"plus", XK_equal},     {"space", XK_space}};
    if (const auto at = known.find(name); at != known.end()) return at->second;
    return XStringToKeysym(std::string(name).c_str());
}

Window find_window(Display* display, Window parent) {
    Window root = 0;
    Window above = 0;
    Window* children = nullptr;
    unsigned count = 0;
    Window found = 0;
    if (XQueryTree(display, parent, &root, &above, &children, &count) == 0) return 0;
    for (unsigned i = 0; i < count && found == 0; ++i) {
        XClassHint hint{};
        XWindowAttributes attributes{};
        if (XGetClassHint(display, children[i], &hint) != 0) {
            const bool ours = std::string_view(hint.res_class) == "attnscope";
            XFree(hint.res_name);
            XFree(hint.res_class);
            XGetWindowAttributes(display, children[i], &attributes);
            if (ours && attributes.map_state == IsViewable) found = children[i];
        }
        if (found == 0) found = find_window(display, children[i]);
    }
    if (children != nullptr) XFree(children);
    return found;
}

}  // namespace

Colour Screenshot::at(double x, double y) const {
    const auto column = static_cast<std::size_t>(std::lround(x));
    const auto row = static_cast<std::size_t>(std::lround(y));
    return rgb(pixels.at(row * static_cast<std::size_t>(width) + column));
}

void Person::Close::operator()(_XDisplay* display) const {
    XCloseDisplay(display);
}

Person::Person(const std::string& display) : display_(XOpenDisplay(display.c_str())) {
    if (!display_) throw std::runtime_error("cannot open the display " + display);
}

Person::~Person() = default;

unsigned long Person::window() {
    const Window found = find_window(display_.get(), DefaultRootWindow(display_.get()));
    if (found == 0) throw std::runtime_error("no window of attnscope on the display");
    return found;
}

void Person::move(double x, double y) {
    int root_x = 0;
    int root_y = 0;
    Window child = 0;
    XTranslateCoordinates(display_.get(), window(), DefaultRootWindow(display_.get()),
                          static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)), &root_x,
                          &root_y, &child);
    XTestFakeMotionEvent(display_.get(), -1, root_x, root_y, 0);
    XSync(display_.get(), False);
    pause();
}

void Person::press() {
    XTestFakeButtonEvent(display_.get(), 1, True, 0);
    XSync(display_.get(), False);
    pause();
}

void Person::release() {
    XTestFakeButtonEvent(display_.get(), 1, False, 0);
    XSync(display_.get(), False);
    pause();
}

void Person::click(double x, double y) {
    move(x, y);
    press();
    release();
}

void Person::double_click(double x, double y) {
    move(x, y);
    for (const bool down : {true, false, true, false}) {
        XTestFakeButtonEvent(display_.get(), 1, down ? True : False, 0);
        XSync(display_.get(), False);
        std::this_thread::sleep_for(20ms);
    }
    pause();
}

void Person::drag(double x0, double y0, double x1, double y1, int steps) {
    move(x0, y0);
    press();
    for (int i = 1; i <= steps; ++i) move(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
    release();
}

void Person::wheel(int notches) {
    for (int i = 0; i < std::abs(notches); ++i) {
        const unsigned button = notches > 0 ? 4 : 5;
        XTestFakeButtonEvent(display_.get(), button, True, 0);
        XTestFakeButtonEvent(display_.get(), button, False, 0);
        XSync(display_.get(), False);
        pause();
    }
}

void Person::send_key(unsigned long symbol, bool down) {
    const KeyCode code = XKeysymToKeycode(display_.get(), symbol);
    if (code == 0) throw std::runtime_error("no such key on this keyboard");
    XTestFakeKeyEvent(display_.get(), code, down ? True : False, 0);
    XSync(display_.get(), False);
    std::this_thread::sleep_for(15ms);  // GLFW drops a second press in the same millisecond
}

void Person::key(std::string_view chord) {
    std::vector<KeySym> keys;
    for (std::size_t at = 0; at < chord.size();) {
        const std::size_t end = std::min(chord.find('+', at), chord.size());
        keys.push_back(symbol_of(chord.substr(at, end - at)));
        at = end + 1;
    }
    for (const KeySym one : keys) send_key(one, true);
    for (auto one = keys.rbegin(); one != keys.rend(); ++one) send_key(*one, false);
    pause();
}

void Person::hold(std::string_view key) {
    send_key(symbol_of(key), true);
}
void Person::let_go(std::string_view key) {
    send_key(symbol_of(key), false);
}

void Person::type(std::string_view ascii) {
    for (const char character : ascii) {
        const auto symbol =
            static_cast<KeySym>(static_cast<unsigned char>(character));  // Latin-1 is its own keysym
        const KeyCode code = XKeysymToKeycode(display_.get(), symbol);
        const bool shifted = XkbKeycodeToKeysym(display_.get(), code, 0, 0) != symbol;
        if (shifted) send_key(XK_Shift_L, true);
        send_key(symbol, true);
        send_key(symbol, false);
        if (shifted) send_key(XK_Shift_L, false);
    }
    pause();
}

Screenshot Person::look() {
    const Window target = window();
    XWindowAttributes attributes{};
    XGetWindowAttributes(display_.get(), target, &attributes);
    XImage* image = XGetImage(display_.get(), target, 0, 0, static_cast<unsigned>(attributes.width),
                              static_cast<unsigned>(attributes.height), AllPlanes, ZPixmap);
    if (image == nullptr) throw std::runtime_error("no picture of the window");
    Screenshot shot{attributes.width, attributes.height, {}};
    shot.pixels.reserve(static_cast<std::size_t>(shot.width) * static_cast<std::size_t>(shot.height));
    for (int y = 0; y < shot.height; ++y) {
        for (int x = 0; x < shot.width; ++x) {
            shot.pixels.push_back(static_cast<std::uint32_t>(XGetPixel(image, x, y)) & 0xFFFFFFU);
        }
    }
    XDestroyImage(image);
    return shot;
}

void Person::close_window() {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = window();
    event.xclient.message_type = XInternAtom(display_.get(), "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(XInternAtom(display_.get(), "WM_DELETE_WINDOW", False));
    XSendEvent(display_.get(), window(), False, NoEventMask, &event);
    XSync(display_.get(), False);
}

void Person::resize_window(int width, int height) {
    XResizeWindow(display_.get(), window(), static_cast<unsigned>(width), static_cast<unsigned>(height));
    XSync(display_.get(), False);
}

}  // namespace attn::test
