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

float taken_in(float so_far, float value, Combine how) {
    if (how == Combine::mean) return so_far + value;
    return how == Combine::greatest ? std::max(so_far, value) : std::min(so_far, value);
}

/// A pair that a head does not hold weighs 0 in it.
Map weights_in_one(std::vector<Map> maps, Combine how) {
    const Index rows = maps.front().rows();
    const Index columns = maps.front().columns();
    return {rows, columns, [maps = std::move(maps), how](Index r, std::span<float> row) {
                maps.front().read(r, row);
                std::vector<float> next(row.size());
                for (const Map& map : std::span(maps).subspan(1)) {
                    map.read(r, next);
                    for (std::size_t c = 0; c < row.size(); ++c) row[c] = taken_in(row[c], next[c], how);
                }
                if (how == Combine::mean)
                    for (float& value : row) value /= static_cast<float>(maps.size());
            }};
}

/// A pair that a head does not hold has no score in it: the other heads decide.
Map scores_in_one(std::vector<Map> maps, Combine how) {
    const Index rows = maps.front().rows();
    const Index columns = maps.front().columns();
    return {rows, columns, [maps = std::move(maps), how](Index r, std::span<float> row) {
                std::vector<Index> held(row.size());
                for (const Map& map : maps)
                    map.visit(r, [&](Index column, float score) {
                        const auto c = static_cast<std::size_t>(column);
                        row[c] = held[c]++ == 0 ? score : taken_in(row[c], score, how);
                    });
                for (std::size_t c = 0; how == Combine::mean && c < row.size(); ++c)
                    row[c] /= static_cast<float>(std::max<Index>(held[c], 1));
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
    return {scores_in_one(std::move(scores), how), weights_in_one(std::move(weights), how)};
}

}  // namespace attn
