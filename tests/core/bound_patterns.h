#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/pattern_layer.h"

namespace attn {

inline Layer layer(std::string_view text) {
    return parse_stack(text).front();
}
inline BoundPattern bound(std::string_view text, Grid grid) {
    return {layer(text), grid};
}
inline std::vector<Index> keys(const BoundPattern& pattern, Index q) {
    std::vector<Index> found;
    pattern.keys(q, found);
    return found;
}

inline std::string describe(const BoundPattern& pattern) {
    const std::vector<Layer> stack = {pattern.layer()};
    return format_stack(stack) + " on " + std::to_string(pattern.grid().height) + "×" +
           std::to_string(pattern.grid().width);
}

inline void expect_keys_equal_predicate(const BoundPattern& pattern) {
    for (Index q = 0; q < pattern.size(); ++q) {
        std::vector<Index> seen;
        for (Index k = 0; k < pattern.size(); ++k)
            if (pattern.sees(q, k)) seen.push_back(k);
        ASSERT_EQ(keys(pattern, q), seen) << describe(pattern) << ", query " << q;
        if (pattern.layer().id != "gsa") {
            ASSERT_EQ(pattern.count(q), static_cast<Index>(seen.size())) << describe(pattern);
        }
        ASSERT_GE(pattern.stored(q), pattern.count(q)) << describe(pattern);
    }
}

}  // namespace attn
