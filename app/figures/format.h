#pragma once

#include <string>
#include <string_view>

#include "core/array.h"

namespace attn {

/// Numbers as figures write them: digits in groups of three with a comma, the true minus sign, powers of ten
/// as superscripts.

/// 1644167168 → "1,644,167,168".
std::string grouped(Index number);
/// The number with so many significant digits, trailing zeros kept so that nothing jitters while it changes:
/// 0.04168 → "0.0417", 1.2e-7 → "1.20·10⁻⁷", 12345.6 → "12,346". "∞", "−∞" and "not a number" for what is
/// none.
std::string significant(double number, int digits = 3);
/// With so many digits after the point: 0.1 → "0.10".
std::string fixed(double number, int decimals);
/// Without trailing zeros, as a knob's value: 0.15 → "0.15", 2.0 → "2".
std::string plain(double number);
/// A share as "62.54 %".
std::string percent(double share, int decimals);
/// Decimal units: 2458624 → "2.46 MB".
std::string bytes(double count);
/// The text as a field of comma-separated values.
std::string quoted(std::string_view text);
/// "₂₉₃", "10⁻⁵" without its 10.
std::string subscript(Index number);
std::string superscript(Index number);

}  // namespace attn
