#include "app/gui/knob_scale.h"

#include <algorithm>
#include <cmath>

#include "app/figures/format.h"

namespace attn {
namespace {

constexpr double automatic_gap = 0.05;  // share of the rail between the automatic value and the range

/// The right end of the rail; more can be typed.
double top(const Parameter& knob) {
    return knob.offered > 0.0 ? knob.offered : knob.high;
}

bool logarithmic(const Parameter& knob) {
    return knob.scale == Parameter::Scale::logarithmic && knob.low > 0;
}
bool whole(const Parameter& knob) {
    return knob.kind != Parameter::Kind::real;
}

/// The automatic value stands apart only where the range does not begin with it.
double gap(const Parameter& knob) {
    return knob.automatic.empty() || knob.low <= 0.0 ? 0.0 : automatic_gap;
}

/// The power of ten at or below a number.
double decade(double number) {
    return std::pow(10.0, std::floor(std::log10(number)));
}

/// The steps a pointer moves in near `number`: 1, 2 or 5 times a power of ten.
double step_size(const Parameter& knob, double number) {
    if (logarithmic(knob)) return decade(std::max(std::abs(number), knob.low)) / 20;
    const double wanted = (top(knob) - knob.low) / 200;
    const double ten = decade(wanted);
    return wanted / ten < 1.5 ? ten : wanted / ten < 3.5 ? 2 * ten : 5 * ten;
}

Value as_value(const Parameter& knob, double number) {
    const double legal = std::clamp(number, knob.low, knob.high);
    if (whole(knob)) return static_cast<Index>(std::llround(legal));
    return legal;
}

/// To whole steps. Dividing by the steps in a unit keeps 0.15 from becoming 0.15000000000000002.
Value rounded(const Parameter& knob, double number, double finer) {
    const double per_unit = std::round(finer / step_size(knob, number) * 1e6) / 1e6;
    return as_value(knob, std::round(number * per_unit) / per_unit);
}

}  // namespace

double share_of(const Parameter& knob, double number) {
    const double first = gap(knob);
    if (first > 0.0 && number == 0.0) return 0.0;
    if (top(knob) <= knob.low) return 0.0;
    const double share =
        logarithmic(knob) ? std::log(std::max(number, knob.low) / knob.low) / std::log(top(knob) / knob.low)
                          : (number - knob.low) / (top(knob) - knob.low);
    return first + std::clamp(share, 0.0, 1.0) * (1.0 - first);
}

Value value_at(const Parameter& knob, double share, bool fine) {
    const double first = gap(knob);
    if (first > 0.0 && share < first / 2) {
        return whole(knob) ? Value(Index{0}) : Value(0.0);
    }
    const double t = std::clamp((share - first) / (1.0 - first), 0.0, 1.0);
    const double number = logarithmic(knob) ? knob.low * std::pow(top(knob) / knob.low, t)
                                            : knob.low + t * (top(knob) - knob.low);
    if (whole(knob)) return as_value(knob, number);
    return rounded(knob, number, fine ? 10.0 : 1.0);
}

Value stepped(const Parameter& knob, double number, double steps) {
    if (whole(knob)) {
        const double by = logarithmic(knob) ? std::max(1.0, std::round(number / 10)) : 1.0;
        return as_value(knob, number + std::round(steps) * by);
    }
    return rounded(knob, number + steps * step_size(knob, number), 1.0);
}

double number_of(const Value& value) {
    if (const auto* index = std::get_if<Index>(&value)) return static_cast<double>(*index);
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : 0.0;
}

std::string shown_value(const Parameter& knob, const Value& value) {
    const double number = number_of(value);
    if (number == 0.0 && !knob.automatic.empty()) return knob.automatic;
    return knob.unit.empty() ? plain(number) : plain(number) + " " + knob.unit;
}

}  // namespace attn
