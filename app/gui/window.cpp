#include "app/gui/window.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/gui/actions.h"
#include "app/gui/gl/screen.h"
#include "app/gui/panels.h"
#include "app/gui/report.h"
#include "app/gui/sheets.h"
#include "app/gui/ui.h"
#include "app/gui/workbench.h"
#include "backends/imgui_impl_glfw.h"
#include "backends/imgui_impl_opengl3.h"
#include "core/error.h"
#include "imgui.h"

namespace attn {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double present_zoom = 1.35;
/// Frames until the picture is still after an event: a hover, a layout that follows from it, and one to be
/// sure.
constexpr int frames_after_event = 3;
constexpr std::chrono::microseconds frame_time{16667};

/// What came in since the last frame.
struct Events {
    std::vector<Keystroke> strokes;
    std::vector<std::string> dropped;
    bool any = true;
};

/// GLFW for as long as the window lives.
class Platform {
  public:
    Platform() {
        if (glfwInit() != GLFW_TRUE) {
            throw Error("no display: the window needs one; use `attnscope render` to write figures without");
        }
    }
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;
    ~Platform() { glfwTerminate(); }
};

struct CloseWindow {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using Handle = std::unique_ptr<GLFWwindow, CloseWindow>;

double content_scale() {
    float x = 1.0F;
    float y = 1.0F;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) glfwGetMonitorContentScale(monitor, &x, &y);
    return std::max(0.5, static_cast<double>(x));
}

/// Hidden until the first frame is drawn. The size is in pixels, kept within the display.
Handle open_window(double width, double height) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "attnscope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "attnscope");
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
        int x = 0;
        int y = 0;
        int most_width = 0;
        int most_height = 0;
        glfwGetMonitorWorkarea(monitor, &x, &y, &most_width, &most_height);
        if (most_width > 0) width = std::min(width, static_cast<double>(most_width));
        if (most_height > 0) height = std::min(height, static_cast<double>(most_height));
    }
    Handle window(
        glfwCreateWindow(static_cast<int>(width), static_cast<int>(height), "attnscope", nullptr, nullptr));
    if (!window) throw Error("no window: the display offers no OpenGL 3.3; use `attnscope render`");
    glfwMakeContextCurrent(window.get());
    gl::load(glfwGetProcAddress);
    glfwSwapInterval(1);
    return window;
}

Events& events_of(GLFWwindow* window) {
    return *static_cast<Events*>(glfwGetWindowUserPointer(window));
}

/// Callbacks are C: nothing may be thrown through them. What they record is small; without memory it is
/// dropped.
template <typename Record>
void record(GLFWwindow* window, Record&& what) noexcept {
    try {
        Events& events = events_of(window);
        events.any = true;
        what(events);
    } catch (const std::bad_alloc&) {
        return;
    }
}

void install_callbacks(GLFWwindow* window, Events& events) {
    glfwSetWindowUserPointer(window, &events);
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
        record(w, [&](Events& e) {
            if (action != GLFW_RELEASE && key != GLFW_KEY_UNKNOWN)
                e.strokes.push_back({key, mods, 0, action == GLFW_REPEAT});
        });
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
        record(w, [&](Events& e) { e.strokes.push_back({.character = character}); });
    });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
        record(w, [&](Events& e) { e.dropped.assign(paths, paths + count); });
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { record(w, [](Events&) {}); });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { record(w, [](Events&) {}); });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { record(w, [](Events&) {}); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { record(w, [](Events&) {}); });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { record(w, [](Events&) {}); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { record(w, [](Events&) {}); });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { record(w, [](Events&) {}); });
}

/// Dear ImGui with its two back ends.
class Gui {
  public:
    explicit Gui(GLFWwindow* window) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.LogFilename = nullptr;
        io.MouseDoubleClickTime = 0.4F;
        ImGuiStyle& style = ImGui::GetStyle();
        style.WindowPadding = {0.0F, 0.0F};
        style.WindowBorderSize = 0.0F;
        style.WindowRounding = 0.0F;
        style.ItemSpacing = {0.0F, 0.0F};
        ImGui_ImplGlfw_InitForOpenGL(window, true);
        ImGui_ImplOpenGL3_Init("#version 330 core");
    }
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;
    ~Gui() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }
};

/// The window's loop and what it holds. Members are destroyed in reverse: textures before their context.
class Application {
  public:
    explicit Application(const WindowOptions& options);
    int run();

  private:
    void take_input();
    void draw();
    void draw_layers();
    template <typename Part>
    void attempt(Part&& part);
    void follow_state();
    void wait_for_next_frame();

    Report report_;
    Platform platform_;
    double base_scale_;
    double scale_ = 1.0;  ///< of this frame: pixels per point
    Workbench bench_;
    Events events_;
    Handle window_;
    Gui gui_;
    DrawStore store_;
    UiState ui_;
    PanelState panels_;
    SheetState sheets_;
    std::string title_;
    bool full_screen_ = false;
    struct {
        int x = 0, y = 0, width = 0, height = 0;
    } restored_;  ///< before full screen
    Clock::time_point next_frame_ = Clock::now();
    Clock::time_point run_begin_ = Clock::now();
    int run_frames_ = 0;
};

Application::Application(const WindowOptions& options)
    : report_(options.report),
      base_scale_(options.zoom > 0 ? options.zoom : content_scale()),
      bench_(options.scene, std::make_shared<const Fonts>(), [] { glfwPostEmptyEvent(); }),
      window_(open_window(options.width * base_scale_, options.height * base_scale_)),
      gui_((install_callbacks(window_.get(), events_), window_.get())),
      store_(bench_.fonts(), base_scale_) {
    if (!options.theme.empty()) bench_.theme = &theme(options.theme);
    if (!options.notice.empty()) bench_.warn(options.notice);
}

