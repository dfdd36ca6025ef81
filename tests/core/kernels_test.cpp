#include "core/kernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "core/kernels_table.h"

namespace attn::kernels {
namespace {

using Doubles = std::vector<double>;

std::vector<float> noise(Index count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    std::vector<float> values(static_cast<std::size_t>(count));
    std::generate(values.begin(), values.end(), [&] { return uniform(random); });
    return values;
}

/// One case and what plain loops in double make of it.
struct Case {
    Index n, m, d, dv;
    bool masked;
    std::vector<float> q, k, v, allowed;
    Doubles scores, weights, output;
    std::vector<unsigned char> blind;

    static constexpr float scale = 0.7F;
    static constexpr float sharpness = 3.0F;

    Case(Index n_, Index m_, Index d_, Index dv_, bool masked_)
        : n(n_),
          m(m_),
          d(d_),
          dv(dv_),
          masked(masked_),
          q(noise(n * d, 1)),
          k(noise(m * d, 2)),
          v(noise(m * dv, 3)) {
        if (masked) {
            allowed = noise(n * m, 4);
            for (float& flag : allowed) flag = flag > 0.2F ? 1.0F : 0.0F;
            if (n > 1) std::fill_n(allowed.begin() + m, m, 0.0F);  // row 1 sees nothing
        }
        score();
        squash();
        combine();
    }

    [[nodiscard]] bool sees(std::size_t pair) const { return allowed.empty() || allowed[pair] != 0.0F; }

    void score() {
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < m; ++j) {
                double sum = 0.0;
                for (Index c = 0; c < d; ++c)
                    sum += static_cast<double>(q[static_cast<std::size_t>(i * d + c)]) *
                           static_cast<double>(k[static_cast<std::size_t>(j * d + c)]);
                scores.push_back(static_cast<double>(scale) * sum);
            }
    }
    void squash() {
        for (Index i = 0; i < n; ++i) {
            double sum = 0.0;
            const auto first = static_cast<std::size_t>(i * m);
            for (std::size_t p = first; p < first + static_cast<std::size_t>(m); ++p) {
                weights.push_back(sees(p) ? std::exp(static_cast<double>(sharpness) * scores[p]) : 0.0);
                sum += weights.back();
            }
            blind.push_back(sum > 0.0 ? 0 : 1);
            for (std::size_t p = first; p < weights.size() && sum > 0.0; ++p) weights[p] /= sum;
        }
    }
    void combine() {
        for (Index i = 0; i < n; ++i)
            for (Index c = 0; c < dv; ++c) {
                double sum = 0.0;
                for (Index j = 0; j < m; ++j)
                    sum += weights[static_cast<std::size_t>(i * m + j)] *
                           static_cast<double>(v[static_cast<std::size_t>(j * dv + c)]);
                output.push_back(sum);
            }
    }
};

double worst(const std::vector<float>& got, const Doubles& wanted) {
    double most = got.size() == wanted.size() ? 0.0 : INFINITY;
    for (std::size_t i = 0; i < got.size() && i < wanted.size(); ++i) {
        const double off = std::abs(static_cast<double>(got[i]) - wanted[i]);
        most = off > most || std::isnan(off) ? off : most;
    }
    return most;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const bool masked : {false, true}) {
        all.emplace_back(1, 1, 1, 1, masked);
        all.emplace_back(1, 19, 3, 2, masked);
        all.emplace_back(5, 1, 2, 4, masked);
        all.emplace_back(33, 9, 1, 1, masked);
        all.emplace_back(7, 64, 5, 3, masked);
        all.emplace_back(131, 67, 64, 33, masked);  // several blocks, several threads
        all.emplace_back(3, 2, 0, 2, masked);       // no features: every score is 0
    }
    return all;
}

class Kernels : public testing::TestWithParam<const Table*> {};

