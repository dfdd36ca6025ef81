#include "app/theme.h"

#include <string>

#include "core/error.h"

namespace attn {
namespace {

/// Darkened until it can be read on white (WCAG 2, 4.5 : 1).
Colour for_print(Colour colour) {
    constexpr double readable = 4.5;
    constexpr int steps = 50;
    for (int i = 0; i < steps; ++i) {
        const Colour darker = mix(colour, rgb(0x000000), static_cast<double>(i) / steps);
        if (contrast(darker, rgb(0xFFFFFF)) >= readable) return darker;
    }
    return rgb(0x000000);
}

Theme make_light() {
    Theme theme;
    theme.id = "light";
    theme.ground = rgb(0xF7F7F5);
    theme.panel = rgb(0xFFFFFF);
    theme.ink = rgb(0x1A1E23);
    theme.muted = rgb(0x5C6570);
    theme.hairline = rgb(0xE2E4E7);
    theme.unseen = rgb(0xE9EBED);
    theme.query = rgb(0xD9480F);
    theme.bar = rgb(0x2E6F8E);
    theme.warning = rgb(0xB4122B);
    return theme;
}

Theme make_dark() {
    Theme theme;
    theme.id = "dark";
    theme.ground = rgb(0x121518);
    theme.panel = rgb(0x191D21);
    theme.ink = rgb(0xE9ECEF);
    theme.muted = rgb(0x9BA4AE);
    theme.hairline = rgb(0x2A3036);
    theme.unseen = rgb(0x262B31);
    theme.query = rgb(0xFF8A4C);
    theme.bar = rgb(0x6AA5C4);
    theme.warning = rgb(0xFF6B7A);
    theme.dark = true;
    return theme;
}

Theme make_print() {
    Theme theme = make_light();
    theme.id = "print";
    theme.ground = rgb(0xFFFFFF);
    theme.panel = rgb(0xFFFFFF);
    theme.ink = rgb(0x000000);
    theme.muted = rgb(0x4A4A4A);
    theme.hairline = rgb(0xC9CCCF);
    theme.query = for_print(theme.query);
    theme.bar = for_print(theme.bar);
    theme.warning = for_print(theme.warning);
    return theme;
}

/// What no ramp has: broken numbers look broken on every ground.
Colouring broken_cells() {
    Colouring colouring;
    colouring.nan = rgb(0xE83FB8);
    colouring.plus_infinity = rgb(0x00E0FF);
    colouring.minus_infinity = rgb(0x7A5A10);
    return colouring;
}

}  // namespace

const Theme& light_theme() {
    static const Theme theme = make_light();
    return theme;
}

const Theme& dark_theme() {
    static const Theme theme = make_dark();
    return theme;
}

const Theme& print_theme() {
    static const Theme theme = make_print();
    return theme;
}

const Theme& theme(std::string_view id) {
    for (const Theme* each : {&light_theme(), &dark_theme(), &print_theme()})
        if (each->id == id) return *each;
    throw UsageError("expected the theme light, dark or print, got '" + std::string(id) + "'");
}

Colouring weight_colouring(const Theme& theme) {
    Colouring colouring = broken_cells();
    colouring.ramp = &viridis();
    colouring.masked = theme.unseen;
    return colouring;
}

Colouring score_colouring(const Theme& theme) {
    Colouring colouring = broken_cells();
    colouring.ramp = &blue_red();
    colouring.range.kind = Range::Kind::symmetric;
    // On light ground an unseen cell is nearly the white of the ramp's middle: a step towards the ink parts
    // them.
    colouring.masked = theme.dark ? theme.unseen : mix(theme.unseen, theme.ink, 0.25);
    return colouring;
}

}  // namespace attn
