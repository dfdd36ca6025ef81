#include "core/heads.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/matrix.h"

namespace attn {

namespace {

/// The part of the mask that head `head` obeys.
SharedArray mask_of_head(const SharedArray& allowed, Index head) {
    if (!allowed || allowed->rank() == 2) return allowed;
    const Index n = allowed->extent(1);
    const Index m = allowed->extent(2);
    const auto flags =
        allowed->values().subspan(static_cast<std::size_t>(head * n * m), static_cast<std::size_t>(n * m));
    return share(Array({n, m}, std::vector<float>(flags.begin(), flags.end()), Element::flag));
}

}  // namespace

Index head_width(const Array& array, Index axis, Index heads, std::string_view name) {
    const Index channels = array.extent(axis);
    if (heads < 1 || channels % heads != 0)
        throw Error("array '" + std::string(name) + "': expected channels that " + std::to_string(heads) +
                    " heads divide on axis " + std::to_string(axis) + ", got the shape " +
                    describe(array.shape()));
    return channels / heads;
}

Array head_block(const Array& rows, Index heads, Index head) {
    const Index width = rows.extent(1) / heads;
    Array block({rows.extent(0), width});
    matrix(block) = matrix(rows).middleCols(head * width, width);
    return block;
}

Attended attend_heads(const Array& queries, const Array& keys, const Array& values, Index heads, float scale,
                      const Softmax& softmax) {
    const Index n = queries.extent(0);
    const Index m = keys.extent(0);
    const Index d = queries.extent(1) / heads;
    const Index dv = values.extent(1) / heads;
    const float factor = scale == 0.0F ? 1.0F / std::sqrt(static_cast<float>(d)) : scale;
    Array scores({heads, n, m});
    Array weights({heads, n, m});
    Array output({n, heads * dv});
    std::vector<Index> blind;
    for (Index h = 0; h < heads; ++h) {
        const Attended one =
            attend(head_block(queries, heads, h), head_block(keys, heads, h), head_block(values, heads, h),
                   factor, {softmax.tau, mask_of_head(softmax.allowed, h)});
        matrix(scores, heads * n, m).middleRows(h * n, n) = matrix(*one.scores);
        matrix(weights, heads * n, m).middleRows(h * n, n) = matrix(*one.weights);
        matrix(output).middleCols(h * dv, dv) = matrix(*one.output);
        if (h == 0)
            blind = one.blind;
        else
            std::erase_if(blind, [&](Index i) { return !std::ranges::binary_search(one.blind, i); });
    }
    return {share(std::move(scores)), share(std::move(weights)), share(std::move(output)), std::move(blind)};
}

Array mean_over_heads(const Array& maps) {
    const Index heads = maps.extent(0);
    const Index n = maps.extent(1);
    Array mean({n, maps.extent(2)});
    vector(mean) = matrix(maps, heads, mean.size()).colwise().mean().transpose();
    return mean;
}

SharedArray pattern_mask(const Layer& layer, Grid grid) {
    const BoundPattern bound(layer, grid);
    const Index n = bound.size();
    Array allowed({n, n}, 0.0F, Element::flag);
    std::vector<unsigned char> row(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) {
        bound.mask_row(i, row);
        std::ranges::copy(row, allowed.values().begin() + i * n);
    }
    return share(std::move(allowed));
}

SharedArray stacked(const std::vector<SharedArray>& masks) {
    const Index n = masks.front()->extent(0);
    const Index m = masks.front()->extent(1);
    Array all({static_cast<Index>(masks.size()), n, m}, 0.0F, masks.front()->element());
    auto place = all.values().begin();
    for (const SharedArray& mask : masks) place = std::ranges::copy(mask->values(), place).out;
    return share(std::move(all));
}

}  // namespace attn