void Application::take_input() {
    for (const Keystroke& stroke : std::exchange(events_.strokes, {})) {
        if (handle_in_sheet(stroke, bench_, sheets_)) continue;
        if (ui_.handle(stroke)) continue;
        try {
            if (const Action* action = action_for(stroke, bench_)) action->run(bench_);
        } catch (const Error& error) {
            bench_.warn(error.what());
        }
    }
    const std::vector<std::string> dropped = std::exchange(events_.dropped, {});
    if (!dropped.empty()) bench_.open(dropped.front());
}

/// Draws one part. What it throws (a picture too large for the display, memory that is short) becomes a quiet
/// line, and the rest of the window stays alive.
template <typename Part>
void Application::attempt(Part&& part) {
    try {
        part();
    } catch (const std::exception& failure) {
        bench_.warn(failure.what());
    }
}

void Application::draw_layers() {
    const ImVec2 pixels = ImGui::GetIO().DisplaySize;
    const Size size{static_cast<double>(pixels.x) / scale_, static_cast<double>(pixels.y) / scale_};
    const Regions parts = regions(size, bench_.presenting, bench_.subject() != Subject::none);
    {
        Ui ui("window", false, size, ui_, store_, *bench_.theme, scale_);
        if (!bench_.presenting) {
            attempt([&] { draw_top_bar(ui, bench_, parts.top); });
            attempt([&] { draw_catalogue(ui, bench_, panels_, parts.catalogue); });
            attempt([&] { draw_knobs(ui, bench_, panels_, parts.knobs); });
        }
        attempt([&] { draw_figure(ui, bench_, panels_, parts.figure); });
        if (!bench_.presenting) draw_status(ui, bench_, panels_, parts.status);
    }
    attempt([&] { draw_sheet(bench_, sheets_, ui_, store_, size, scale_); });
    if (!ui_.tip.empty()) draw_tip(ui_.tip, size, store_, *bench_.theme, scale_);
}

void Application::draw() {
    const auto begin = Clock::now();
    take_input();
    scale_ = base_scale_ * bench_.zoom * (bench_.presenting ? present_zoom : 1.0);
    store_.begin_frame(scale_);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    ui_.areas.clear();
    ui_.grounds.clear();
    ui_.help.clear();
    ui_.tip.clear();
    ui_.focus_seen = false;
    const Theme& drawn = *bench_.theme;
    draw_layers();
    store_.end_frame();
    if (!ui_.focus_seen) ui_.blur();
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) ui_.drag.id.clear();
    ImGui::Render();
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window_.get(), &width, &height);
    gl::clear(width, height, drawn.ground);
    for (const auto& [area, colour] : ui_.grounds) {
        gl::clear_part(height, static_cast<int>(area.x), static_cast<int>(area.y),
                       static_cast<int>(area.width), static_cast<int>(area.height), colour);
    }
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_.get());
    const std::chrono::duration<double, std::milli> taken = Clock::now() - begin;
    report_.add({bench_, panels_.hits, ui_.areas, scale_, taken.count()});
}

/// What the bench asks of the window itself.
void Application::follow_state() {
    if (bench_.closing) glfwSetWindowShouldClose(window_.get(), GLFW_TRUE);
    const std::string title = name_of(bench_.scene()) + " – attnscope";
    if (title != title_) glfwSetWindowTitle(window_.get(), title.c_str());
    title_ = title;
    if (bench_.full_screen == full_screen_) return;
    full_screen_ = bench_.full_screen;
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return;
    if (full_screen_) {
        glfwGetWindowPos(window_.get(), &restored_.x, &restored_.y);
        glfwGetWindowSize(window_.get(), &restored_.width, &restored_.height);
        glfwSetWindowMonitor(window_.get(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    } else {
        glfwSetWindowMonitor(window_.get(), nullptr, restored_.x, restored_.y, restored_.width,
                             restored_.height, GLFW_DONT_CARE);
    }
}

/// At most 60 frames a second, whatever the display's swap does; keeps count of them.
void Application::wait_for_next_frame() {
    const auto now = Clock::now();
    next_frame_ = std::max(next_frame_ + frame_time, now - frame_time);
    std::this_thread::sleep_until(next_frame_);
    ++run_frames_;
    const std::chrono::duration<double> run = Clock::now() - run_begin_;
    constexpr int enough = 10;  // a single event's three frames say nothing about speed
    if (run.count() < 0.5 || run_frames_ < enough) return;
    panels_.frames_per_second = run_frames_ / run.count();
    run_frames_ = 0;
    run_begin_ = Clock::now();
}

int Application::run() {
    draw();
    glfwShowWindow(window_.get());
    int wanted = frames_after_event;
    while (glfwWindowShouldClose(window_.get()) == GLFW_FALSE) {
        if (wanted > 0) {
            glfwPollEvents();
        } else {
            glfwWaitEvents();
            events_.any = true;
            run_frames_ = 0;
            run_begin_ = next_frame_ = Clock::now();
        }
        wanted = std::exchange(events_.any, false) || store_.incomplete() ? frames_after_event : wanted - 1;
        draw();
        follow_state();
        wait_for_next_frame();
    }
    return 0;
}

}  // namespace

int run_window(const WindowOptions& options) {
    return Application(options).run();
}

}  // namespace attn
