#include "app/figures/head_strip.h"

#include <algorithm>
#include <cmath>

#include "app/figures/heat.h"
#include "app/figures/parts.h"
#include "app/figures/reading.h"

namespace attn {
namespace {

constexpr double gap = 14.0;
constexpr double least_side = 40.0;
constexpr double name_height = 17.0;
constexpr double below = 12.0;  ///< to what follows

bool alone(const Page& page) {
    const auto strip = page.scene.set.find("strip");
    return strip != page.scene.set.end() && !std::get<bool>(strip->second);
}

/// "previous word", "3", "mean".
std::string short_name(const Result& result, std::size_t choice) {
    const std::string name = head_name(result, choice);
    if (choice >= result.trace.heads.size()) return name.substr(0, name.find(' '));
    if (choice < result.head_names.size()) return result.head_names[choice];
    return std::to_string(choice + 1);
}

/// Which choices have room: a stretch of heads about the one that is shown, and all in one.
std::vector<std::size_t> choices_that_fit(const Page& page, std::size_t places) {
    const std::size_t heads = page.result.trace.heads.size();
    const std::size_t all = head_choices(page.result);
    const std::size_t room = std::min(heads, std::max<std::size_t>(places, all - heads + 1) - (all - heads));
    const std::size_t shown = std::min(head_choice(page).index, heads - 1);
    const std::size_t first = std::min(shown - std::min(shown, room / 2), heads - room);
    std::vector<std::size_t> choices;
    for (std::size_t i = 0; i < room; ++i) choices.push_back(first + i);
    for (std::size_t i = heads; i < all; ++i) choices.push_back(i);
    return choices;
}

Size map_size(const HeadStrip& strip) {
    const auto count = static_cast<double>(head_choices(strip.page.result));
    const double widest = (strip.width + gap) / count - gap;
    const double height = std::max(std::min(strip.tallest, widest / strip.aspect), least_side);
    return {height * strip.aspect, height};
}

/// "4 heads, made by hand", "head 2 of 4: itself, made by hand".
std::string title_of(const Page& page) {
    const Result& result = page.result;
    const std::size_t heads = result.trace.heads.size();
    const std::size_t named = result.head_names.size();
    const std::size_t shown = head_choice(page).index;
    if (alone(page)) return head_name(result, shown) + (shown < named ? ", made by hand" : "");
    std::string title = std::to_string(heads) + " heads";
    if (named == heads) return title + ", made by hand";
    return named == 0 ? title : title + ", the first " + std::to_string(named) + " made by hand";
}

}  // namespace

double HeadStrip::height() const {
    if (head_choices(page.result) < 2 || page.result.all_heads.empty()) return 0.0;
    if (alone(page)) return caption_height + below / 2;
    return caption_height + map_size(*this).height + name_height + below;
}

void HeadStrip::draw(Canvas& canvas, Point corner, std::vector<Hit>& hits) const {
    if (height() == 0.0) return;
    const Theme& theme = page.theme;
    const Result& result = page.result;
    const HeadChoice shown = head_choice(page);
    const auto hit = [&](Rect area, std::size_t choice, std::string tip) {
        hits.push_back({.area = area,
                        .role = Hit::Role::heads,
                        .order = {static_cast<Index>(choice)},
                        .tip = std::move(tip)});
    };
    const std::string title = title_of(page);
    caption(canvas, theme, corner.x, corner.x + width, corner.y, {.name = title, .measure = {}});
    if (alone(page)) {
        hit({corner.x, corner.y, width, caption_height}, shown.index, "press twice to see all heads");
        return;
    }
    const Size size = map_size(*this);
    double widest = 0.0;
    for (const std::string& name : result.head_names)
        widest = std::max(widest, canvas.text_width(name, Type::label));
    const auto count = static_cast<double>(head_choices(result));
    const double pitch = std::max(size.width + gap, std::min(widest + gap, (width + gap) / count));
    const auto places = static_cast<std::size_t>(std::max(1.0, std::floor((width + gap) / pitch)));
    double x = corner.x;
    for (const std::size_t choice : choices_that_fit(page, places)) {
        const Rect rect{canvas.snap(x), canvas.snap(corner.y + caption_height), canvas.snap(size.width),
                        canvas.snap(size.height)};
        Scene scene = page.scene;
        for (const auto& [id, value] : show_head(result, choice)) scene.set.insert_or_assign(id, value);
        draw_map({scene, result, theme, page.area, {}, page.memo}, rect);
        if (choice == shown.index) frame(canvas, theme, rect, theme.ink);
        const TextStyle style{Type::label, choice == shown.index ? theme.ink : theme.muted, Align::centre};
        canvas.text({rect.centre().x, rect.bottom() + 5.0 + cap_height(Type::label)},
                    canvas.fonts().fit(short_name(result, choice), Type::label, pitch - 4.0), style);
        hit(rect, choice, head_name(result, choice) + " · press twice to see it alone");
        x += pitch;
    }
}

}  // namespace attn