TEST_P(Kernels, AgreeWithPlainLoopsInDouble) {
    const Table& kernels = *GetParam();
    for (const Case& c : cases()) {
        SCOPED_TRACE(testing::Message()
                     << c.n << " × " << c.m << " × " << c.d << (c.masked ? " masked" : ""));
        const float* const allowed = c.masked ? c.allowed.data() : nullptr;
        std::vector<float> scores(c.scores.size(), -7.0F), weights = scores, output(c.output.size(), -7.0F);
        std::vector<unsigned char> blind(c.blind.size(), 7);

        kernels.scores(c.q.data(), c.k.data(), c.n, c.m, c.d, Case::scale, scores.data());
        EXPECT_LT(worst(scores, c.scores), 1e-5);
        weights = scores;
        kernels.softmax(weights.data(), c.n, c.m, Case::sharpness, allowed, blind.data());
        EXPECT_LT(worst(weights, c.weights), 5e-6);
        EXPECT_EQ(blind, c.blind);
        kernels.multiply(weights.data(), c.v.data(), c.n, c.m, c.dv, output.data());
        EXPECT_LT(worst(output, c.output), 1e-5);

        for (auto* filled : {&scores, &weights, &output}) std::fill(filled->begin(), filled->end(), -7.0F);
        std::fill(blind.begin(), blind.end(), static_cast<unsigned char>(7));
        kernels.attend({.q = c.q.data(),
                        .k = c.k.data(),
                        .v = c.v.data(),
                        .n = c.n,
                        .m = c.m,
                        .d = c.d,
                        .dv = c.dv,
                        .scale = Case::scale,
                        .sharpness = Case::sharpness,
                        .allowed = allowed},
                       scores.data(), weights.data(), output.data(), blind.data());
        EXPECT_LT(worst(scores, c.scores), 1e-5) << "scores stay as they are before τ and mask";
        EXPECT_LT(worst(weights, c.weights), 5e-6);
        EXPECT_LT(worst(output, c.output), 1e-5);
        EXPECT_EQ(blind, c.blind);
    }
}

/// The pairs of a case that may be seen, and slots between them that hold no key.
struct Slots {
    std::vector<Index> first = {0};
    std::vector<std::int32_t> key;
    std::vector<std::size_t> pair;  ///< of each slot, in the dense map

    explicit Slots(const Case& c) {
        for (Index i = 0; i < c.n; ++i) {
            for (Index j = 0; j < c.m; ++j) {
                const auto at = static_cast<std::size_t>(i * c.m + j);
                if (!c.sees(at) && j % 2 == 0) continue;
                key.push_back(c.sees(at) ? static_cast<std::int32_t>(j) : -1);
                pair.push_back(at);
            }
            first.push_back(static_cast<Index>(key.size()));
        }
    }
    [[nodiscard]] Doubles taken(const Doubles& dense) const {
        Doubles slots;
        for (std::size_t s = 0; s < key.size(); ++s) slots.push_back(key[s] < 0 ? 0.0 : dense[pair[s]]);
        return slots;
    }
};

TEST_P(Kernels, AttendToPairsAlone) {
    for (const Case& c : cases()) {
        const Slots slots(c);
        std::vector<float> scores(slots.key.size(), -7.0F), weights = scores;
        std::vector<float> output(c.output.size(), -7.0F);
        std::vector<unsigned char> blind(c.blind.size(), 7);
        GetParam()->attend_pairs({.q = c.q.data(),
                                  .k = c.k.data(),
                                  .v = c.v.data(),
                                  .n = c.n,
                                  .m = c.m,
                                  .d = c.d,
                                  .dv = c.dv,
                                  .scale = Case::scale,
                                  .sharpness = Case::sharpness},
                                 {.first = slots.first.data(), .key = slots.key.data()}, scores.data(),
                                 weights.data(), output.data(), blind.data());
        EXPECT_LT(worst(scores, slots.taken(c.scores)), 1e-5);
        EXPECT_LT(worst(weights, slots.taken(c.weights)), 5e-6);
        EXPECT_LT(worst(output, c.output), 1e-5);
        EXPECT_EQ(blind, c.blind);
    }
}

/// The columns of one of two heads.
std::vector<float> of_head(const std::vector<float>& both, Index rows, Index head) {
    const Index width = static_cast<Index>(both.size()) / (2 * rows);
    std::vector<float> columns;
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < width; ++c)
            columns.push_back(both[static_cast<std::size_t>((2 * r + head) * width + c)]);
    return columns;
}

