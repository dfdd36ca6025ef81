#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/pattern.h"

namespace attn {

/// Which keys one layer's queries may see, as the user wrote it: a pattern with its knobs, or patterns
/// combined.
struct Layer {
    enum class Kind {
        pattern,
        both,    ///< seen by every part
        either,  ///< seen by some part
        none     ///< not seen by the one part
    };
    Kind kind = Kind::pattern;
    std::string id = "global";  ///< of a pattern
    Values set;                 ///< its knobs; absent ones have their defaults
    std::vector<Layer> parts;   ///< of a combination
    friend bool operator==(const Layer&, const Layer&) = default;
};

/// A stack in the network's order, input first: layers separated by `;`, knobs as name=value, combined by
/// `and`, `or`, `not` and parentheses (`not` binds tightest, then `and`): "local k=7; axial m=9 or custom
/// text=\"k < 4\"". Values with spaces, `;` or parentheses stand in quotes. Throws UsageError with one
/// sentence that names the word it stumbled on.
std::vector<Layer> parse_stack(std::string_view text);

/// The stack as text that parse_stack reads back to the same layers.
std::string format_stack(std::span<const Layer> stack);

/// Why this layer is not legal on this grid: one sentence, or empty.
std::optional<std::string> problem(const Layer& layer, Grid grid);

/// The closed formula for the entries of one head on height × width; empty where the layer has none
/// (combinations, typed rules).
std::optional<double> formula_entries(const Layer& layer, double height, double width);

/// A layer on a grid, checked, ready to be asked. Copies share what they read; asking is safe from several
/// threads.
class BoundPattern {
  public:
    /// Throws UsageError for unknown patterns, knobs and values out of range, Error for a combination that
    /// `problem` speaks of, or an empty grid.
    BoundPattern(Layer layer, Grid grid);

    [[nodiscard]] const Layer& layer() const { return layer_; }
    [[nodiscard]] Grid grid() const { return grid_; }
    [[nodiscard]] Index size() const { return grid_.size(); }

    /// Whether the query may see the key. A summary key stands for every position of its cell.
    [[nodiscard]] bool sees(Index query, Index key) const { return rule_->sees(query, key); }
    /// The positions the query sees, ascending; replaces `out`.
    void keys(Index query, std::vector<Index>& out) const;
    /// The same as disjoint boxes; replaces `out`.
    void boxes(Index query, Boxes& out) const;
    /// The number of keys: of positions seen, or of summary keys where a key stands for a cell.
    [[nodiscard]] Index count(Index query) const;
    /// The weights of one head really stored for this query: padding and second passes included.
    [[nodiscard]] Index stored(Index query) const;
    /// Whether count and stored are the number of positions seen, for every query.
    [[nodiscard]] bool counts_positions() const { return !rule_->count && !rule_->stored; }
    [[nodiscard]] Outlines outlines(Index query) const;
    [[nodiscard]] const Product* product() const { return rule_->product.get(); }
    /// One row of the mask: 1 where the query sees the key. `row` has size() places.
    void mask_row(Index query, std::span<unsigned char> row) const;

    friend bool operator==(const BoundPattern& a, const BoundPattern& b) {
        return a.grid_ == b.grid_ && a.layer_ == b.layer_;
    }

  private:
    Layer layer_;
    Grid grid_;
    std::shared_ptr<const Rule> rule_;
};

/// Every layer of a stack on one grid.
std::vector<BoundPattern> bind(std::span<const Layer> stack, Grid grid);

}  // namespace attn
