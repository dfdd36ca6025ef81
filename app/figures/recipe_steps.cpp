#include "app/figures/recipe_steps.h"

#include <algorithm>

#include "app/figures/parts.h"

namespace attn {
namespace {

constexpr double tallest_picture = 132.0;
constexpr double narrowest = 84.0;  ///< a tile carries its name and the ends of its colour bar
constexpr double gap = 20.0;
constexpr double gap_with_sign = 30.0;
constexpr double name_line = 16.0;
constexpr double remark_line = 16.0;

/// A sign follows.
bool is_addend(const Step& step) {
    return step.part == Step::Part::addend;
}

}  // namespace

StepStrip::StepStrip(Stage& stage) : stage_(stage) {
    for (const Step& step : stage.page.result.trace.steps) {
        const std::size_t colon = step.label.find(": ");
        Tile tile{&step, step.label.substr(0, colon), "", aspect_of(stage, step)};
        if (colon != std::string::npos) tile.remark = step.label.substr(colon + 2);
        tiles_.push_back(std::move(tile));
    }
}

double StepStrip::tile_width(const Tile& tile, double picture) const {
    return std::max({narrowest, tile.aspect * picture, stage_.canvas.text_width(tile.name, Type::emphasis)});
}

double StepStrip::gap_before(std::size_t i) const {
    if (i == 0) return 0.0;
    if (!is_addend(*tiles_[i - 1].step)) return gap;
    return is_addend(*tiles_[i].step) ? gap_with_sign : gap + gap_with_sign;
}

double StepStrip::height(double picture) {
    return name_line + remark_line + picture + under;
}

double StepStrip::width(double picture) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < tiles_.size(); ++i) sum += gap_before(i) + tile_width(tiles_[i], picture);
    return sum;
}

double StepStrip::picture_height(Size room) const {
    double picture = std::min(room.height - height(0.0), tallest_picture);
    if (tiles_.empty() || picture < least) return 0.0;
    while (width(picture) > room.width && picture > least) picture -= 2.0;
    return std::max(picture, least);
}

void StepStrip::draw_tile(const Tile& tile, Rect picture, double slack) {
    const Theme& theme = stage_.page.theme;
    const double top = picture.y - name_line - remark_line;
    const bool lit = stage_.lit(part_of(*tile.step));
    stage_.canvas.text({picture.x, top + cap_height(Type::emphasis) + 1.0}, tile.name,
                       {Type::emphasis, lit ? theme.ink : faded(theme, theme.ink)});
    stage_.canvas.text({picture.x, top + name_line + cap_height(Type::label)},
                       stage_.canvas.fonts().fit(tile.remark, Type::label, picture.width + slack),
                       {Type::label, lit ? theme.muted : faded(theme, theme.muted)});
    const double shown = std::max(narrowest, tile.aspect * picture.height);
    draw_step(stage_, *tile.step, {picture.x, picture.y, std::min(shown, picture.width), picture.height},
              narrowest);
}

/// "+" between addends, "= e" after the last.
void StepStrip::draw_sign(std::size_t i, std::size_t shown, Rect picture) {
    if (!is_addend(*tiles_[i].step)) return;
    const bool more = i + 1 < tiles_.size() && is_addend(*tiles_[i + 1].step);
    if (more && i + 1 >= shown) return;
    const std::string sign = more ? "+" : "= e";
    const Point at{picture.right() + gap_with_sign / 2,
                   middle_baseline(picture.y, picture.height, Type::strong)};
    if (at.x + gap_with_sign / 2 > stage_.page.area.right()) return;
    stage_.canvas.text(at, sign, {Type::strong, stage_.page.theme.muted, Align::centre});
}

void StepStrip::draw(Rect room, double picture) {
    std::size_t shown = 0;
    double used = 0.0;
    for (; shown < tiles_.size(); ++shown) {
        const double more = gap_before(shown) + tile_width(tiles_[shown], picture);
        if (used + more > room.width + 0.5) break;
        used += more;
    }
    const double spread =
        shown > 1 ? std::min((room.width - used) / static_cast<double>(shown - 1), gap) : 0.0;
    Rect place{room.x, room.y + name_line + remark_line, 0.0, picture};
    for (std::size_t i = 0; i < shown; ++i) {
        place.x = stage_.canvas.snap(place.x + gap_before(i) + (i > 0 ? spread : 0.0));
        place.width = tile_width(tiles_[i], picture);
        draw_tile(tiles_[i], place, spread + gap - 10.0);
        draw_sign(i, shown, place);
        place.x = place.right();
    }
}

}  // namespace attn
