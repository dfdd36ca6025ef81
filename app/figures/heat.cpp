#include "app/figures/heat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/figures/format.h"
#include "app/figures/parts.h"
#include "app/figures/reading.h"
#include "core/parameter.h"

namespace attn {
namespace {

constexpr double bar_height = 8.0;

template <typename T, typename Make>
std::shared_ptr<const T> kept(const Page& page, const std::string& key, Make&& make) {
    if (page.memo != nullptr) {
        // Maps of figures about patterns have no heads.
        const std::string head =
            page.result.trace.heads.size() > 1 ? std::to_string(head_choice(page).index) + ' ' : "";
        return page.memo->get<T>(page.result.key, head + key, std::forward<Make>(make));
    }
    return std::make_shared<const T>(make());
}

std::string key_of(const Colouring& colouring) {
    const Range& range = colouring.range;
    return std::to_string(static_cast<int>(colouring.scale)) + ',' +
           std::to_string(static_cast<int>(range.kind)) + ',' + format(range.low) + ',' + format(range.high);
}

Cells classified(std::span<const float> values, Index columns, const Colouring& colouring,
                 std::span<const float> allowed, Index keys) {
    std::vector<std::uint8_t> masked;
    masked.reserve(allowed.size());
    for (const float flag : allowed) masked.push_back(flag == 0.0F ? 1 : 0);
    return classify(values, columns, colouring, masked, keys);
}

/// Weights times the number of keys that their query may see.
Map in_multiples(const Map& map, const Map& allowed) {
    return {map.rows(), map.columns(), [map, allowed](Index query, std::span<float> row) {
                auto count = static_cast<float>(map.columns());
                if (!allowed.empty()) {
                    allowed.read(query, row);
                    count = std::accumulate(row.begin(), row.end(), 0.0F);
                }
                map.read(query, row);
                for (float& weight : row) weight *= count;
            }};
}

/// All 256 colours of a ramp in a row.
Cells ramp_cells() {
    Cells cells;
    cells.height = 1;
    cells.width = 256;
    cells.classes.assign(256, CellClass::value);
    for (int i = 0; i < 256; ++i) cells.position.push_back(static_cast<float>(i));
    cells.high = 255.0F;
    return cells;
}

Picture enlarged(std::span<const float> colours, Grid grid, Index zoom) {
    Picture picture{grid.height * zoom, grid.width * zoom, {}};
    picture.rgb.resize(static_cast<std::size_t>(picture.height * picture.width * 3));
    const Index cells = grid.size();
    for (Index y = 0; y < picture.height; ++y) {
        std::uint8_t* out = picture.rgb.data() + y * picture.width * 3;
        for (Index x = 0; x < grid.width; ++x) {
            std::array<std::uint8_t, 3> rgb{};
            for (Index c = 0; c < 3; ++c) {
                const float value = colours[static_cast<std::size_t>(c * cells + y / zoom * grid.width + x)];
                rgb[static_cast<std::size_t>(c)] =
                    static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(value, 0.0F, 1.0F)));
            }
            for (Index i = 0; i < zoom; ++i, out += 3) std::copy(rgb.begin(), rgb.end(), out);
        }
    }
    return picture;
}

/// A number at an end of a colour bar; what cannot be told from 0 beside the other end is said to be about 0.
std::string end_of_scale(double number, double greatest, Scale scale) {
    constexpr double invisible = 5e-4;
    const bool multiple = scale == Scale::uniform;
    if (scale == Scale::linear && number != 0.0 && std::abs(number) < invisible * std::abs(greatest))
        return "≈ 0";
    const std::string brief = plain(number);
    const std::string text = significant(number);
    return (brief.size() <= text.size() ? brief : text) + (multiple ? " ×" : "");
}

}  // namespace

Rect Panel::cell(Index r, Index c) const {
    return {rect.x + cell_width() * static_cast<double>(c), rect.y + cell_height() * static_cast<double>(r),
            cell_width(), cell_height()};
}

Panel cells_of(const Canvas& canvas, Point corner, Size cell, Index rows, Index columns) {
    const auto along = [&](double size, Index n) {
        const double pixels = std::floor(size * canvas.resolution() + 1e-6);
        if (pixels >= 1.0) return static_cast<double>(n) * pixels / canvas.resolution();
        return std::max(canvas.snap(size * static_cast<double>(n)), 1.0 / canvas.resolution());
    };
    return {
        {canvas.snap(corner.x), canvas.snap(corner.y), along(cell.width, columns), along(cell.height, rows)},
        rows,
        columns};
}

Panel square_cells(const Canvas& canvas, Rect room, Index rows, Index columns) {
    const double cell = std::max(
        0.0, std::min(room.width / static_cast<double>(columns), room.height / static_cast<double>(rows)));
    return cells_of(canvas, {room.x, room.y}, {cell, cell}, rows, columns);
}

Panel keys_panel(const Panel& queries, Grid keys) {
    const Index factor = std::max<Index>(1, std::min(queries.rows / std::max<Index>(keys.height, 1),
                                                     queries.columns / std::max<Index>(keys.width, 1)));
    return {{queries.rect.x, queries.rect.y, queries.cell_width() * static_cast<double>(keys.width * factor),
             queries.cell_height() * static_cast<double>(keys.height * factor)},
            keys.height,
            keys.width};
}

