#include "core/mechanisms/shared.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/matrix.h"
#include "core/random.h"

namespace attn {

Parameter temperature(double initial) {
    return {
        .id = "tau",
        .symbol = "τ",
        .label = "temperature",
        .help = "divides the scores before the softmax: small picks one key, large averages all",
        .initial = initial,
        .low = 0.01,
        .high = 10.0,
        .scale = Parameter::Scale::logarithmic,
    };
}

Parameter sharpness(double initial) {
    return {
        .id = "beta",
        .symbol = "β",
        .label = "sharpness",
        .help = "multiplies the scores before the sigmoid: 0 halves everything, large switches on or off",
        .initial = initial,
        .low = 0.0,
        .high = 10.0,
    };
}

Parameter causal() {
    return {
        .id = "causal",
        .label = "causal",
        .help = "no query sees a key after itself",
        .kind = Parameter::Kind::toggle,
        .initial = false,
    };
}

Parameter head_count(Index initial) {
    return {
        .id = "heads",
        .label = "heads",
        .help = "attentions side by side, each with its own share of the channels",
        .kind = Parameter::Kind::integer,
        .initial = initial,
        .low = 1,
        .high = 1024,
        .offered = 16,
    };
}

Parameter valid_words() {
    return {
        .id = "valid",
        .label = "valid words",
        .help = "source words after these are padding: masked before the softmax",
        .kind = Parameter::Kind::integer,
        .initial = Index{0},
        .low = 1,
        .high = 4096,
        .automatic = "all",
    };
}

Parameter shuffled_keys() {
    return {
        .id = "shuffle",
        .label = "shuffle the keys",
        .help = "keys and values change places: where nothing tells their places, no output changes",
        .kind = Parameter::Kind::toggle,
        .initial = false,
    };
}

Shuffled shuffled(const Array& keys, const Array& values) {
    Shuffled made{std::vector<Index>(static_cast<std::size_t>(keys.extent(0))), keys, values};
    std::iota(made.order.begin(), made.order.end(), Index{0});
    Random random(1);
    for (std::size_t left = made.order.size(); left > 1; --left)
        std::swap(made.order[left - 1],
                  made.order[static_cast<std::size_t>(random.below(static_cast<Index>(left)))]);
    for (std::size_t row = 0; row < made.order.size(); ++row) {
        matrix(made.keys).row(static_cast<Index>(row)) = matrix(keys).row(made.order[row]);
        matrix(made.values).row(static_cast<Index>(row)) = matrix(values).row(made.order[row]);
    }
    return made;
}

void note_shuffle(Trace& trace, std::vector<Index> order, const Array& unshuffled_output) {
    trace.key_order = std::move(order);
    trace.steps.push_back(output_change(unshuffled_output, *trace.output));
}

Step output_change(const Array& before, const Array& after) {
    const float change = (vector(after) - vector(before)).cwiseAbs().maxCoeff();
    const float rounding = 1e-5F * std::max(1.0F, vector(before).cwiseAbs().maxCoeff());
    return {.id = "change",
            .label = "largest change of the output",
            .shape = Step::Shape::numbers,
            .array = std::make_shared<const Array>(Shape{1}, change > rounding ? change : 0.0F)};
}

Index valid_keys(const Knobs& knobs, Index keys) {
    const Index valid = knobs.integer("valid");
    if (valid < 0 || valid > keys)
        throw Error("knob 'valid': expected at most the " + std::to_string(keys) +
                    " source words there are, got " + std::to_string(valid));
    return valid == 0 ? keys : valid;
}

const Array& offered(const Array& material, Index rank, std::string_view what) {
    if (material.rank() != rank || material.size() == 0)
        throw Error("this mechanism looks at " + std::string(what) + ", and there is none; open one");
    return material;
}

Array scaled(const Array& array, double factor) {
    Array result = array;
    vector(result) *= static_cast<float>(factor);
    return result;
}

double mean_square_length(const Array& rows) {
    return static_cast<double>(vector(rows).squaredNorm()) / static_cast<double>(rows.extent(0));
}

}  // namespace attn
