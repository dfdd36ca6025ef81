#include "core/reach.h"

#include <algorithm>
#include <string>

#include "core/reach_walk.h"

namespace attn {

namespace {

void require_position(const Stack& stack, Index position, const char* what) {
    if (position < 0 || position >= stack.size())
        throw Error(std::string("expected a ") + what + " from 0 to " + std::to_string(stack.size() - 1) +
                    ", got " + std::to_string(position));
}

void require_layers(Index layers) {
    if (layers < 1) throw Error("expected at least 1 layer, got " + std::to_string(layers));
}

/// The queries that see some position of the set.
PositionSet viewers(const BoundPattern& layer, bool skip, const PositionSet& set,
                    const std::stop_token& stop) {
    std::vector<std::uint32_t> members(static_cast<std::size_t>(set.size()));
    set.for_each([&](Index p) { members[static_cast<std::size_t>(p)] = 1; });
    BoxTotals<std::uint32_t> totals(std::move(members));
    PositionSet found(set.size());
    if (skip) found |= set;
    Boxes boxes;
    for (Index q = 0; q < set.size(); ++q) {
        if (stop.stop_requested()) throw Cancelled();
        layer.boxes(q, boxes);
        if (std::ranges::any_of(boxes, [&](const Box& box) { return totals.of(box) != 0; })) found.add(q);
    }
    return found;
}

}  // namespace

Stack make_stack(std::span<const Layer> layers, Grid grid, bool skip) {
    if (layers.empty()) throw UsageError("expected a stack of at least one layer, got none");
    return {bind(layers, grid), skip};
}

Reach reach(const Stack& stack, Index query, Index layers, const std::stop_token& stop) {
    require_position(stack, query, "query");
    require_layers(layers);
    Reach found;
    found.hops.assign(static_cast<std::size_t>(stack.size()), -1);
    Walk walk(stack, query, stop);
    PositionSet seen(stack.size());
    for (Index l = 1; l <= layers; ++l) {
        PositionSet fresh = walk.next();
        found.counts.push_back(fresh.count());
        fresh -= seen;
        fresh.for_each(
            [&](Index k) { found.hops[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(l); });
        seen |= fresh;
    }
    found.hops[static_cast<std::size_t>(query)] = 0;
    return found;
}

Coverage coverage(const Stack& stack, Index query, const std::stop_token& stop) {
    require_position(stack, query, "query");
    Coverage found;
    Walk walk(stack, query, stop);
    for (Index l = 1; !walk.settled(); ++l) {
        found.most = std::max(found.most, walk.next().count());
        if (found.most == stack.size()) {
            found.layers = l;
            break;
        }
    }
    return found;
}

std::vector<Index> bridges(const Stack& stack, Index query, Index key, Index layers,
                           const std::stop_token& stop) {
    require_position(stack, query, "query");
    require_position(stack, key, "key");
    require_layers(layers);
    // The positions with the key in R_l, for l = 0, 1, …, L − 1.
    PositionSet carriers(stack.size());
    carriers.add(key);
    for (Index l = 1; l < layers; ++l) carriers = viewers(stack.layer(l), stack.skip, carriers, stop);
    PositionSet asked(stack.size());
    asked.add(query);
    PositionSet seen(stack.size());
    Imager(stack.size()).add_keys(stack.layer(layers), stack.skip, asked, seen);
    carriers &= seen;
    std::vector<Index> found;
    carriers.for_each([&](Index p) { found.push_back(p); });
    return found;
}

std::vector<Index> keys_per_query(const BoundPattern& layer) {
    std::vector<Index> counts;
    counts.reserve(static_cast<std::size_t>(layer.size()));
    for (Index q = 0; q < layer.size(); ++q) counts.push_back(layer.count(q));
    return counts;
}

}  // namespace attn
