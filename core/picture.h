#pragma once

#include <cstdint>
#include <vector>

#include "core/array.h"

namespace attn {

/// An opaque sRGB picture, 8 bits a channel, rows from the top.
struct Picture {
    Index height = 0;
    Index width = 0;
    std::vector<std::uint8_t> rgb;  ///< height · width · 3
    friend bool operator==(const Picture&, const Picture&) = default;
};

}  // namespace attn
