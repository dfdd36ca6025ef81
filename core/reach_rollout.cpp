#include "core/reach_rollout.h"

#include <cmath>
#include <string>

#include "core/reach.h"

namespace attn {

namespace {

constexpr double tolerance = 1e-5;

std::string row_problem(const Map& head) {
    for (Index r = 0; r < head.rows(); ++r) {
        double sum = 0.0;
        head.visit(r, [&sum](Index, float weight) { sum += static_cast<double>(weight); });
        if (!(std::abs(sum - 1.0) <= tolerance))
            return "rollout hands on shares of 1: expected weights whose rows sum to 1, got " +
                   std::to_string(sum) + " in row " + std::to_string(r) +
                   "; choose a mechanism with a softmax and no blind query";
    }
    return {};
}

/// The row vector x times the mean of the heads.
std::vector<double> handed_on(const std::vector<double>& x, const std::vector<Map>& heads, bool residual) {
    std::vector<double> next(x.size());
    const double share = (residual ? 0.5 : 1.0) / static_cast<double>(heads.size());
    for (const Map& head : heads)
        for (std::size_t p = 0; p < x.size(); ++p) {
            if (x[p] == 0.0) continue;
            head.visit(static_cast<Index>(p), [&, passed = share * x[p]](Index key, float weight) {
                next[static_cast<std::size_t>(key)] += passed * static_cast<double>(weight);
            });
        }
    if (residual)
        for (std::size_t p = 0; p < x.size(); ++p) next[p] += 0.5 * x[p];
    return next;
}

}  // namespace

std::string rollout_problem(const Rollout& rollout) {
    if (rollout.layers.empty() || rollout.layers.front().empty())
        return "rollout needs at least one layer with one head, got none";
    const Index n = rollout.layers.front().front().rows();
    for (const auto& heads : rollout.layers) {
        if (heads.empty()) return "rollout needs at least one head in every layer, got none";
        for (const Map& head : heads) {
            if (head.rows() != n || head.columns() != n)
                return "rollout needs every query to be a key of the next layer: expected " +
                       std::to_string(n) + "×" + std::to_string(n) + " weights, got " +
                       std::to_string(head.rows()) + "×" + std::to_string(head.columns());
            if (std::string sentence = row_problem(head); !sentence.empty()) return sentence;
        }
    }
    return {};
}

std::vector<double> rollout_row(const Rollout& rollout, Index query, Index layers,
                                const std::stop_token& stop) {
    if (const std::string sentence = rollout_problem(rollout); !sentence.empty()) throw Error(sentence);
    const Index n = rollout.layers.front().front().rows();
    if (query < 0 || query >= n)
        throw Error("expected a query from 0 to " + std::to_string(n - 1) + ", got " + std::to_string(query));
    if (layers < 1) throw Error("expected at least 1 layer, got " + std::to_string(layers));
    std::vector<double> row(static_cast<std::size_t>(n));
    row[static_cast<std::size_t>(query)] = 1.0;
    for (Index l = layers; l >= 1; --l) {
        const auto place = static_cast<std::size_t>(l - 1) % rollout.layers.size();
        if (stop.stop_requested()) throw Cancelled();
        row = handed_on(row, rollout.layers[place], rollout.residual);
    }
    return row;
}

}  // namespace attn
