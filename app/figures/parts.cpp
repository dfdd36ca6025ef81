#include "app/figures/parts.h"

#include <algorithm>

namespace attn {
namespace {

constexpr double tile_height = 47.0;
constexpr double tile_gap = 34.0;
constexpr double tile_row_gap = 6.0;
constexpr double least_tile = 84.0;
// A low page keeps its pictures and drops what is only said: the misreading first, then where the input came
// from.
constexpr double height_for_misreading = 640.0;
constexpr double height_for_foot = 420.0;

double tile_width(const Canvas& canvas, const Tile& tile) {
    return std::max({least_tile, canvas.text_width(tile.number, Type::tile),
                     canvas.text_width(tile.caption, Type::caption)});
}

/// Where each tile stands, from the room's top left: close together in one row, else in columns.
std::vector<Point> tile_places(const Canvas& canvas, double room, const std::vector<Tile>& all) {
    std::vector<Point> places;
    double x = 0.0;
    double widest = 0.0;
    for (const Tile& tile : all) {
        const double across = tile_width(canvas, tile);
        places.push_back({x, 0.0});
        x += across + tile_gap;
        widest = std::max(widest, across);
    }
    if (x - tile_gap <= room) return places;
    const double pitch = widest + 0.7 * tile_gap;
    const auto columns = static_cast<std::size_t>(std::max(1.0, (room + pitch - widest) / pitch));
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t row = i / columns;
        places[i] = {pitch * static_cast<double>(i % columns),
                     (tile_height + tile_row_gap) * static_cast<double>(row)};
    }
    return places;
}

/// Title and source, on one line where they fit; returns the baseline of the last.
double title(Canvas& canvas, const Page& page, Rect room) {
    const Mechanism& shown = *page.result.mechanism;
    const double gap = 14.0;
    const double across = canvas.text_width(shown.title, Type::title);
    double baseline = room.y + cap_height(Type::title);
    canvas.text({room.x, baseline}, canvas.fonts().fit(shown.title, Type::title, room.width),
                {Type::title, page.theme.ink});
    const TextStyle quiet{Type::body, page.theme.muted};
    if (across + gap + canvas.text_width(shown.source, Type::body) <= room.width) {
        canvas.text({room.x + across + gap, baseline}, shown.source, quiet);
    } else {
        baseline = paragraph(canvas, {room.x, baseline + 21.0}, room.width, shown.source, quiet);
    }
    return baseline;
}

/// What stands at the bottom; returns its top.
double foot(Canvas& canvas, const Page& page, Rect room, std::string_view warning) {
    double top = room.bottom();
    const auto line = [&](std::string_view text, Colour colour) {
        if (text.empty()) return;
        const std::vector<std::string> lines = canvas.fonts().wrap(text, Type::label, room.width);
        top -= static_cast<double>(lines.size()) * Fonts::line_height(Type::label);
        paragraph(canvas, {room.x, top + Fonts::em(Type::label)}, room.width, text, {Type::label, colour});
    };
    if (page.area.height >= height_for_foot) line(page.result.said, page.theme.muted);
    line(warning, page.theme.warning);
    return top;
}

}  // namespace

double widest_gap(double panel_width) {
    return std::max(64.0, 0.5 * panel_width);
}

double cap_height(Type type) {
    return 0.727 * Fonts::em(type);
}

double middle_baseline(double top, double height, Type type) {
    return top + (height + cap_height(type)) / 2;
}

double paragraph(Canvas& canvas, Point baseline, double room, std::string_view text, const TextStyle& style) {
    bool first = true;
    for (const std::string& line : canvas.fonts().wrap(text, style.type, room)) {
        if (!first) baseline.y += Fonts::line_height(style.type);
        first = false;
        canvas.text(baseline, line, style);
    }
    return baseline.y;
}

void text_on_ground(Canvas& canvas, const Theme& theme, Point baseline, std::string_view text,
                    const TextStyle& style) {
    const double across = canvas.text_width(text, style.type);
    const double shift = style.align == Align::left ? 0.0 : style.align == Align::centre ? 0.5 : 1.0;
    const double height = cap_height(style.type);
    canvas.fill({baseline.x - shift * across - 2.0, baseline.y - height - 2.0, across + 4.0, height + 4.0},
                theme.ground);
    canvas.text(baseline, text, style);
}

