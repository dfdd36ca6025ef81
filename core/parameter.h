#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/array.h"

namespace attn {

/// What a knob is set to.
using Value = std::variant<bool, Index, double, std::string>;
/// Knob id → value. A knob that is absent has its default.
using Values = std::map<std::string, Value, std::less<>>;

/// One option of a knob that chooses.
struct Choice {
    std::string id;     ///< as written in JSON, cases and --set
    std::string label;  ///< as shown
    std::string help;   ///< one line
};

/// One knob: the only place where it is written. Sliders, command-line options, JSON, tooltips and the
/// reference page are made from this record.
struct Parameter {
    enum class Kind {
        toggle,   ///< bool
        integer,  ///< Index
        real,     ///< double
        choice,   ///< std::string, the id of one of `choices`
        text,     ///< std::string
        position  ///< Index, row-major on the grid of queries; `row,column` is read too
    };
    enum class Scale { linear, logarithmic };
    /// Where the panel shows it: the query, the mechanism's or the pattern's own knobs, the stack of layers,
    /// the picture, words or grid, and the figure's knobs. A change of `view` asks only for a new drawing.
    enum class Group { query, mechanism, layers, input, view };

    std::string id{};      ///< ASCII: tau, beta, k, m, r, …
    std::string symbol{};  ///< as in formulas: τ, β; empty where there is none
    std::string label{};   ///< in words: temperature
    std::string unit{};    ///< "" where it has none
    std::string help{};    ///< one line
    Kind kind = Kind::real;
    Group group = Group::mechanism;
    Value initial = 0.0;
    double low = 0.0;   ///< least legal number (integer, real)
    double high = 1.0;  ///< greatest
    double offered =
        0.0;  ///< greatest that a slider offers where that is less than `high`, else 0: more is typed
    Scale scale = Scale::linear;
    std::vector<Choice> choices{};
    /// Enabled only while the choice or toggle `enabled_by` has one of the values `enabled_for`; always when
    /// empty.
    std::string enabled_by{};
    std::vector<std::string> enabled_for{};
    /// When not empty, 0 is legal whatever `low` says and means this: "1/√d", "the whole axis".
    std::string automatic{};
};

/// The parameter of that id, or nullptr.
const Parameter* find(std::span<const Parameter> schema, std::string_view id);

/// Reads text as a value of this knob ("0.15", "true", "gaussian", "12,5" for a position on a grid with
/// `columns` columns). Throws UsageError naming the knob, what was expected (range or choices) and what came.
Value parse(const Parameter& parameter, std::string_view text, Index columns = 0);

/// The value brought to the knob's kind (an Index for a real becomes a double, …); a real is rounded to nine
/// significant digits, so that text carries it exactly. Throws UsageError as parse does when the value is of
/// a wrong kind, not one of the choices, or out of range.
Value checked(const Parameter& parameter, const Value& value);

/// The value as text that parse reads back to the same value, with at most 9 significant digits.
std::string format(const Value& value);

/// The knob's value in `values`, or its default. Throws std::logic_error when the schema has no such knob.
const Value& value_of(std::span<const Parameter> schema, const Values& values, std::string_view id);

/// Whether the knob has an effect now.
bool enabled(const Parameter& parameter, std::span<const Parameter> schema, const Values& values);

/// A read-only view of knobs with their schema: `knobs.real("tau")`.
class Knobs {
  public:
    Knobs(std::span<const Parameter> schema, const Values& values) : schema_(schema), values_(&values) {}
    [[nodiscard]] bool flag(std::string_view id) const;
    [[nodiscard]] Index integer(std::string_view id) const;  ///< integers and positions
    [[nodiscard]] double real(std::string_view id) const;
    [[nodiscard]] const std::string& text(std::string_view id) const;  ///< choices and text

  private:
    std::span<const Parameter> schema_;
    const Values* values_;
};

}  // namespace attn
