#include "app/figures/heading.h"

#include <algorithm>

#include "app/figures/parts.h"

namespace attn {
namespace {

constexpr double height_for_note = 520.0;

double title(Canvas& canvas, const Theme& theme, Rect room, const Heading& heading) {
    const double gap = 14.0;
    const double across = canvas.text_width(heading.title, Type::title);
    const double baseline = room.y + cap_height(Type::title);
    canvas.text({room.x, baseline}, canvas.fonts().fit(heading.title, Type::title, room.width),
                {Type::title, theme.ink});
    const TextStyle quiet{Type::body, theme.muted};
    if (heading.source.empty()) return baseline;
    if (across + gap + canvas.text_width(heading.source, Type::body) > room.width)
        return paragraph(canvas, {room.x, baseline + 21.0}, room.width, heading.source, quiet);
    canvas.text({room.x + across + gap, baseline}, heading.source, quiet);
    return baseline;
}

}  // namespace

Rect headed_sheet(Canvas& canvas, const Page& page, const Heading& heading) {
    canvas.fill(page.area, page.theme.ground);
    const Rect room = page.area.inset(page_margin);
    double last = title(canvas, page.theme, room, heading);
    if (!heading.lead.empty())
        last = paragraph(canvas, {room.x, last + 24.0}, room.width, heading.lead,
                         {Type::lead, page.theme.muted});
    if (!heading.note.empty() && page.area.height >= height_for_note)
        last = paragraph(canvas, {room.x, last + 19.0}, room.width, heading.note,
                         {Type::caption, page.theme.muted});
    double bottom = room.bottom();
    if (!heading.warning.empty()) {
        const auto lines = canvas.fonts().wrap(heading.warning, Type::label, room.width);
        bottom -= static_cast<double>(lines.size()) * Fonts::line_height(Type::label);
        paragraph(canvas, {room.x, bottom + Fonts::em(Type::label)}, room.width, heading.warning,
                  {Type::label, page.theme.warning});
        bottom -= 8.0;
    }
    const double top = last + 24.0;
    return {room.x, top, room.width, std::max(bottom - top, 0.0)};
}

}  // namespace attn
