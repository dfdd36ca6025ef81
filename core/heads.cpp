#include "core/heads.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/matrix.h"

namespace attn {

namespace {

/// Takes one more head into a row of several in one.
void take_in(std::span<float> row, std::span<const float> head, Combine how) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (how == Combine::mean)
            row[i] += head[i];
        else if (how == Combine::greatest)
            row[i] = std::max(row[i], head[i]);
        else
            row[i] = std::min(row[i], head[i]);
    }
}

Map in_one(std::vector<Map> maps, Combine how) {
    const Index rows = maps.front().rows();
    const Index columns = maps.front().columns();
    return {rows, columns, [maps = std::move(maps), how](Index r, std::span<float> row) {
                maps.front().read(r, row);
                std::vector<float> next(row.size());
                for (const Map& map : std::span(maps).subspan(1)) {
                    map.read(r, next);
                    take_in(row, next, how);
                }
                if (how == Combine::mean)
                    for (float& value : row) value /= static_cast<float>(maps.size());
            }};
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

Head combined(const std::vector<Head>& heads, Combine how) {
    std::vector<Map> scores;
    std::vector<Map> weights;
    for (const Head& head : heads) {
        scores.push_back(head.scores);
        weights.push_back(head.weights);
    }
    return {in_one(std::move(scores), how), in_one(std::move(weights), how)};
}

}  // namespace attn
