#include "core/mechanisms/pixels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/kernels.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/shared.h"
#include "core/random.h"

namespace attn {

namespace {

Index square_side(Index positions) {
    const Index side = std::llround(std::sqrt(static_cast<double>(positions)));
    return side * side == positions ? side : 0;
}

/// [heads·channels, channels]: every head has all channels.
Array copied_to_heads(Index heads, Index channels) {
    Array weights({heads * channels, channels});
    for (Index head = 0; head < heads; ++head)
        matrix(weights).middleRows(head * channels, channels).setIdentity();
    return weights;
}

}  // namespace

Parameter side_of_map(std::string id, std::string label) {
    return {
        .id = std::move(id),
        .label = std::move(label),
        .help = "of the map whose positions are the rows of in.x",
        .kind = Parameter::Kind::integer,
        .initial = Index{0},
        .low = 1,
        .high = 4096,
        .offered = 64,
        .automatic = "of the input",
    };
}

void require_heads(std::string_view name, const Array& array, Index channels, Index heads) {
    if (channels % heads != 0)
        throw Error("array '" + std::string(name) + "': expected channels that " + std::to_string(heads) +
                    " heads divide, got " + std::to_string(channels) + " of them in the shape " +
                    describe(array.shape()));
}

void require_room(std::string_view window, Index side, std::string_view name, const Array& array, Grid map) {
    if (side <= map.height && side <= map.width) return;
    throw Error("window " + std::string(window) + " = " + std::to_string(side) + ": expected array '" +
                std::string(name) + "' to hold a map of at least " + std::to_string(side) + "×" +
                std::to_string(side) + ", got " + std::to_string(map.height) + "×" +
                std::to_string(map.width) + " in the shape " + describe(array.shape()) +
                "; choose a smaller window");
}

double one_over_root(Index d) {
    return 1.0 / std::sqrt(static_cast<double>(d));
}

QueriesKeysValues fused_projection(const Arrays& arrays, const Array& rows, Index heads) {
    const Array& weights = require(arrays, "w.qkv", {-1, rows.extent(1)});
    if (weights.extent(0) % 3 != 0)
        throw Error("array 'w.qkv': expected as many rows for queries, keys and values, got the shape " +
                    describe(weights.shape()));
    const Index d = weights.extent(0) / 3;
    require_heads("w.qkv", weights, d, heads);
    const Array* const bias = find(arrays, "b.qkv", {3 * d});
    const auto part = [&](Index i) {
        Array block({rows.extent(0), d});
        kernels::scores(rows.values().data(), weights.values().data() + i * d * rows.extent(1),
                        rows.extent(0), d, rows.extent(1), 1.0F, block.values().data());
        if (bias != nullptr) matrix(block).rowwise() += vector(*bias).segment(i * d, d).transpose();
        return block;
    };
    return {part(0), part(1), part(2)};
}

Grid grid_of_rows(const Arrays& arrays, Index positions, Grid fallback) {
    const Array* given = find(arrays, "in.grid", {2});
    if (given == nullptr) return fallback;
    const auto sides = given->values();
    const Grid grid{std::llround(sides[0]), std::llround(sides[1])};
    if (grid.height < 1 || grid.size() != positions)
        throw Error("array 'in.grid': expected the sides of a map of " + std::to_string(positions) +
                    " positions, got " + std::to_string(grid.height) + "×" + std::to_string(grid.width));
    return grid;
}

Grid grid_of_rows(const Arrays& arrays, const Knobs& knobs, Index positions) {
    Grid grid{knobs.integer("H"), knobs.integer("W")};
    if (grid.height == 0 && grid.width == 0) {
        const Index side = square_side(positions);
        return grid_of_rows(arrays, positions, side > 0 ? Grid{side, side} : Grid{1, positions});
    }
    if (grid.height == 0) grid.height = std::max<Index>(positions / grid.width, 1);
    if (grid.width == 0) grid.width = std::max<Index>(positions / grid.height, 1);
    if (grid.size() != positions)
        throw Error("array 'in.x': expected H·W = " + std::to_string(grid.height) + "·" +
                    std::to_string(grid.width) + " positions, got the shape " +
                    describe(require(arrays, "in.x").shape()));
    return grid;
}

SharedArray projected_output(const Arrays& arrays, const SharedArray& heads_side_by_side) {
    if (!arrays.contains("w.o")) return heads_side_by_side;
    return share(linear(arrays, "o", *heads_side_by_side));
}

SharedTable line_table(Grid grid, bool columns, Index m) {
    Layer layer;
    layer.id = columns ? "column" : "row";
    layer.set = {{"m", m}};
    return pair_table({layer, grid});
}

Array by_line(const Array& slots, const PairTable& table, Grid grid, bool columns) {
    const Index heads = slots.extent(0);
    const Index lines = columns ? grid.width : grid.height;
    const Index length = columns ? grid.height : grid.width;
    const auto line_of = [&](Index position) {
        return columns ? position % grid.width : position / grid.width;
    };
    const auto place_of = [&](Index position) {
        return columns ? position / grid.width : position % grid.width;
    };
    Array result({lines, heads, length, length});
    float* const out = result.values().data();
    const float* from = slots.values().data();
    for (Index head = 0; head < heads; ++head)
        for (Index query = 0; query < table.queries; ++query) {
            float* const row = out + ((line_of(query) * heads + head) * length + place_of(query)) * length;
            for (const std::int32_t key : table.row(query)) row[place_of(key)] = *from++;
        }
    return result;
}

Parameter starting_at(Parameter knob, Value initial) {
    knob.initial = std::move(initial);
    return knob;
}

HeadWeights head_weights(const Material& material, Index heads, double scale, std::string& said) {
    const Array rows = rows_of(offered(material.features, 3, "a picture"));
    const Index channels = rows.extent(1);
    HeadWeights weights;
    weights.v = copied_to_heads(heads, channels);
    Random random(material.seed + 1);  // the features' own projection has the seed itself
    const std::string seed = ", seed " + std::to_string(material.seed);
    if (material.untrained) {
        weights.q = random_projection(heads * channels, channels, random);
        weights.k = random_projection(heads * channels, channels, random);
        said = "random projections W_q and W_k" + seed + "; features are averaged as they are";
    } else if (heads > 1) {
        weights.q = weights.k = random_projection(heads * channels, channels, random);
        said = "each head compares features through its own random projection" + seed +
               ", and averages them as they are";
    } else {
        weights.q = weights.k = weights.v;
        said = "no weights: features are compared and averaged as they are";
    }
    const double self = std::max(scale * mean_square_length(rows), 1e-12);
    weights.q = scaled(weights.q, 6.0 / self);
    return weights;
}

Array stacked(std::initializer_list<const Array*> parts) {
    const Index columns = (*parts.begin())->extent(1);
    Index rows = 0;
    for (const Array* part : parts) rows += part->extent(0);
    Array all({rows, columns});
    Index row = 0;
    for (const Array* part : parts) {
        matrix(all).middleRows(row, part->extent(0)) = matrix(*part);
        row += part->extent(0);
    }
    return all;
}

Arrays picture_as_heads(const Material& material, std::string& said) {
    const HeadWeights weights = head_weights(material, 1, 1.0, said);
    const Array rows = rows_of(material.features);
    const Array colours = rows_of(offered(material.colours, 3, "a picture"));
    if (!material.untrained) said = "no weights: features are compared as they are, colours are averaged";
    const auto head = [](const Array& of_positions) {
        return of_positions.reshaped({1, of_positions.extent(0), of_positions.extent(1)});
    };
    return {{"in.q", head(linear({{"w.q", weights.q}}, "q", rows))},
            {"in.k", head(linear({{"w.k", weights.k}}, "k", rows))},
            {"in.v", head(colours)}};
}

Array grid_array(const Array& map) {
    return sides_array({map.extent(1), map.extent(2)});
}

Array sides_array(Grid grid) {
    return Array(Shape{2},
                 std::vector<float>{static_cast<float>(grid.height), static_cast<float>(grid.width)});
}

}  // namespace attn
