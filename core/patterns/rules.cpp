#include "core/patterns/rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::rules {

namespace {

/// Sorted, distinct places as progressions: one per residue and gap.
std::vector<Progression> progressions(std::vector<Index> places, Index step) {
    std::ranges::sort(places, {}, [step](Index p) { return std::pair(p % step, p); });
    std::vector<Progression> found;
    for (const Index p : places) {
        const bool same = !found.empty() && found.back().first + (found.back().count - 1) * step == p;
        const bool next = !found.empty() && found.back().first + found.back().count * step == p;
        if (next)
            ++found.back().count;
        else if (!same)
            found.push_back({p, 1, step});
    }
    return found;
}

bool has(const std::vector<Progression>& keys, Index place) {
    return std::ranges::any_of(keys, [place](const Progression& p) {
        const Index offset = place - p.first;
        return offset >= 0 && offset % p.step == 0 && offset / p.step < p.count;
    });
}

/// The window of one place, moved inwards within the places that the dilation leads to.
Progression shifted(Index place, Index side, const Window& window) {
    const Index d = window.dilation;
    const Index residue = place % d;
    const Index group = (side - residue + d - 1) / d;
    const Index count = std::min(window.size(), group);
    const Index start = std::clamp(place / d + window.low, Index{0}, group - count);
    return {residue + start * d, count, d};
}

std::vector<Progression> window_keys(Index place, Index side, const Window& window, EdgeRule edge) {
    if (edge == EdgeRule::shift) return {shifted(place, side, window)};
    if (edge == EdgeRule::wrap) {
        // Beyond side offsets the window repeats itself.
        const Index count = std::min(window.size(), side);
        std::vector<Index> places;
        for (Index i = 0; i < count; ++i) {
            const Index p = (place + (window.low + i) * window.dilation) % side;
            places.push_back(p < 0 ? p + side : p);
        }
        return progressions(std::move(places), window.dilation);
    }
    const Index d = window.dilation;
    const Index low = std::max(window.low, -(place / d));
    const Index high = std::min(window.high, (side - 1 - place) / d);
    return {{place + low * d, high - low + 1, d}};
}

}  // namespace

Parameter integer_knob(std::string id, std::string label, std::string help, Index initial, Index low,
                       Index high) {
    Parameter p;
    if (id.size() == 1) p.symbol = id;
    p.id = std::move(id);
    p.label = std::move(label);
    p.help = std::move(help);
    p.kind = Parameter::Kind::integer;
    p.initial = initial;
    p.low = static_cast<double>(low);
    p.high = static_cast<double>(high);
    p.offered = std::min(p.high, static_cast<double>(std::max<Index>(32, 4 * initial)));
    return p;
}

Parameter stride_knob() {
    Parameter p = integer_knob("l", "stride", "length of a block, and distance of far keys", 0, 1, 1 << 20);
    p.automatic = "⌊√N⌋";
    return p;
}

Parameter span_knob() {
    Parameter p =
        integer_knob("m", "span", "keys along an axis: as far as ⌊m/2⌋ on either side", 0, 1, 1 << 20);
    p.automatic = "the whole axis";
    return p;
}

Parameter causal_knob() {
    Parameter p;
    p.id = "causal";
    p.label = "causal";
    p.help = "no key after the query in raster order";
    p.kind = Parameter::Kind::toggle;
    p.initial = false;
    return p;
}

Index stride_of(const Knobs& knobs, Index positions) {
    const Index l = knobs.integer("l");
    return l > 0 ? l : static_cast<Index>(std::sqrt(static_cast<double>(positions)));
}

double stride_of(const Knobs& knobs, double positions) {
    const Index l = knobs.integer("l");
    return l > 0 ? std::min(static_cast<double>(l), positions) : std::sqrt(positions);
}

double span_of(const Knobs& knobs, double side) {
    const Index m = knobs.integer("m");
    return m == 0 ? side : std::min(static_cast<double>(m), side);
}

std::string span_sentence(const Knobs& knobs, Grid grid) {
    const Index m = knobs.integer("m");
    if (m == 0 || m >= std::max(grid.height, grid.width)) return "the whole axis";
    const Index half = m / 2;
    return "span " + std::to_string(m) + ": itself and " + std::to_string(half) + " on either side, " +
           std::to_string(2 * half + 1) + " keys" + (m % 2 == 0 ? " (an even span has one key more)" : "");
}

Axis window_axis(Index side, const Window& window, EdgeRule edge) {
    if (side == 1) return identity_axis(1);
    Axis axis;
    for (Index p = 0; p < side; ++p) axis.push_back(window_keys(p, side, window, edge));
    return axis;
}

