#include "core/parameter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <type_traits>

#include "core/error.h"

namespace attn {
namespace {

constexpr int digits = 9;  // significant digits of a real knob, in text and in memory

/// The whole text as a number, or nothing.
template <typename Number>
std::optional<Number> read(std::string_view text) {
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// As %.9g, whatever the locale.
std::string written(double number) {
    std::array<char, 32> text{};
    char* const begin = text.data();
    return {begin, std::to_chars(begin, begin + text.size(), number, std::chars_format::general, digits).ptr};
}

/// To nine significant digits, so that text carries every knob exactly.
double rounded(double number) {
    return read<double>(written(number)).value_or(number);
}

std::string joined(const std::vector<Choice>& choices) {
    std::string text;
    for (const Choice& choice : choices) text += (text.empty() ? "" : ", ") + choice.id;
    return text;
}

/// "a number from 0.01 to 10, or 0 for 1/√d".
std::string expectation(const Parameter& parameter) {
    const std::string span = " from " + written(parameter.low) + " to " + written(parameter.high) +
                             (parameter.automatic.empty() ? "" : ", or 0 for " + parameter.automatic);
    switch (parameter.kind) {
        case Parameter::Kind::toggle:
            return "true or false";
        case Parameter::Kind::integer:
            return "a whole number" + span;
        case Parameter::Kind::real:
            return "a number" + span;
        case Parameter::Kind::choice:
            return "one of " + joined(parameter.choices);
        case Parameter::Kind::text:
            return "text";
        case Parameter::Kind::position:
            return "a position" + span + ", or row,column";
    }
    return {};
}

[[noreturn]] void refuse(const Parameter& parameter, std::string_view got) {
    throw UsageError("knob '" + parameter.id + "': expected " + expectation(parameter) + ", got '" +
                     std::string(got) + "'");
}

bool in_range(const Parameter& parameter, double number) {
    if (number == 0.0 && !parameter.automatic.empty()) return true;
    return number >= parameter.low && number <= parameter.high;
}

std::optional<bool> as_flag(const Value& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag;
    const auto* index = std::get_if<Index>(&value);
    if (index != nullptr && (*index == 0 || *index == 1)) return *index == 1;
    return std::nullopt;
}

std::optional<Index> as_index(const Value& value) {
    if (const auto* index = std::get_if<Index>(&value)) return *index;
    const auto* real = std::get_if<double>(&value);
    constexpr double most = 9007199254740992.0;  // 2^53: beyond it a double is not one whole number
    if (real != nullptr && std::abs(*real) <= most && std::trunc(*real) == *real)
        return static_cast<Index>(*real);
    return std::nullopt;
}

std::optional<double> as_real(const Value& value) {
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* index = std::get_if<Index>(&value)) return static_cast<double>(*index);
    return std::nullopt;
}

/// The value in the knob's kind, or nothing where it is not a legal one.
std::optional<Value> converted(const Parameter& parameter, const Value& value) {
    switch (parameter.kind) {
        case Parameter::Kind::toggle:
            if (const auto flag = as_flag(value)) return Value(*flag);
            break;
        case Parameter::Kind::integer:
        case Parameter::Kind::position:
            if (const auto index = as_index(value); index && in_range(parameter, static_cast<double>(*index)))
                return Value(*index);
            break;
        case Parameter::Kind::real:
            if (const auto real = as_real(value); real && in_range(parameter, *real))
                return Value(rounded(*real));
            break;
        case Parameter::Kind::choice: {
            const auto* id = std::get_if<std::string>(&value);
            if (id != nullptr && std::any_of(parameter.choices.begin(), parameter.choices.end(),
                                             [&](const Choice& choice) { return choice.id == *id; }))
                return value;
            break;
        }
        case Parameter::Kind::text:
            if (std::holds_alternative<std::string>(value)) return value;
            break;
    }
    return std::nullopt;
}

std::optional<Value> read_flag(std::string_view text) {
    for (const std::string_view yes : {"true", "on", "yes", "1"})
        if (text == yes) return Value(true);
    for (const std::string_view no : {"false", "off", "no", "0"})
        if (text == no) return Value(false);
    return std::nullopt;
}

template <typename Number>
std::optional<Value> read_number(std::string_view text) {
    if (const auto number = read<Number>(text)) return Value(*number);
    return std::nullopt;
}

/// "12,5" on a grid with 24 columns is 12·24 + 5.
std::optional<Value> read_position(std::string_view text, Index columns) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return read_number<Index>(text);
    const auto row = read<Index>(text.substr(0, comma));
    const auto column = read<Index>(text.substr(comma + 1));
    constexpr Index most = Index{1} << 31;  // keeps the product in an Index
    if (!row || !column || *row < 0 || *row > most || *column < 0 || *column >= columns || columns > most)
        return std::nullopt;
    return Value(*row * columns + *column);
}

std::optional<Value> read_as(Parameter::Kind kind, std::string_view text, Index columns) {
    switch (kind) {
        case Parameter::Kind::toggle:
            return read_flag(text);
        case Parameter::Kind::integer:
            return read_number<Index>(text);
        case Parameter::Kind::real:
            return read_number<double>(text);
        case Parameter::Kind::position:
            return read_position(text, columns);
        case Parameter::Kind::choice:
        case Parameter::Kind::text:
            break;
    }
    return Value(std::string(text));
}

const Parameter& known(std::span<const Parameter> schema, std::string_view id) {
    const Parameter* parameter = find(schema, id);
    if (parameter == nullptr) throw std::logic_error("no knob '" + std::string(id) + "' in the schema");
    return *parameter;
}

[[noreturn]] void wrong_kind(std::string_view id) {
    throw std::logic_error("knob '" + std::string(id) + "' is asked for as another kind than it holds");
}

}  // namespace

