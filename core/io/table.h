#pragma once

#include <string>

#include "core/array.h"

namespace attn {

/// The shortest text that reads back to the same number; "nan", "inf", "-inf".
std::string shortest(float value);

/// An array as CSV (RFC 4180, CRLF-free): one line per row of the last axis, preceded by the indices of the
/// other axes, under a header `axis0,axis1,…,0,1,2…`; numbers with up to 9 significant digits, so that they
/// read back exactly.
std::string to_csv(const Array& array);

/// Named arrays as JSON: {"name": {"shape": […], "values": […flat]}, …}; NaN and infinities as the strings
/// "nan", "inf",
/// "-inf".
std::string to_json(const Arrays& arrays);

}  // namespace attn
