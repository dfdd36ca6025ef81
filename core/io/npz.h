#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/array.h"
#include "core/parameter.h"

namespace attn {

/// A case file: arrays `in.* w.* b.* bn.* ln.* out.*` and knobs (the file's `p.NAME`, here without `p.`; 0-d
/// numbers and ASCII text). int64 and bool arrays become floats with their Element.
struct Case {
    Arrays arrays;
    Values knobs;
};

/// Reads an .npz (stored, deflated or zip64 members) from memory; `name` is for messages. Checks every
/// member's CRC and size before allocating. Reads little-endian f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 and S/U
/// text, C or Fortran order. Throws Error naming the member and what is wrong.
Case read_npz(std::string_view bytes, std::string_view name);

/// The same bytes at any time: members in order of name, stored, with a fixed date.
std::string write_npz(const Case& contents);

/// One array, by the same rules.
Array read_npy(std::string_view bytes, std::string_view name);
std::string write_npy(const Array& array);
/// A bool array made in its place, however large: `fill` gets a zero byte per element and sets the true ones
/// to 1.
std::string write_npy_flags(const Shape& shape, const std::function<void(std::span<unsigned char>)>& fill);

}  // namespace attn