HeatMap heat_map(const Page& page, const std::string& name, std::span<const float> values, Index columns,
                 const Colouring& colouring, std::span<const float> allowed, Index keys) {
    const std::string key = "cells," + name + ',' + key_of(colouring);
    return {kept<Cells>(page, key, [&] { return classified(values, columns, colouring, allowed, keys); }),
            colouring};
}

HeatMap heat_map(const Canvas& canvas, const Page& page, const std::string& name, const Map& map, Size room,
                 const Colouring& colouring, const Map& allowed) {
    const auto pixels = [&](double points) {
        return std::max<Index>(1, std::llround(points * canvas.resolution()));
    };
    const Index height = pixels(room.height);
    const Index width = pixels(room.width);
    const std::string key = "cells," + name + ',' + std::to_string(height) + 'x' + std::to_string(width) +
                            ',' + key_of(colouring);
    return {kept<Cells>(page, key,
                        [&] {
                            const bool multiples = colouring.scale == Scale::uniform;
                            const Array cells =
                                (multiples ? in_multiples(map, allowed) : map).reduced(height, width);
                            const Array flags = allowed.empty() ? Array({0}) : allowed.reduced(height, width);
                            return classified(cells.values(), cells.extent(1), colouring, flags.values(), 1);
                        }),
            colouring};
}

Range range_of(std::span<const float> values) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, static_cast<double>(value));
        high = std::max(high, static_cast<double>(value));
    }
    if (low > high) return {};
    return {.kind = Range::Kind::fixed, .low = low, .high = high};
}

MapFacts facts_of(const Page& page, const std::string& name, const Map& map) {
    return *kept<MapFacts>(page, "facts," + name, [&] {
        std::vector<float> ends;  // of each row, and the 0 of pairs that are not there
        bool flags = true;
        for (Index r = 0; r < map.rows(); ++r) {
            Index held = 0;
            float low = std::numeric_limits<float>::infinity();
            float high = -low;
            map.visit(r, [&](Index, float value) {
                ++held;
                flags = flags && (value == 0.0F || value == 1.0F);
                if (!std::isfinite(value)) return;
                low = std::min(low, value);
                high = std::max(high, value);
            });
            ends.insert(ends.end(), {low, high});
            if (held < map.columns()) ends.push_back(0.0F);
        }
        return MapFacts{range_of(ends), flags};
    });
}

std::shared_ptr<const Picture> cell_picture(const Page& page, const std::string& name,
                                            std::span<const float> colours, Grid grid, Index zoom) {
    return kept<Picture>(page, "picture," + name + ',' + std::to_string(zoom),
                         [&] { return enlarged(colours, grid, zoom); });
}

void frame(Canvas& canvas, const Theme& theme, Rect cell, Colour colour) {
    const double width = std::min(cell.width, cell.height) >= 14.0 ? 2.5 : 2.0;
    canvas.rect(cell.inset(-width - 1.0), {theme.ground, 1.0});
    canvas.rect(cell.inset(-width), {colour, width});
}

void dot(Canvas& canvas, const Theme& theme, Rect cell, Colour colour) {
    const double radius = std::clamp(0.3 * std::min(cell.width, cell.height), 2.5, 5.0);
    canvas.circle(cell.centre(), radius, colour, {theme.ground, 1.5});
}

void colour_bar(Canvas& canvas, const Page& page, Point corner, double width, const HeatMap& map,
                std::string_view middle, double opacity) {
    const auto ramp = kept<Cells>(page, "ramp", ramp_cells);
    const Rect bar{canvas.snap(corner.x), canvas.snap(corner.y), canvas.snap(width), canvas.snap(bar_height)};
    canvas.heat_map(bar, {ramp, map.colouring}, opacity);
    const double baseline = bar.bottom() + 4.0 + cap_height(Type::label);
    const auto write = [&](double x, std::string_view text, Align align) {
        canvas.text(
            {x, baseline}, text,
            {Type::label, opacity < 1.0 ? faded(page.theme, page.theme.muted) : page.theme.muted, align});
    };
    const double top = map.cells->shown_high;
    const std::string low = end_of_scale(map.cells->shown_low, top, map.colouring.scale);
    const std::string high = end_of_scale(top, top, map.colouring.scale);
    write(bar.x, low, Align::left);
    write(bar.right(), high, Align::right);
    const double ends = std::max(canvas.text_width(low, Type::label), canvas.text_width(high, Type::label));
    if (canvas.text_width(middle, Type::label) <= bar.width - 2 * ends - 12.0)
        write(bar.centre().x, middle, Align::centre);
}

Colouring weight_shades(const Page& page, Scale scale) {
    const Map& weights = head_choice(page).head->weights;
    const bool may_be_negative = page.result.trace.squash == Squash::divide;
    const bool negative = may_be_negative && facts_of(page, "every weight", weights).range.low < 0.0;
    if (negative) return score_colouring(page.theme);
    Colouring colouring = weight_colouring(page.theme);
    colouring.scale = scale;
    return colouring;
}

std::string_view name_of(Scale scale) {
    switch (scale) {
        case Scale::linear:
            return "";
        case Scale::logarithmic:
            return "log scale";
        case Scale::rank:
            return "by rank";
        case Scale::uniform:
            return "of 1/n, log scale";
    }
    return "";
}

}  // namespace attn
