#include "core/mechanisms/regions.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "core/mechanisms/pixels.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"

namespace attn {

namespace {

Parameter side(std::string id, std::string label) {
    return {
        .id = std::move(id),
        .label = std::move(label),
        .help = "of regions, row by row; H·W are all there are",
        .kind = Parameter::Kind::integer,
        .initial = Index{0},
        .low = 1,
        .high = 4096,
        .automatic = "of the input",
    };
}

Grid grid_of(const Arrays& arrays, const Knobs& knobs, const Array& features) {
    const Grid grid{knobs.integer("H"), knobs.integer("W")};
    const Index regions = features.extent(0);
    if (grid.height == 0 && grid.width == 0) return grid_of_rows(arrays, regions, {1, regions});
    if (grid.size() != regions)
        throw Error("array 'in.features': expected H·W = " + std::to_string(grid.height) + "·" +
                    std::to_string(grid.width) + " rows, got the shape " + describe(features.shape()) +
                    "; set both knobs or neither");
    return grid;
}

}  // namespace

std::vector<Parameter> region_grid() {
    return {side("H", "rows"), side("W", "columns")};
}

Regions attend_regions(const Arrays& arrays, const Knobs& knobs) {
    const Array& features = require(arrays, "in.features", {-1, -1});
    const Array& states = require(arrays, "in.h", {-1, -1});
    AdditiveScores score = additive_scores(arrays, states, features);
    const Softmax softmax{knobs.real("tau"), nullptr};
    return {grid_of(arrays, knobs, features), attend(std::move(score.scores), features, softmax),
            share(features)};
}

Arrays arrange_regions(const Material& material) {
    const Array& queries = offered(material.queries, 2, "two rows of words");
    const Array& keys = offered(material.keys, 2, "two rows of words");
    const AgreementUnits units = agreement_units(keys);
    Arrays arrays = {{"in.h", queries},    {"in.features", keys},
                     {"w.query", units.w}, {"w.ctx", scaled(units.w, -1.0)},
                     {"b.ctx", units.b},   {"w.v", units.v}};
    if (material.key_grid.size() > 0) {
        arrays["in.grid"] = sides_array(material.key_grid);
        // Wider bumps, nearly parabolas, answer alike to all cells where a word is like none; among hundreds
        // of cells a match then needs as much more.
        const double wide = 0.5;
        const double strong = std::log(static_cast<double>(keys.extent(0))) / std::log(10.0) / (wide * wide);
        arrays["w.query"] = scaled(units.w, wide);
        arrays["w.ctx"] = scaled(units.w, -wide);
        arrays["w.v"] = scaled(units.v, strong);
    }
    return arrays;
}

std::vector<ArraySpec> region_inputs() {
    return {
        {"in.features", "[L, C]", "annotations a: a region of the picture per row, row by row"},
        {"in.grid", "[2]", "rows and columns of the regions, where the knobs H and W are 0", true},
        {"in.h", "[T, n]", "decoder states h, each from before its word"},
        {"w.ctx", "[A, C]", "U"},
        {"b.ctx", "[A]", "added to U a", true},
        {"w.query", "[A, n]", "W"},
        {"b.query", "[A]", "added to W h", true},
        {"w.v", "[A]", "v"},
        {"b.v", "[1]", "added to every score; the softmax cancels it", true},
    };
}

}  // namespace attn