Axis span_axis(const Knobs& knobs, Index side) {
    const Index m = knobs.integer("m");
    if (m == 0 || m >= side) return leading_axis(side, side);
    return window_axis(side, {-(m / 2), m / 2, 1}, EdgeRule::clip);
}

Axis identity_axis(Index side) {
    Axis axis;
    for (Index p = 0; p < side; ++p) axis.push_back({{p, 1, 1}});
    return axis;
}

Axis block_axis(Index side, Index length, Index shift) {
    Axis axis;
    for (Index p = 0; p < side; ++p) {
        const Index offset = ((p - shift) % length + length) % length;
        const Index first = std::max(p - offset, Index{0});
        axis.push_back({{first, std::min(p - offset + length, side) - first, 1}});
    }
    return axis;
}

Axis leading_axis(Index side, Index count) {
    Axis axis(static_cast<std::size_t>(side));
    if (count > 0)
        for (auto& keys : axis) keys.push_back({0, count, 1});
    return axis;
}

Rule product_rule(Axis rows, Axis columns, Grid grid) {
    Rule rule;
    rule.product = std::make_shared<const Product>(Product{std::move(rows), std::move(columns)});
    rule.sees = [product = rule.product, w = grid.width](Index q, Index k) {
        return has(product->rows[static_cast<std::size_t>(q / w)], k / w) &&
               has(product->columns[static_cast<std::size_t>(q % w)], k % w);
    };
    rule.boxes = [product = rule.product, w = grid.width](Index q, Boxes& out) {
        for (const Progression& r : product->rows[static_cast<std::size_t>(q / w)])
            for (const Progression& c : product->columns[static_cast<std::size_t>(q % w)])
                out.push_back({r.first * w + c.first, r.count, r.step * w, c.count, c.step});
    };
    return rule;
}

Rule cross_rule(Axis rows, Axis columns, Grid grid) {
    Rule rule;
    const auto product = std::make_shared<const Product>(Product{std::move(rows), std::move(columns)});
    rule.sees = [product, w = grid.width](Index q, Index k) {
        if (q / w == k / w) return has(product->columns[static_cast<std::size_t>(q % w)], k % w);
        return q % w == k % w && has(product->rows[static_cast<std::size_t>(q / w)], k / w);
    };
    rule.boxes = [product, w = grid.width](Index q, Boxes& out) {
        const Index row = q / w;
        const Index column = q % w;
        const Progression& r = product->rows[static_cast<std::size_t>(row)].front();
        const Progression& c = product->columns[static_cast<std::size_t>(column)].front();
        if (r.first < row) out.push_back({r.first * w + column, row - r.first, w, 1, 1});
        out.push_back({row * w + c.first, 1, w, c.count, 1});
        const Index below = r.first + r.count - 1 - row;
        if (below > 0) out.push_back({q + w, below, w, 1, 1});
    };
    return rule;
}

void add_run(Boxes& out, Index first, Index last, Index row_step) {
    if (first <= last) out.push_back({first, 1, row_step, last - first + 1, 1});
}

void add_rectangle(Boxes& out, const Region& region, Grid grid) {
    const Region r = cut(region, grid);
    if (r.height > 0 && r.width > 0)
        out.push_back({r.row * grid.width + r.column, r.height, grid.width, r.width, 1});
}

Region cut(const Region& region, Grid grid) {
    const Index top = std::max(region.row, Index{0});
    const Index left = std::max(region.column, Index{0});
    return {top, left, std::max(std::min(region.row + region.height, grid.height) - top, Index{0}),
            std::max(std::min(region.column + region.width, grid.width) - left, Index{0})};
}

std::vector<Region> run_regions(Index first, Index last, Grid grid) {
    const Index w = grid.width;
    first = std::max(first, Index{0});
    last = std::min(last, grid.size() - 1);
    if (first > last) return {};
    const Index top = first / w;
    const Index bottom = last / w;
    if (top == bottom) return {{top, first % w, 1, last - first + 1}};
    std::vector<Region> regions;
    const Index whole = first % w == 0 ? top : top + 1;
    const Index after = last % w == w - 1 ? bottom + 1 : bottom;
    if (whole > top) regions.push_back({top, first % w, 1, w - first % w});
    if (after > whole) regions.push_back({whole, 0, after - whole, w});
    if (after == bottom) regions.push_back({bottom, 0, 1, last % w + 1});
    return regions;
}

}  // namespace attn::rules
