#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/figure.h"
#include "core/trace.h"

namespace attn {

/// What the pieces of a result are, and so how they are laid out.
enum class Layout {
    picture,  ///< keys lie on a picture's grid
    words,    ///< queries and keys are rows of words
    channels  ///< one gate for each channel
};

/// What can be shown of several heads: each of them, then all in one as mean, greatest and least.
struct HeadChoice {
    std::size_t index = 0;
    const Head* head = nullptr;
    bool all = false;  ///< several in one
};
/// As the knobs `combine` and `head` say, brought among those there are.
HeadChoice head_choice(const Page& page);
/// The head of which a figure shows what lies on the way; it offers no maps of all heads.
std::size_t shown_head(const Page& page);
/// The knobs that show a choice.
Values show_head(const Result& result, std::size_t choice);
/// How many choices there are.
std::size_t head_choices(const Result& result);
/// "head 2: previous word", "mean of 4 heads".
std::string head_name(const Result& result, std::size_t choice);

/// The one query a figure talks about, the key it points at, and the query's row.
struct Reading {
    Layout layout = Layout::picture;
    bool self = false;  ///< queries and keys are the same pieces
    Index query = 0;    ///< of the scene
    Index shown = 0;    ///< the query the pointer is on, else `query`
    Index key = 0;      ///< the key the pointer is on, else the one drawn, else the heaviest but the
                        ///< query itself; a place in the middle of gates over a picture
    const Head* head = nullptr;
    std::span<const float> scores, weights;  ///< the row of `query`
    std::span<const float> allowed;          ///< its flags; empty where all are allowed
    Index seen = 0;                          ///< keys that the query may see
    bool blind = false;                      ///< it sees none
    std::optional<Index> picked;             ///< the one key that `query` takes, where one is drawn
    std::string head_name;                   ///< "head 1 of 4", "channel 2 of 8"; empty where there is one
};
Reading read(const Page& page);

/// How many keys a query may see.
Index keys_seen(const Trace& trace, Index query);

/// The row of a map of pairs that belongs to the page: the query's, or where no query asks the key's own.
Index row_of(const Reading& reading, const Map& map);
/// The rows of what the query's scores are the sum of; empty where they are not shown as a sum.
std::vector<std::span<const float>> addends_of(const Page& page, const Reading& reading);
/// A step's map for the head shown.
const Map& map_of(const Page& page, const Step& step);

/// What a row of weights is like.
struct RowFacts {
    Index heaviest = 0;
    double largest = 0.0;
    double sum = 0.0;
    bool shares = false;     ///< not negative, summing to 1: entropy and shares mean something
    double entropy = 0.0;    ///< nats
    double effective = 0.0;  ///< exp(entropy): as many equal weights would be as undecided
    double top_ten = 0.0;    ///< share of the ten heaviest keys
};
RowFacts facts(std::span<const float> weights);

/// Keys by weight, the heaviest first; equal ones in order.
std::vector<Index> by_weight(std::span<const float> weights);

/// "(12, 5)" on a grid, a word and its number in a row of words, "channel 3".
std::string name_of(const Page& page, const Reading& reading, Index piece, bool as_query);

/// "drawn, seed 7": how the one key that a query takes was chosen; empty where a mean is taken.
std::string how_taken(const Page& page);

/// One sentence about queries that see nothing; empty when there are none.
std::string blind_warning(const Page& page);

}  // namespace attn
