#include "core/random.h"

#include <cmath>
#include <numbers>

namespace attn {

std::uint64_t Random::bits() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
}

double Random::uniform() {
    return static_cast<double>(bits() >> 11U) * 0x1.0p-53;
}

double Random::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 − u is never 0
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
}

Index Random::below(Index count) {
    return static_cast<Index>(uniform() * static_cast<double>(count));
}

Array random_projection(Index outputs, Index inputs, Random& random) {
    Array projection({outputs, inputs});
    const double deviation = 1.0 / std::sqrt(static_cast<double>(inputs));
    for (float& weight : projection.values()) weight = static_cast<float>(deviation * random.normal());
    return projection;
}

}  // namespace attn
