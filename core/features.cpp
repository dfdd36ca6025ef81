#include "core/features.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/matrix.h"
#include "core/random.h"

namespace attn {

namespace {

// Shorter than this is rounding: a picture of one colour is all zeros, not all directions.
constexpr float shortest = 1e-5F;

constexpr Index patch_side = 3;
constexpr Index patch_size = patch_side * patch_side;

/// [C, H·W] minus the mean of each row.
Array centred(const Array& colours) {
    Array result = colours;
    auto rows = matrix(result, colours.extent(0), colours.extent(1) * colours.extent(2));
    for (Index c = 0; c < rows.rows(); ++c) {
        const double mean = rows.row(c).cast<double>().mean();
        rows.row(c).array() -= static_cast<float>(mean);
    }
    return result;
}

/// Unit length at each position.
Array normalised(Array map) {
    auto columns = matrix(map, map.extent(0), map.extent(1) * map.extent(2));
    for (Index p = 0; p < columns.cols(); ++p) {
        const float length = columns.col(p).norm();
        if (length > shortest)
            columns.col(p) /= length;
        else
            columns.col(p).setZero();
    }
    return map;
}

Array with_position(const Array& colours) {
    const Index height = colours.extent(1);
    const Index width = colours.extent(2);
    const auto along = [](Index i, Index n) {
        return n > 1 ? static_cast<float>(2 * i) / static_cast<float>(n - 1) - 1.0F : 0.0F;
    };
    Array result({5, height, width});
    std::ranges::copy(colours.values(), result.values().begin());
    auto rows = matrix(result, 5, height * width);
    for (Index y = 0; y < height; ++y) {
        for (Index x = 0; x < width; ++x) {
            rows(3, y * width + x) = along(y, height);
            rows(4, y * width + x) = along(x, width);
        }
    }
    return result;
}

Array patches(const Array& colours) {
    const Index channels = colours.extent(0);
    const Index height = colours.extent(1);
    const Index width = colours.extent(2);
    Array result({channels * patch_size, height, width});
    const auto from = matrix(colours, channels, height * width);
    auto to = matrix(result, channels * patch_size, height * width);
    for (Index c = 0; c < to.rows(); ++c) {
        const Index dy = c % patch_size / patch_side - 1;
        const Index dx = c % patch_side - 1;
        for (Index y = 0; y < height; ++y) {
            const Index row = std::clamp<Index>(y + dy, 0, height - 1) * width;
            for (Index x = 0; x < width; ++x)
                to(c, y * width + x) = from(c / patch_size, row + std::clamp<Index>(x + dx, 0, width - 1));
        }
    }
    return result;
}

Array projected(const Array& map, Index d, std::uint64_t seed) {
    Random random(seed);
    const Array weights = random_projection(d, map.extent(0), random);
    const Index positions = map.extent(1) * map.extent(2);
    Array result({d, map.extent(1), map.extent(2)});
    matrix(result, d, positions).noalias() = matrix(weights) * matrix(map, map.extent(0), positions);
    return result;
}

}  // namespace

Array features(const Array& colours, std::string_view kind, Index d, std::uint64_t seed) {
    if (colours.rank() != 3 || colours.extent(0) != 3 || colours.size() == 0)
        throw Error("expected colours of shape [3, H, W], got " + describe(colours.shape()));
    if (!std::ranges::all_of(colours.values(), [](float x) { return std::isfinite(x); }))
        throw Error("the colours hold a number that is not finite");
    if (kind == "raw") return colours;
    Array difference = centred(colours);
    if (kind == "centred") return difference;
    if (kind == "cosine") return normalised(std::move(difference));
    if (kind == "position") return with_position(difference);
    if (kind == "patches") return patches(difference);
    if (kind != "random")
        throw UsageError("expected features raw, centred, cosine, position, patches or random, got " +
                         std::string(kind));
    if (d < 1) throw UsageError("expected a number of channels d of at least 1, got " + std::to_string(d));
    return normalised(projected(patches(difference), d, seed));
}

std::vector<Parameter> feature_parameters() {
    return {
        {
            .id = "features",
            .label = "features",
            .help = "what two positions are compared by",
            .kind = Parameter::Kind::choice,
            .group = Parameter::Group::input,
            .initial = std::string("cosine"),
            .choices =
                {
                    {"raw", "raw colour", "dot products of colours: bright pixels win, whatever the query"},
                    {"centred", "centred",
                     "colour minus the picture's mean: the opposite colour scores below 0"},
                    {"cosine", "cosine",
                     "centred, then unit length: only the direction of the colour counts"},
                    {"position", "colour + position", "centred colour, row and column: near counts too"},
                    {"patches", "3×3 patches",
                     "the centred colours of the 3×3 neighbourhood: texture counts too"},
                    {"random", "random projections",
                     "3×3 patches through random weights: an untrained layer"},
                },
        },
        {
            .id = "d",
            .symbol = "d",
            .label = "channels",
            .help = "channels of the random projection",
            .kind = Parameter::Kind::integer,
            .group = Parameter::Group::input,
            .initial = Index{64},
            .low = 1,
            .high = 512,
            .scale = Parameter::Scale::logarithmic,
            .enabled_by = "features",
            .enabled_for = {"random"},
        },
        {
            .id = "seed",
            .label = "seed",
            .help = "of the random projection: the same number draws the same weights",
            .kind = Parameter::Kind::integer,
            .group = Parameter::Group::input,
            .initial = Index{7},
            .low = 0,
            .high = 9999,
            .enabled_by = "features",
            .enabled_for = {"random"},
        },
    };
}

}  // namespace attn