TEST_P(Kernels, ReadHeadsSideBySide) {
    const Index n = 37, m = 21, d = 5, dv = 3;
    const std::vector<float> q = noise(n * 2 * d, 1), k = noise(m * 2 * d, 2), v = noise(m * 2 * dv, 3);
    std::vector<float> scores(static_cast<std::size_t>(2 * n * m)),
        weights = scores, output(static_cast<std::size_t>(n * 2 * dv));
    std::vector<unsigned char> blind(static_cast<std::size_t>(2 * n));
    Attention both{.q = q.data(), .k = k.data(), .v = v.data(), .n = n, .m = m, .d = d, .dv = dv, .heads = 2};
    GetParam()->attend(both, scores.data(), weights.data(), output.data(), blind.data());
    for (const Index head : {0, 1}) {
        const auto hq = of_head(q, n, head), hk = of_head(k, m, head), hv = of_head(v, m, head);
        std::vector<float> s(static_cast<std::size_t>(n * m)), w = s, y(static_cast<std::size_t>(n * dv));
        GetParam()->attend({.q = hq.data(), .k = hk.data(), .v = hv.data(), .n = n, .m = m, .d = d, .dv = dv},
                           s.data(), w.data(), y.data(), blind.data());
        const auto same = [&](const std::vector<float>& all, const std::vector<float>& one) {
            return std::equal(one.begin(), one.end(), all.begin() + head * n * m);
        };
        EXPECT_TRUE(same(scores, s) && same(weights, w));
        EXPECT_EQ(of_head(output, n, head), y);
    }
}

TEST_P(Kernels, HaveATanhOfFloatAccuracy) {
    const Index n = 4001, m = 3;
    std::vector<float> a, b = {-0.3F, 0.0F, 1e-4F};
    for (Index i = 0; i < n; ++i) a.push_back(static_cast<float>(i - n / 2) / 150.0F);
    a[0] = -1e30F;
    const std::vector<float> v = {1.0F};
    std::vector<float> out(static_cast<std::size_t>(n * m));
    GetParam()->additive_scores(a.data(), b.data(), v.data(), n, m, 1, 0.0F, out.data());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            ASSERT_NEAR(out[i * b.size() + j], std::tanh(static_cast<double>(a[i] + b[j])), 1e-6) << a[i];
}

TEST_P(Kernels, AddUpTanhUnits) {
    const Index n = 5, m = 4, d = 19;  // two whole lanes and a rest
    const std::vector<float> a = noise(n * d, 1), b = noise(m * d, 2), v = noise(d, 3);
    std::vector<float> out(static_cast<std::size_t>(n * m));
    GetParam()->additive_scores(a.data(), b.data(), v.data(), n, m, d, 0.5F, out.data());
    Doubles wanted;
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            wanted.push_back(0.5);
            for (std::size_t c = 0; c < 19; ++c)
                wanted.back() +=
                    static_cast<double>(v[c]) * std::tanh(static_cast<double>(a[i * 19 + c] + b[j * 19 + c]));
        }
    EXPECT_LT(worst(out, wanted), 5e-6);
}

TEST_P(Kernels, LeaveQueriesWithoutKeysBlind) {
    std::vector<float> none, output(6, -7.0F);
    std::vector<unsigned char> blind(3, 0);
    const std::vector<float> q = noise(12, 1);
    GetParam()->attend({.q = q.data(), .k = q.data(), .v = q.data(), .n = 3, .m = 0, .d = 4, .dv = 2},
                       none.data(), none.data(), output.data(), blind.data());
    EXPECT_THAT(blind, testing::Each(1));
    EXPECT_THAT(output, testing::Each(0.0F));
}

TEST_P(Kernels, HaveNoSubnormalWeights) {
    std::vector<float> row(1000);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = -0.2F * static_cast<float>(i);
    unsigned char blind = 7;
    GetParam()->softmax(row.data(), 1, 1000, 1.0F, nullptr, &blind);
    EXPECT_THAT(row, testing::Each(testing::AnyOf(0.0F, testing::Gt(1.2e-38F))));
    EXPECT_GT(row[300], 0.0F);
    EXPECT_EQ(row[400], 0.0F) << "e⁻⁸⁰";
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Kernels, testing::ValuesIn(supported().begin(), supported().end()),
                         [](const auto& set) { return std::string(set.param->name); });

TEST(KernelChoice, IsTheFastestSupported) {
    EXPECT_STREQ(instruction_set(), supported().back()->name);
}

}  // namespace
}  // namespace attn::kernels
