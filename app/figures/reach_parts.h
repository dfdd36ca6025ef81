#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure.h"
#include "app/figures/heading.h"
#include "app/figures/hop_cells.h"
#include "app/figures/parts.h"
#include "app/question.h"

namespace attn {

/// The figure's own knobs, what it wants to know, and what stands over it.
const std::vector<Parameter>& reach_knobs();
Question reach_question(const Scene& scene);
Heading reach_heading(const Followed& followed, bool refused_matrix);

/// "(12, 14)" on a grid, "37" in a sequence.
std::string place_name(Grid grid, Index position);

/// The key that the figure talks about, what carries it, and in how many ways.
struct CarriedKey {
    Index key = 0;
    Index layers = 0;  ///< at which it is first seen; 0 where it is not within L
    std::vector<Index> bridges;
    std::string sentence;  ///< "key (12, 14): 2 layers, through 4 positions, 4 paths"
};
/// The key pointed at, where that takes no time, else the one that was asked for.
std::optional<CarriedKey> carried_key(const Page& page, const Followed& followed);

/// "49 of 256 keys · 19.1 %".
std::string share_text(const Followed& followed, Index layer);

/// "19.1 %", "100 %".
std::string share(double fraction);

/// Keys through the layers, layers to cover, entries: as many as stand in one row where they can.
std::vector<Tile> reach_tiles(const Canvas& canvas, double width, const Followed& followed);

/// How many queries see nothing; empty where none does.
std::string blind_sentence(const Followed& followed);

/// "2", "never".
std::string layers_or_never(const std::optional<Index>& layers);

}  // namespace attn
