#include "core/reach_walk.h"

#include <algorithm>

namespace attn {

void Imager::add_keys(const BoundPattern& layer, bool skip, const PositionSet& from, PositionSet& to) {
    if (from.empty()) return;
    if (skip) to |= from;
    // Setting bits costs by the rows of the boxes, spreading costs four impulses a box and three passes over
    // the grid.
    const Index queries = from.count();
    const Index few = 3 * from.size() / queries;
    bool spread = false;
    from.for_each([&](Index q) {
        if (stop_.stop_requested()) throw Cancelled();  // typed rules take milliseconds each
        layer.boxes(q, boxes_);
        Index rows = 0;
        for (const Box& box : boxes_) rows += box.column_step == 1 ? box.rows + box.columns / 64 : box.size();
        for (const Box& box : boxes_) {
            if (rows <= few) {
                to.add(box);
            } else {
                spread_.add(box, 1U);
                spread = true;
            }
        }
    });
    if (!spread) return;
    spread_.take(sums_);
    for (std::size_t i = 0; i < sums_.size(); ++i)
        if (sums_[i] != 0) to.add(static_cast<Index>(i));
}

std::size_t period(const Stack& stack) {
    const auto& layers = stack.layers;
    for (std::size_t p = 1; p < layers.size(); ++p) {
        bool repeats = layers.size() % p == 0;
        for (std::size_t i = p; repeats && i < layers.size(); ++i) repeats = layers[i] == layers[i - p];
        if (repeats) return p;
    }
    return layers.size();
}

Walk::Walk(const Stack& stack, Index query, std::stop_token stop)
    : stack_(&stack), period_(period(stack)), imager_(stack.size(), std::move(stop)) {
    const PositionSet none(stack.size());
    PositionSet start = none;
    start.add(query);
    tracks_.resize(period_);
    for (Track& track : tracks_) {
        track.reached = start;
        track.visits.assign(period_, {none, none});
    }
}

const PositionSet& Walk::next() {
    Track& track = tracks_[next_];
    // The first round goes from the track's own layer down to the input, later ones through the whole period.
    const std::size_t layers = first_round_ ? next_ + 1 : period_;
    for (std::size_t layer = layers; layer-- > 0;) step(track, layer);
    if (!track.settled) look_for_cycle(track);
    if (++next_ == period_) {
        next_ = 0;
        first_round_ = false;
    }
    return track.reached;
}

/// Only queries that this track has not brought to the layer before are asked for their keys, as long as it
/// keeps bringing the old ones; it does where every layer sees the query itself.
void Walk::step(Track& track, std::size_t layer) {
    Visit& visit = track.visits[layer];
    if (!track.reached.includes(visit.queries)) {
        visit.queries.clear();
        visit.keys.clear();
    }
    PositionSet fresh = track.reached;
    fresh -= visit.queries;
    imager_.add_keys(stack_->layers[layer], stack_->skip, fresh, visit.keys);
    visit.queries = track.reached;
    track.reached = visit.keys;
}

void Walk::look_for_cycle(Track& track) {
    if (track.remembered == track.reached) {
        track.settled = true;
        return;
    }
    if (++track.steps == track.until) {
        track.remembered = track.reached;
        track.until *= 2;
    }
}

bool Walk::settled() const {
    return std::ranges::all_of(tracks_, &Track::settled);
}

}  // namespace attn
