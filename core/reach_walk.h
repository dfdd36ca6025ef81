#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/reach.h"
#include "core/reach_set.h"
#include "core/reach_sums.h"

namespace attn {

/// The keys of sets of queries.
class Imager {
  public:
    explicit Imager(Index size, std::stop_token stop = {}) : spread_(size), stop_(std::move(stop)) {}

    /// Adds to `to` the keys that the queries of `from` see, and with `skip` the queries. Throws Cancelled
    /// when stopped.
    void add_keys(const BoundPattern& layer, bool skip, const PositionSet& from, PositionSet& to);

  private:
    BoxSpread<std::uint32_t> spread_;
    std::vector<std::uint32_t> sums_;
    Boxes boxes_;
    std::stop_token stop_;
};

/// R_1(q), R_2(q), … of one query, one after the other.
///
/// R_l = N_1(N_2(…N_l(q))) starts with another layer for each l, but R_l and R_{l+P}, P the period of the
/// stack, start with the same one: the walk to l + P continues the walk to l. So P tracks are kept, one per
/// first layer.
class Walk {
  public:
    Walk(const Stack& stack, Index query, std::stop_token stop = {});

    /// R of the next layer, from 1; valid until the next call. Throws Cancelled when stopped.
    const PositionSet& next();
    /// Whether every further R has been seen before: all tracks go round in circles.
    [[nodiscard]] bool settled() const;

  private:
    /// The keys of one layer, for the growing set of queries that one track brings to it.
    struct Visit {
        PositionSet queries;
        PositionSet keys;
    };
    struct Track {
        PositionSet reached;
        std::vector<Visit> visits;  // per layer of the period
        // Brent's search for a cycle: the state some cycles ago, and when to take the next.
        std::optional<PositionSet> remembered;
        Index steps = 0;
        Index until = 1;
        bool settled = false;
    };

    void step(Track& track, std::size_t layer);
    static void look_for_cycle(Track& track);

    const Stack* stack_;
    std::size_t period_;
    std::vector<Track> tracks_;
    Imager imager_;
    std::size_t next_ = 0;  // the track of the next layer
    bool first_round_ = true;
};

/// The layers after which a stack repeats itself: 1 when all are equal.
std::size_t period(const Stack& stack);

}  // namespace attn
