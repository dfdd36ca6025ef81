#include "app/figures/reach_parts.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/magnitude.h"

namespace attn {
namespace {

std::string paths_text(const PathCount& count) {
    constexpr double exact = 9007199254740992.0;  // 2⁵³
    if (count.number < exact) {
        const auto whole = static_cast<Index>(count.number);
        return whole < 1'000'000'000 ? grouped(whole) : significant(count.number);
    }
    const double exponent = std::floor(count.log10);
    return significant(std::pow(10.0, count.log10 - exponent)) + "·10" +
           superscript(static_cast<Index>(exponent));
}

std::string counted(Index count, const char* one, const char* many) {
    return grouped(count) + ' ' + (count == 1 ? one : many);
}

CarriedKey carry(const Followed& followed, Index key) {
    const Ways& ways = *followed.ways;
    const Index layers = followed.depth();
    const Grid grid = followed.stack->grid();
    CarriedKey carried{key, followed.seen_at(key), {}, {}};
    carried.bridges = key == ways.key ? ways.bridges : bridges(*followed.stack, followed.query, key, layers);
    carried.sentence = "key " + place_name(grid, key) + ": ";
    if (carried.bridges.empty()) {
        carried.sentence += carried.layers == 0 ? "not seen within " + layers_in_words(layers)
                                                : "seen after " + layers_in_words(carried.layers) +
                                                      ", not after " + layers_in_words(layers);
        return carried;
    }
    if (carried.layers > 0) carried.sentence += layers_in_words(carried.layers) + ", ";
    const PathCount& count = ways.paths[static_cast<std::size_t>(key)];
    carried.sentence += "through " +
                        counted(static_cast<Index>(carried.bridges.size()), "bridge", "bridges") + ", " +
                        paths_text(count) + (count.number == 1.0 ? " path" : " paths");
    return carried;
}

/// "49 → 169 → 256", "layers 1, 2, 3: 19.1, 66.0, 100 %".
Tile count_tile(const Followed& followed) {
    const Index last = followed.depth();
    std::vector<Index> shown = {1};
    if (last >= 2) shown.push_back(2);
    if (last >= 3) shown.push_back(last);
    Tile tile;
    std::string after;
    std::string shares;
    for (const Index layer : shown) {
        const bool first = layer == 1;
        tile.number +=
            (first ? "" : " → ") + grouped(followed.reach.counts[static_cast<std::size_t>(layer - 1)]);
        after += (first ? "" : ", ") + std::to_string(layer);
        const std::string text = share(followed.reach.fraction(layer));
        shares += (first ? "" : ", ") + text.substr(0, text.find(' '));
    }
    tile.caption = (last == 1 ? "keys: " : "layers " + after + ": ") + shares + " %";
    return tile;
}

/// What the stack's attention matrices hold.
struct StackEntries {
    double best = 0.0;
    double error = 0.0;             ///< of an estimate
    std::optional<double> formula;  ///< of a single layer
    double of_global = 0.0;
    bool estimated = false;
};

StackEntries entries_of(const Followed& followed) {
    StackEntries all;
    for (const LayerEntries& entries : followed.entries) {
        all.best += entries.best();
        if (entries.exact) continue;
        all.estimated = true;
        all.error = std::hypot(all.error, entries.estimate->error);
    }
    if (followed.entries.size() == 1) all.formula = followed.entries.front().formula;
    const auto n = static_cast<double>(followed.stack->size());
    all.of_global = all.best / (static_cast<double>(followed.entries.size()) * n * n);
    return all;
}

/// Separately, or `merged` into one tile.
std::vector<Tile> entry_tiles(const Followed& followed, bool merged) {
    const StackEntries entries = entries_of(followed);
    const std::string number =
        entries.estimated ? "≈ " + magnitude(entries.best) : grouped(static_cast<Index>(entries.best));
    const std::string name = followed.entries.size() > 1
                                 ? "entries of " + std::to_string(followed.entries.size()) + " layers"
                                 : "entries";
    const std::string part = percent(entries.of_global, 1);
    if (merged) return {{number, "entries, " + part + " of global"}};
    std::vector<Tile> tiles = {
        {number, name + (entries.estimated ? ", ± " + percent(entries.error / entries.best, 1)
                                           : std::string(", edges counted"))},
        {part, "of global"}};
    if (entries.formula && *entries.formula != entries.best)
        tiles.push_back({grouped(std::llround(*entries.formula)),
                         "by " + std::string(pattern(followed.layers.front().id).formula)});
    return tiles;
}

}  // namespace

std::string place_name(Grid grid, Index position) {
    if (grid.height == 1) return std::to_string(position);
    std::string place = "(";
    place += std::to_string(position / grid.width) + ", " + std::to_string(position % grid.width) + ")";
    return place;
}

std::optional<CarriedKey> carried_key(const Page& page, const Followed& followed) {
    if (!followed.ways) return std::nullopt;
    const Ways& ways = *followed.ways;
    const Index key = ways.any_key ? page.focus.key.value_or(ways.key) : ways.key;
    const auto make = [&] { return carry(followed, key); };
    if (page.memo == nullptr) return make();
    return *page.memo->get<CarriedKey>(page.result.key, "carried " + std::to_string(key), make);
}

std::string share(double fraction) {
    return fraction == 1.0 ? "100 %" : percent(fraction, 1);
}

std::string share_text(const Followed& followed, Index layer) {
    const Index seen = followed.reach.counts[static_cast<std::size_t>(layer - 1)];
    return grouped(seen) + " of " + grouped(followed.stack->size()) + " keys · " +
           share(followed.reach.fraction(layer));
}

std::string layers_or_never(const std::optional<Index>& layers) {
    return layers ? grouped(*layers) : "never";
}

std::vector<Tile> reach_tiles(const Canvas& canvas, double width, const Followed& followed) {
    std::vector<Tile> tiles = {count_tile(followed)};
    if (followed.coverage.layers)
        tiles.push_back({grouped(*followed.coverage.layers), "layers, this query"});
    else
        tiles.push_back({"never", "stops at " + grouped(followed.coverage.most) + " of " +
                                      grouped(followed.stack->size())});
    const auto with = [&](bool brief) {
        std::vector<Tile> all = tiles;
        if (followed.cover) {
            const std::string place = place_name(followed.stack->grid(), followed.cover->worst_query);
            all.push_back({layers_or_never(followed.cover->worst),
                           brief ? "layers, worst query" : "layers, worst query " + place});
        }
        for (Tile& tile : entry_tiles(followed, brief)) all.push_back(std::move(tile));
        if (!followed.cover) all.push_back({"…", "worst query: ask for the map"});
        return all;
    };
    const double one_row = tiles_height(canvas, 1e9, tiles);
    const std::size_t least = tiles.size() + (followed.cover ? 3 : 2);
    std::vector<Tile> all = with(false);
    while (all.size() > least && tiles_height(canvas, width, all) > one_row) all.pop_back();
    return tiles_height(canvas, width, all) <= one_row ? all : with(true);
}

std::string blind_sentence(const Followed& followed) {
    if (!followed.keys) return {};
    const auto blind = std::count(followed.keys->begin(), followed.keys->end(), 0);
    if (blind == 0) return {};
    const auto first = std::find(followed.keys->begin(), followed.keys->end(), 0) - followed.keys->begin();
    const std::string place = place_name(followed.stack->grid(), first);
    if (blind == 1) return "Query " + place + " sees no key in the first layer.";
    return grouped(blind) + " queries see no key in the first layer, the first of them " + place + ".";
}

}  // namespace attn
