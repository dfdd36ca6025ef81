#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/parts.h"
#include "app/figures/recipe_panels.h"

namespace attn {

std::vector<float> Planes::channel(Index c) const {
    const auto cells = static_cast<std::size_t>(grid.size());
    const auto first = static_cast<std::size_t>(in_rows ? c : c * grid.size());
    const auto step = static_cast<std::size_t>(in_rows ? channels : 1);
    std::vector<float> values(cells);
    for (std::size_t i = 0; i < cells; ++i) values[i] = array.values()[first + i * step];
    return values;
}

Planes planes_of(const Array& map) {
    return {map, {map.extent(-2), map.extent(-1)}, map.size() / (map.extent(-2) * map.extent(-1))};
}

Planes planes_of(const Array& rows, Grid grid) {
    return {rows, grid, rows.extent(1), true};
}

Colours colours_of(std::initializer_list<const Planes*> together) {
    float least = 0.0F;
    float greatest = 0.0F;
    for (const Planes* planes : together) {
        const auto [low, high] = std::ranges::minmax(planes->array.values());
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
