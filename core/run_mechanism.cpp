#include "core/run_mechanism.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include "core/error.h"

namespace attn {
namespace {

/// The first number that is not finite, or the number of values. Whole blocks are told by their exponents
/// without a branch, since every frame looks at every number.
std::size_t first_infinite(std::span<const float> values) {
    constexpr std::uint32_t exponent = 0x7f800000U;
    constexpr std::size_t block = 1024;
    for (std::size_t first = 0; first < values.size(); first += block) {
        const auto some = values.subspan(first, std::min(block, values.size() - first));
        std::uint32_t found = 0;
        for (const float x : some)
            found |= (std::bit_cast<std::uint32_t>(x) & exponent) == exponent ? 1U : 0U;
        if (found == 0) continue;
        const auto bad = std::ranges::find_if(some, [](float x) { return !std::isfinite(x); });
        return first + static_cast<std::size_t>(bad - some.begin());
    }
    return values.size();
}

std::string name_of(float infinite) {
    return std::isnan(infinite) ? "NaN" : "an infinity";
}

void require_finite(const std::string& name, const Array& array, const std::string& expected,
                    const std::string& advice) {
    const auto values = array.values();
    const std::size_t place = first_infinite(values);
    if (place == values.size()) return;
    throw Error("array '" + name + "': expected " + expected + ", got " + name_of(values[place]) +
                " at position " + std::to_string(place) + advice);
}

/// Scores that are no `out.*` array: of pairs. A slot without a key may hold anything.
void require_finite_scores(const Trace& trace) {
    const Array* looked_at = nullptr;  // heads share one array
    for (const Head& head : trace.heads) {
        const SharedArray held = head.scores.held();
        if (!held || held.get() == looked_at) continue;
        looked_at = held.get();
        if (first_infinite(held->values()) == held->values().size()) continue;
        for (const Head& each : trace.heads)
            for (Index query = 0; query < each.scores.rows(); ++query)
                each.scores.visit(query, [query](Index key, float score) {
                    if (!std::isfinite(score))
                        throw Error("the scores: expected numbers that a float can hold, got " +
                                    name_of(score) + " for query " + std::to_string(query) + " and key " +
                                    std::to_string(key) + "; scale the arrays down");
                });
        return;
    }
}

}  // namespace

Trace run_mechanism(const Mechanism& mechanism, const Arrays& arrays, const Knobs& knobs) {
    for (const auto& [name, array] : arrays) {
        if (name.starts_with("out.")) continue;
        if (array.size() == 0)
            throw Error("array '" + name + "': expected at least one number, got the shape " +
                        describe(array.shape()));
        require_finite(name, array, "finite numbers", "");
    }
    Trace trace = mechanism.run(arrays, knobs);
    for (const auto& [name, array] : trace.out)
        if (const SharedArray made = array.made())  // one still to be made holds weights that made the output
            require_finite(name, *made, "numbers that a float can hold", "; scale the arrays down");
    require_finite_scores(trace);
    return trace;
}

}  // namespace attn
