#include <algorithm>
#include <cmath>
#include <span>

#include "app/figures/format.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"

namespace attn {
namespace {

/// How many heads lie side by side in so many features: 1 where a reader cannot choose among them.
Index heads_side_by_side(const Stage& stage, Index features) {
    const Result& result = stage.page.result;
    const auto heads = static_cast<Index>(result.trace.heads.size());
    const bool chosen = find(result.mechanism->parameters, "heads") != nullptr;
    return chosen && features % heads == 0 ? heads : 1;
}

}  // namespace

std::vector<float> Planes::channel(Index c) const {
    const auto cells = static_cast<std::size_t>(grid.size());
    const auto begin = static_cast<std::size_t>(in_rows ? first + c : c * grid.size());
    const auto step = static_cast<std::size_t>(in_rows ? array.extent(1) : 1);
    std::vector<float> values(cells);
    for (std::size_t i = 0; i < cells; ++i) values[i] = array.values()[begin + i * step];
    return values;
}

Planes planes_of(const Array& map) {
    return {map, {map.extent(-2), map.extent(-1)}, map.size() / (map.extent(-2) * map.extent(-1))};
}

Planes planes_of(const Stage& stage, const Array& rows, Grid grid) {
    const Index heads = heads_side_by_side(stage, rows.extent(1));
    const Index channels = rows.extent(1) / heads;
    const Index head = heads > 1 ? static_cast<Index>(shown_head(stage.page)) : 0;
    return {rows, grid, channels, true, head * channels};
}

Map of_head(const Stage& stage, const Map& map, std::size_t apart) {
    const Index heads = apart > 1 ? 1 : heads_side_by_side(stage, map.columns());
    if (heads == 1) return map;
    const Index width = map.columns() / heads;
    const Index first = static_cast<Index>(shown_head(stage.page)) * width;
    return {map.rows(), width, [=](Index row, std::span<float> out) {
                std::ranges::copy(map.row(row).subspan(static_cast<std::size_t>(first), out.size()),
                                  out.begin());
            }};
}

std::optional<Grid> grid_of_rows(const Stage& stage) {
    const Result& result = stage.page.result;
    if (stage.reading.layout != Layout::words || result.mechanism->family != Family::channels ||
        !result.colours)
        return std::nullopt;
    return Grid{result.colours->extent(1), result.colours->extent(2)};
}

Colours colours_of(std::initializer_list<const Planes*> together) {
    float least = 0.0F;
    float greatest = 0.0F;
    for (const Planes* planes : together) {
        float low = 0.0F;
        float high = 0.0F;
        for (Index c = 0; c < planes->channels; ++c)
            for (const float value : planes->channel(c)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        least = std::min(least, low);
        greatest = std::max(greatest, high);
    }
    constexpr float rounding = 0.01F;
    constexpr float visible = 0.1F;
    return {least >= -rounding && greatest <= 1.0F + rounding && greatest > visible,
            std::max({-least, greatest, 1e-30F})};
}

bool as_colours(const Stage& stage, const Planes& planes) {
    return planes.channels == 3 && !stage.page.result.mechanism->mixed;
}

void draw_colours(Stage& stage, const Panel& panel, const std::string& name, std::string_view step,
                  const Planes& planes, const Colours& colours) {
    std::vector<float> all;
    for (Index c = 0; c < 3; ++c) {
        const std::vector<float> channel = planes.channel(c);
        all.insert(all.end(), channel.begin(), channel.end());
    }
    if (!colours.genuine)
        for (float& value : all) value = 0.5F + 0.5F * value / colours.most;
    const double cell = panel.rect.width / static_cast<double>(planes.grid.width);
    const auto zoom = std::max<Index>(1, std::llround(cell * stage.canvas.resolution()));
    stage.canvas.image(panel.rect, cell_picture(stage.page, name, all, planes.grid, zoom),
                       stage.opacity(step));
}

Index shown_channel(const Stage& stage, const Planes& planes) {
    const Index shown =
        stage.page.result.mechanism->mixed ? static_cast<Index>(shown_head(stage.page)) : Index{0};
    return std::min(shown, planes.channels - 1);
}

}  // namespace attn
