#include "tests/gui/xdnd.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <chrono>
#include <thread>

namespace attn::test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// file:// with every byte but the plain ones percent-encoded, one a line.
std::string uri_list(const std::vector<std::string>& paths) {
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string list;
    for (const std::string& path : paths) {
        list += "file://";
        for (const char character : path) {
            const auto byte = static_cast<unsigned char>(character);
            if (plain.find(character) != std::string_view::npos) {
                list += character;
            } else {
                list += {'%', hex[byte >> 4U], hex[byte & 15U]};
            }
        }
        list += "\r\n";
    }
    return list;
}

class Source {
  public:
    Source(Display* display, Window target)
        : display_(display),
          target_(target),
          window_(XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)) {
        XSetSelectionOwner(display, atom("XdndSelection"), window_, CurrentTime);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source() { XDestroyWindow(display_, window_); }

    [[nodiscard]] Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

    void send(const char* type, long a, long b, long c, long d) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = target_;
        event.xclient.message_type = atom(type);
        event.xclient.format = 32;
        const long data[] = {static_cast<long>(window_), a, b, c, d};
        for (int i = 0; i < 5; ++i) event.xclient.data.l[i] = data[i];
        XSendEvent(display_, target_, False, NoEventMask, &event);
        XFlush(display_);
    }

    /// Answers requests for the list until that message comes.
    bool wait(const char* type, const std::string& list) {
        for (const auto end = Clock::now() + 10s; Clock::now() < end; std::this_thread::sleep_for(5ms)) {
            while (XPending(display_) > 0) {
                XEvent event;
                XNextEvent(display_, &event);
                if (event.type == SelectionRequest) answer(event.xselectionrequest, list);
                if (event.type == ClientMessage && event.xclient.message_type == atom(type)) return true;
            }
        }
        return false;
    }

  private:
    void answer(const XSelectionRequestEvent& request, const std::string& list) {
        XChangeProperty(display_, request.requestor, request.property, request.target, 8, PropModeReplace,
                        reinterpret_cast<const unsigned char*>(list.data()), static_cast<int>(list.size()));
        XEvent event{};
        event.xselection.type = SelectionNotify;
        event.xselection.requestor = request.requestor;
        event.xselection.selection = request.selection;
        event.xselection.target = request.target;
        event.xselection.property = request.property;
        event.xselection.time = request.time;
        XSendEvent(display_, request.requestor, False, NoEventMask, &event);
        XFlush(display_);
    }

    Display* display_;
    Window target_;
    Window window_;
};

}  // namespace

bool drop_files(_XDisplay* display, unsigned long target, const std::vector<std::string>& paths) {
    const std::string list = uri_list(paths);
    Source source(display, target);
    constexpr long version = 5L << 24;
    constexpr long middle = (300L << 16) | 300L;
    source.send("XdndEnter", version, static_cast<long>(source.atom("text/uri-list")), 0, 0);
    source.send("XdndPosition", 0, middle, CurrentTime, static_cast<long>(source.atom("XdndActionCopy")));
    if (!source.wait("XdndStatus", list)) return false;
    source.send("XdndDrop", 0, CurrentTime, 0, 0);
    return source.wait("XdndFinished", list);
}

}  // namespace attn::test
