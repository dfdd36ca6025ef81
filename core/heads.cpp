#include "core/heads.h"

#include <string>

#include "core/error.h"
#include "core/matrix.h"

namespace attn {

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

Array heads_beside(const Array& apart) {
    const Index heads = apart.extent(0);
    const Index d = apart.extent(-1);
    const Index n = apart.size() / (heads * d);
    Array beside({n, heads * d});
    for (Index head = 0; head < heads; ++head)
        matrix(beside).middleCols(head * d, d) = matrix(apart, heads * n, d).middleRows(head * n, n);
    return beside;
}

Array heads_apart(const Array& beside, Index heads) {
    const Index n = beside.extent(0);
    const Index d = beside.extent(1) / heads;
    Array apart({heads, n, d});
    for (Index head = 0; head < heads; ++head)
        matrix(apart, heads * n, d).middleRows(head * n, n) = matrix(beside).middleCols(head * d, d);
    return apart;
}

Array mean_over_heads(const Array& maps) {
    const Index heads = maps.extent(0);
    const Index n = maps.extent(1);
    Array mean({n, maps.extent(2)});
    vector(mean) = matrix(maps, heads, mean.size()).colwise().mean().transpose();
    return mean;
}

}  // namespace attn
