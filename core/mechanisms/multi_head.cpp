#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "core/layers.h"
#include "core/matrix.h"
#include "core/mechanisms/all.h"
#include "core/mechanisms/shared.h"
#include "core/mechanisms/words.h"
#include "core/random.h"

namespace attn {

namespace {

Trace run(const Arrays& arrays, const Knobs& knobs) {
    const Array& x = require(arrays, "in.x", {-1, -1});
    return attend_projected(arrays, x, x, x, knobs);
}

/// Places in a sentence as pairs of cosine and sine of the frequencies π (k + ½) / pairs: places less than 2
/// · pairs apart are at right angles, and to go one place back is to rotate every pair.
struct Places {
    Index pairs;
    [[nodiscard]] Index width() const { return 2 * pairs; }
    [[nodiscard]] double frequency(Index k) const {
        return std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(pairs);
    }

    /// Unit vectors, [n, width].
    [[nodiscard]] Array of(Index n) const {
        Array places({n, width()});
        const double length = 1.0 / std::sqrt(static_cast<double>(pairs));
        for (Index i = 0; i < n; ++i)
            for (Index k = 0; k < pairs; ++k) {
                const double turn = frequency(k) * static_cast<double>(i);
                matrix(places)(i, 2 * k) = static_cast<float>(length * std::cos(turn));
                matrix(places)(i, 2 * k + 1) = static_cast<float>(length * std::sin(turn));
            }
        return places;
    }

    /// Takes a place to the one before it.
    [[nodiscard]] Matrix back() const {
        Matrix rotation = Matrix::Zero(width(), width());
        for (Index k = 0; k < pairs; ++k) {
            const auto c = static_cast<float>(std::cos(frequency(k)));
            const auto s = static_cast<float>(std::sin(frequency(k)));
            rotation.block<2, 2>(2 * k, 2 * k) << c, s, -s, c;
        }
        return rotation;
    }
};

constexpr std::array heads_by_hand = {"itself", "previous word", "same word", "content"};

/// Heads side by side over words (the first d columns of x, of length about 1) and places (the rest).
struct Heads {
    Index d, places, width;
    Array q, k, v;

    Heads(Index count, Index words, Index place_width)
        : d(words),
          places(place_width),
          width(words + place_width),
          q({count * width, words + place_width}),
          k({count * width, words + place_width}),
          v({count * words, words + place_width}) {
        for (Index h = 0; h < count; ++h) matrix(v).block(h * d, 0, d, d).setIdentity();
    }

    /// Adds to a head's score `score` times the likeness of the two words.
    void by_words(Index head, double score) {
        matrix(q).block(head * width, 0, d, d).diagonal().setConstant(gain(score));
        matrix(k).block(head * width, 0, d, d).setIdentity();
    }
    /// Adds `score` where the key stands at the query's place, moved first.
    void by_places(Index head, double score, const Matrix& moved) {
        matrix(q).block(head * width + d, d, places, places) = gain(score) * moved;
        matrix(k).block(head * width + d, d, places, places).setIdentity();
    }
    void at_random(Index head, Random& random) {
        // Scores come out with a deviation of about 2.
        matrix(q).middleRows(head * width, width) =
            static_cast<float>(width) * matrix(random_projection(width, width, random));
        matrix(k).middleRows(head * width, width) = matrix(random_projection(width, width, random));
    }

  private:
    [[nodiscard]] float gain(double score) const {  // what 1/√d of the head takes away
        return static_cast<float>(score * std::sqrt(static_cast<double>(width)));
    }
};

Arrays arrange(const Material& material, const Knobs& knobs, std::string& said) {
    const Array& words = offered(material.keys, 2, "a row of words");
    const Index n = words.extent(0);
    const Places places{std::clamp<Index>((n + 1) / 2, 8, 100)};
    const Index count = knobs.integer("heads");
    Heads heads(count, words.extent(1), places.width());
    const Matrix here = Matrix::Identity(places.width(), places.width());
    heads.by_places(0, 5.0, here);
    if (count > 1) heads.by_places(1, 5.0, places.back());
    if (count > 2) {
        heads.by_words(2, 8.0);
        heads.by_places(2, -1.5, here);  // what a word's own place adds to its likeness with itself
    }
    if (count > 3) heads.by_words(3, 4.0);
    Random random(material.seed);
    for (Index h = std::ssize(heads_by_hand); h < count; ++h) heads.at_random(h, random);

    said = "heads made by hand, to show what heads learn";
    if (count > std::ssize(heads_by_hand))
        said += "; the others random, seed " + std::to_string(material.seed);
    const Array unit = scaled(words, 1.0 / std::sqrt(mean_square_length(words)));
    return {{"in.x", joined(unit, places.of(n))}, {"w.q", heads.q}, {"w.k", heads.k}, {"w.v", heads.v}};
}

std::vector<std::string> head_names(const Knobs& knobs) {
    std::vector<std::string> names(heads_by_hand.begin(), heads_by_hand.end());
    const auto count = static_cast<std::size_t>(knobs.integer("heads"));
    if (count < names.size()) names.resize(count);
    return names;
}

}  // namespace

Mechanism multi_head() {
    return {
        .id = "multi-head",
        .title = "Multi-head attention",
        .family = Family::sequences,
        .source = "Vaswani et al. 2017: Attention is all you need, section 3.2.2",
        .score = "eᵢⱼ = qᵢ·kⱼ / √d, in each head",
        .squash = "αᵢⱼ = exp(eᵢⱼ/τ) / Σₖ exp(eᵢₖ/τ)",
        .multiply = "yᵢ = Σⱼ αᵢⱼ vⱼ, the heads side by side, then W_o y",
        .teaching =
            {
                .pieces = "the words of one row, as often as there are heads",
                .depends_on = "the product of query and key in the few features of the head, over √d",
                .squash = "softmax over the keys, in every head apart",
                .multiply = "weighted mean of the head's values; the heads are joined and projected",
                .sits = "in every layer of a transformer",
                .see = "Each head asks its own question: one looks at the word itself, one at the word "
                       "before, one at the same word, one at what it means.",
                .misreading = "The mean over the heads is not what the layer does: heads are joined, not "
                              "averaged, and one that looks nowhere in particular may matter little or much.",
            },
        .parameters = {head_count(std::ssize(heads_by_hand)), temperature(), causal(), shuffled_keys()},
        .inputs =
            {
                {"in.x", "[N, E]", "the words: queries, keys and values are made from them"},
                {"w.q", "[h·d, E]", "W_q: the rows of head 1, then of head 2, …"},
                {"b.q", "[h·d]", "added to W_q x", true},
                {"w.k", "[h·d, E]", "W_k"},
                {"b.k", "[h·d]", "added to W_k x; the softmax cancels it", true},
                {"w.v", "[h·d_v, E]", "W_v"},
                {"b.v", "[h·d_v]", "added to W_v x", true},
                {"w.o", "[O, h·d_v]", "W_o; the identity where missing", true},
                {"b.o", "[O]", "added to W_o y", true},
            },
        .outputs =
            {
                {"out.scores", "[h, N, N]", "e of each head, before τ and the mask"},
                {"out.weights", "[h, N, N]", "α of each head"},
                {"out.weights_mean", "[N, N]", "mean of α over the heads"},
                {"out.output", "[N, O]", "W_o y"},
            },
        .figures = {"alignment", "recipe", "laboratory"},
        .run = run,
        .arrange = arrange,
        .head_names = head_names,
    };
}

}  // namespace attn
