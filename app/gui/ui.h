#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas.h"
#include "app/gui/imgui_canvas.h"
#include "app/gui/text_edit.h"
#include "app/theme.h"

namespace attn {

/// What the pointer does to one area, in this frame.
struct Touch {
    bool hovered = false;
    bool pressed = false;   ///< the button went down here
    bool held = false;      ///< it went down here and is still down
    bool released = false;  ///< it was let go, wherever
    bool clicked = false;   ///< and went up here
    bool doubled = false;
};

enum class Cursor { arrow, hand, text };

/// What the widgets remember between frames.
struct UiState {
    enum class Outcome { none, submitted, cancelled };

    std::string focus;  ///< id of the text field that has the keyboard, empty for none
    TextEdit edit;
    Outcome outcome = Outcome::none;
    bool focus_seen = false;  ///< the field was drawn in this frame

    struct Drag {
        std::string id;
        double share = 0.0;
        double x = 0.0;
    } drag;

    std::string help;                   ///< one line about what is hovered, for the status line
    std::string tip;                    ///< one line at the pointer
    std::map<std::string, Rect> areas;  ///< every area that was touchable in this frame, in pixels
    struct Ground {
        Rect area;  ///< pixels
        Colour colour;
    };
    std::vector<Ground> grounds;  ///< of this frame, to be painted under everything

    /// Gives a text field the keyboard, with all of its text selected.
    void focus_on(std::string id, std::string text);
    void blur();
    /// Typing into the field that has the keyboard; false where the keystroke is somebody else's.
    bool handle(const Keystroke& stroke);
};

/// What came of a text field in this frame.
struct FieldEvent {
    bool changed = false;
    bool submitted = false;  ///< Enter, or a click elsewhere
    bool cancelled = false;
    std::string text;
};

/// One layer of the window for the time of a frame: a canvas to draw on and areas that answer to the pointer.
/// All coordinates are points of the window.
class Ui {
  public:
    /// Layers cover the whole window; a later one lies above an earlier one and takes its pointer away.
    Ui(std::string_view layer, bool raise, Size window, UiState& state, DrawStore& store, const Theme& theme,
       double scale);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    Canvas& canvas() { return *canvas_; }
    [[nodiscard]] const Fonts& fonts() const { return canvas_->fonts(); }
    [[nodiscard]] const Theme& theme() const { return *theme_; }
    UiState& state() { return *state_; }
    [[nodiscard]] Size window() const { return window_; }

    Touch touch(std::string_view id, Rect area, Cursor cursor = Cursor::arrow);
    [[nodiscard]] Point pointer() const;
    [[nodiscard]] static bool shift();
    [[nodiscard]] static bool control();
    [[nodiscard]] static bool dragging();  ///< the pointer's button is down
    /// Notches of the wheel over the area, up is positive; the first area to ask gets them.
    [[nodiscard]] double take_wheel(Rect area) const;

    /// What is drawn while it lives stays inside the area.
    class Clip {
      public:
        Clip(Rect area, double scale);
        ~Clip();
        Clip(const Clip&) = delete;
        Clip& operator=(const Clip&) = delete;
    };
    [[nodiscard]] Clip clip(Rect area) const { return {area, scale_}; }

    /// An opaque ground under all that is drawn. Half the window is panels: painted so, they cost a software
    /// renderer a tenth of what quads of a textured and blended draw list do.
    void ground(Rect area, Colour colour);

    /// The area is painted in that colour already; whoever fills all of it with the same first may be spared.
    void expect_ground(Rect area, Colour colour) { canvas_->set_ground(area, colour); }

    /// Text whose capitals are centred on y.
    void text(double x, double centre_y, std::string_view utf8, Type type, Colour colour,
              Align align = Align::left);

  private:
    UiState* state_;
    const Theme* theme_;
    Size window_;
    double scale_;
    std::unique_ptr<ImguiCanvas> canvas_;
};

/// Draws one line above everything, beside the pointer.
void draw_tip(std::string_view text, Size window, DrawStore& store, const Theme& theme, double scale);

}  // namespace attn
