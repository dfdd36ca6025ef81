#pragma once

#include "core/array.h"

namespace attn {

/// Where pieces lie: H×W cells, row-major; a sequence is 1×N.
struct Grid {
    Index height = 1;
    Index width = 0;
    [[nodiscard]] Index size() const { return height * width; }
    friend bool operator==(const Grid&, const Grid&) = default;
};

}  // namespace attn