const Parameter* find(std::span<const Parameter> schema, std::string_view id) {
    const auto found = std::find_if(schema.begin(), schema.end(),
                                    [&](const Parameter& parameter) { return parameter.id == id; });
    return found == schema.end() ? nullptr : &*found;
}

Value parse(const Parameter& parameter, std::string_view text, Index columns) {
    const auto value = read_as(parameter.kind, text, columns);
    const auto legal = value ? converted(parameter, *value) : std::nullopt;
    if (!legal) refuse(parameter, text);
    return *legal;
}

Value checked(const Parameter& parameter, const Value& value) {
    const auto legal = converted(parameter, value);
    if (!legal) refuse(parameter, format(value));
    return *legal;
}

std::string format(const Value& value) {
    return std::visit(
        [](const auto& held) -> std::string {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, bool>) {
                return held ? "true" : "false";
            } else if constexpr (std::is_same_v<Held, Index>) {
                return std::to_string(held);
            } else if constexpr (std::is_same_v<Held, double>) {
                return written(held);
            } else {
                return held;
            }
        },
        value);
}

const Value& value_of(std::span<const Parameter> schema, const Values& values, std::string_view id) {
    const Parameter& parameter = known(schema, id);
    const auto set = values.find(id);
    return set == values.end() ? parameter.initial : set->second;
}

bool enabled(const Parameter& parameter, std::span<const Parameter> schema, const Values& values) {
    if (parameter.enabled_by.empty()) return true;
    const std::string now = format(value_of(schema, values, parameter.enabled_by));
    return std::find(parameter.enabled_for.begin(), parameter.enabled_for.end(), now) !=
           parameter.enabled_for.end();
}

bool Knobs::flag(std::string_view id) const {
    const auto flag = as_flag(value_of(schema_, *values_, id));
    if (!flag) wrong_kind(id);
    return *flag;
}

Index Knobs::integer(std::string_view id) const {
    const auto* index = std::get_if<Index>(&value_of(schema_, *values_, id));
    if (index == nullptr) wrong_kind(id);
    return *index;
}

double Knobs::real(std::string_view id) const {
    const auto real = as_real(value_of(schema_, *values_, id));
    if (!real) wrong_kind(id);
    return *real;
}

const std::string& Knobs::text(std::string_view id) const {
    const auto* text = std::get_if<std::string>(&value_of(schema_, *values_, id));
    if (text == nullptr) wrong_kind(id);
    return *text;
}

}  // namespace attn
