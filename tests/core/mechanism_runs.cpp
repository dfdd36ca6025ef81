#include "tests/core/mechanism_runs.h"

#include <gtest/gtest.h>

#include "core/catalog.h"
#include "core/channels.h"
#include "core/error.h"
#include "core/features.h"
#include "core/matrix.h"
#include "core/random.h"
#include "core/run_mechanism.h"

namespace attn {

Array random_array(Shape shape, std::uint64_t seed) {
    Random random(seed);
    Array array(std::move(shape));
    for (float& x : array.values()) x = static_cast<float>(random.normal());
    return array;
}

Trace run(std::string_view id, const Arrays& arrays, const Values& values) {
    const Mechanism& m = mechanism(id);
    return run_mechanism(m, arrays, Knobs(m.parameters, values));
}

Trace run_arranged(std::string_view id, const Material& material, const Values& values) {
    const Mechanism& m = mechanism(id);
    const Knobs knobs(m.parameters, values);
    std::string said;
    return run_mechanism(m, m.arrange(material, knobs, said), knobs);
}

Material toy_material() {
    Random random(3);
    Material material;
    material.colours = Array({3, 7, 10});
    for (float& x : material.colours.values()) x = static_cast<float>(random.uniform());
    material.features = features(material.colours, "cosine", 64, 7);
    material.channels = channels(material.colours);
    material.keys = random_array({9, 32}, 4);
    material.queries = random_array({5, 32}, 5);
    matrix(material.queries).topRows(4) = matrix(material.keys).topRows(4);
    return material;
}

std::string message_of(const Mechanism& m, const Arrays& arrays, const Values& values) {
    try {
        run_mechanism(m, arrays, Knobs(m.parameters, values));
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

void expect_rows_sum_to_one(const Array& weights) {
    const Vector sums = matrix(weights).rowwise().sum();
    for (Index i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums(i), 1.0F, 1e-5F) << "row " << i;
}

}  // namespace attn
