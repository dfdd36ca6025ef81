#include "app/figures/parts.h"

#include <algorithm>

namespace attn {
namespace {

constexpr double tile_height = 48.0;
constexpr double tile_gap = 34.0;
constexpr double tile_row_gap = 16.0;
constexpr double least_tile = 84.0;
// Below this the page keeps its picture and drops what is only said.
constexpr double talkative_height = 480.0;

double tile_width(const Canvas& canvas, const Tile& tile) {
    return std::max({least_tile, canvas.text_width(tile.number, Type::tile),
                     canvas.text_width(tile.caption, Type::caption)});
}

/// Where each tile stands, from the room's top left.
std::vector<Point> tile_places(const Canvas& canvas, double room, const std::vector<Tile>& all) {
    std::vector<Point> places;
    Point at;
    for (const Tile& tile : all) {
        const double across = tile_width(canvas, tile);
        if (at.x > 0.0 && at.x + across > room) at = {0.0, at.y + tile_height + tile_row_gap};
        places.push_back(at);
        at.x += across + tile_gap;
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
        baseline += 20.0;
        canvas.text({room.x, baseline}, canvas.fonts().fit(shown.source, Type::body, room.width), quiet);
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
    line(page.result.said, page.theme.muted);
    line(warning, page.theme.warning);
    return top;
}

}  // namespace

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

Rect sheet(Canvas& canvas, const Page& page, std::string_view warning) {
    canvas.fill(page.area, page.theme.ground);
    const Rect room = page.area.inset(page_margin);
    const Teaching& teaching = page.result.mechanism->teaching;
    double last = title(canvas, page, room);
    if (!teaching.see.empty())
        last = paragraph(canvas, {room.x, last + 24.0}, room.width, teaching.see,
                         {Type::lead, page.theme.muted});
    double bottom = room.bottom();
    if (page.area.height >= talkative_height) {
        if (!teaching.misreading.empty())
            last = paragraph(canvas, {room.x, last + 19.0}, room.width, teaching.misreading,
                             {Type::caption, page.theme.muted});
        bottom = foot(canvas, page, room, warning) - 8.0;
    } else if (!warning.empty()) {
        bottom = foot(canvas, page, room, warning) - 8.0;
    }
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
    const double room = right - left - canvas.text_width(name, Type::emphasis) - gap;
    const std::string measure = room > 0.0 ? canvas.fonts().fit(text.measure, Type::caption, room) : "";
    if (!measure.empty()) canvas.text({right, baseline}, measure, {Type::caption, muted, Align::right});
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
                    {Type::tile, theme.ink});
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

Colour readable_on(Colour ground) {
    const Colour dark = rgb(0x101418);
    const Colour light = rgb(0xFFFFFF);
    return contrast(dark, ground) >= contrast(light, ground) ? dark : light;
}

}  // namespace attn
