#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/gui/ui.h"

namespace attn {

/// A slider as the panel shows it: name, value, and a rail with a ring at `share` (0…1).
struct SliderLook {
    std::string id;
    std::string label;
    std::string value;
    double share = 0.0;
    Colour accent;  ///< of the rail up to the ring, and of the ring
    bool enabled = true;
    bool rejected = false;  ///< the typed value was illegal: everything turns to the warning colour
    std::string help;       ///< while hovered
};

struct SliderEvent {
    std::optional<double> share;  ///< dragged to
    bool reset = false;           ///< double-clicked
    double steps = 0.0;           ///< the wheel's
    bool released = false;
    std::optional<std::string> typed;
};

inline constexpr double slider_height = 43;
inline constexpr double segment_height = 27;

/// Draws the slider in the strip of that width at `at`, slider_height tall.
SliderEvent slider(Ui& ui, Point at, double width, const SliderLook& look);

struct SegmentEvent {
    std::optional<std::size_t> hovered, clicked;
};
/// One row of choices when all labels fit, else rows of equal columns.
SegmentEvent segments(Ui& ui, std::string_view id, Rect area, std::span<const std::string> labels,
                      std::optional<std::size_t> selected, bool enabled = true);
/// How many columns the labels need and how tall `segments` is in that width.
std::size_t segment_columns(const Fonts& fonts, std::span<const std::string> labels, double width);
double segments_height(const Fonts& fonts, std::span<const std::string> labels, double width);

/// A switch at the right end of a row with its label at the left; true when it was clicked.
bool toggle(Ui& ui, std::string_view id, Rect row, std::string_view label, bool on, bool enabled = true);

/// A framed single-line field. `hint` stands in it while it is empty.
FieldEvent text_field(Ui& ui, std::string_view id, Rect area, const std::string& text,
                      std::string_view hint = {}, bool rejected = false);

/// A framed push button; `strong` for the one that Enter presses.
bool button(Ui& ui, std::string_view id, Rect area, std::string_view label, bool strong = false);

/// A small-capital section head; returns its height.
double section_head(Ui& ui, Point at, std::string_view title);

}  // namespace attn