Rect sheet(Canvas& canvas, const Page& page, std::string_view warning) {
    canvas.fill(page.area, page.theme.ground);
    const Rect room = page.area.inset(page_margin);
    double last = title(canvas, page, room);
    if (!page.result.see.empty())
        last = paragraph(canvas, {room.x, last + 24.0}, room.width, page.result.see,
                         {Type::lead, page.theme.muted});
    if (page.area.height >= height_for_misreading && !page.result.misreading.empty())
        last = paragraph(canvas, {room.x, last + 19.0}, room.width, page.result.misreading,
                         {Type::caption, page.theme.muted});
    const double bottom = foot(canvas, page, room, warning) - 8.0;
    const double top = last + 24.0;
    return {room.x, top, room.width, std::max(bottom - top, 0.0)};
}

void caption(Canvas& canvas, const Theme& theme, double left, double right, double top, const Caption& text) {
    const double baseline = top + cap_height(Type::emphasis) + 1.0;
    const Colour ink = text.faded ? faded(theme, theme.ink) : theme.ink;
    const Colour muted = text.faded ? faded(theme, theme.muted) : theme.muted;
    const double gap = 10.0;
    const std::string name = canvas.fonts().fit(text.name, Type::emphasis, right - left);
    canvas.text({left, baseline}, name, {Type::emphasis, ink});
    const double begin = left + canvas.text_width(name, Type::emphasis) + gap;
    const double needed = canvas.text_width(text.measure, Type::caption);
    const double end = std::max(right, begin + needed);
    if (!text.measure.empty() && end <= right + text.slack)
        canvas.text({end, baseline}, text.measure, {Type::caption, muted, Align::right});
}

double tiles_height(const Canvas& canvas, double room, const std::vector<Tile>& all) {
    return all.empty() ? 0.0 : tile_places(canvas, room, all).back().y + tile_height;
}

double tiles(Canvas& canvas, const Theme& theme, Rect room, const std::vector<Tile>& all) {
    const std::vector<Point> places = tile_places(canvas, room.width, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Point at{room.x + places[i].x, room.y + places[i].y};
        const double rule = canvas.snap(at.y) + 0.5;
        canvas.line({at.x, rule}, {at.x + std::min(tile_width(canvas, all[i]), room.width), rule},
                    {theme.hairline, 1.0});
        canvas.text({at.x, at.y + 27.0}, canvas.fonts().fit(all[i].number, Type::tile, room.width),
                    {Type::tile, all[i].colour.value_or(theme.ink)});
        canvas.text({at.x, at.y + 44.0}, canvas.fonts().fit(all[i].caption, Type::caption, room.width),
                    {Type::caption, theme.muted});
    }
    return room.y + tiles_height(canvas, room.width, all);
}

double width(const Canvas& canvas, const Runs& runs, Type type) {
    double sum = 0.0;
    for (const Run& run : runs) sum += canvas.text_width(run.text, type);
    return sum;
}

void draw(Canvas& canvas, Point baseline, const Runs& runs, Type type) {
    for (const Run& run : runs) {
        canvas.text(baseline, run.text, {type, run.colour});
        baseline.x += canvas.text_width(run.text, type);
    }
}

Colour faded(const Theme& theme, Colour colour) {
    return mix(theme.ground, colour, 0.38);
}

Colour standing_out(const Theme& theme, Colour colour, double ratio) {
    if (theme.dark) return colour;
    constexpr int steps = 50;
    for (int i = 0; i < steps; ++i) {
        const Colour darker = mix(colour, rgb(0x000000), static_cast<double>(i) / steps);
        if (contrast(darker, theme.ground) >= ratio) return darker;
    }
    return theme.ink;
}

Colour readable_on(Colour ground) {
    const Colour dark = rgb(0x101418);
    const Colour light = rgb(0xFFFFFF);
    return contrast(dark, ground) >= contrast(light, ground) ? dark : light;
}

}  // namespace attn
