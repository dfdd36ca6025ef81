#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/catalog.h"
#include "core/channels.h"
#include "core/error.h"
#include "core/features.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/random.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

Array random_array(Shape shape, std::uint64_t seed) {
    Random random(seed);
    Array array(std::move(shape));
    for (float& x : array.values()) x = static_cast<float>(random.normal());
    return array;
}

Trace run(std::string_view id, const Arrays& arrays, const Values& values = {}) {
    const Mechanism& m = mechanism(id);
    return m.run(arrays, Knobs(m.parameters, values));
}

/// What a scene would offer: a picture of odd, unequal sides, and two rows of words of which the first four
/// agree.
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

std::string message_of(const Mechanism& m, const Arrays& arrays, const Values& values = {}) {
    try {
        m.run(arrays, Knobs(m.parameters, values));
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

void expect_rows_sum_to_one(const Array& weights) {
    const Vector sums = matrix(weights).rowwise().sum();
    for (Index i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums(i), 1.0F, 1e-5F) << "row " << i;
}

class EveryMechanism : public testing::TestWithParam<std::string_view> {
  protected:
    const Mechanism& shown = mechanism(GetParam());
    std::string said;
    Arrays arranged = shown.arrange(toy_material(), Knobs(shown.parameters, {}), said);

    [[nodiscard]] const ArraySpec* input(std::string_view name) const {
        for (const ArraySpec& spec : shown.inputs)
            if (spec.name == name) return &spec;
        return nullptr;
    }
};

TEST_P(EveryMechanism, SaysWhatItIs) {
    const Teaching& t = shown.teaching;
    for (const std::string_view text :
         {shown.title, shown.source, shown.score, shown.squash, shown.multiply, t.pieces, t.depends_on,
          t.squash, t.multiply, t.sits, t.see, t.misreading})
        EXPECT_FALSE(text.empty());
    EXPECT_FALSE(shown.figures.empty());
    std::set<std::string> ids;
    for (const Parameter& p : shown.parameters) {
        EXPECT_TRUE(ids.insert(p.id).second) << p.id << " twice";
        EXPECT_NO_THROW(checked(p, p.initial)) << p.id;
        EXPECT_FALSE(p.label.empty() || p.help.empty()) << p.id;
        EXPECT_TRUE(p.enabled_by.empty() || find(shown.parameters, p.enabled_by) != nullptr) << p.id;
    }
}

TEST_P(EveryMechanism, ShowsAnArrangedScene) {
    EXPECT_FALSE(said.empty());
    for (const auto& [name, array] : arranged) EXPECT_NE(input(name), nullptr) << name << " is not declared";
    const Trace trace = shown.run(arranged, Knobs(shown.parameters, {}));
    std::set<std::string> declared;
    for (const ArraySpec& spec : shown.outputs) declared.emplace(spec.name);
    std::set<std::string> computed;
    for (const auto& [name, array] : trace.out) {
        computed.insert(name);
        for (const float x : array->values()) ASSERT_TRUE(std::isfinite(x)) << name;
    }
    EXPECT_EQ(computed, declared);
    ASSERT_FALSE(trace.heads.empty());
    for (const Head& head : trace.heads) {
        EXPECT_EQ(head.weights.rows(), trace.queries.size());
        EXPECT_EQ(head.weights.columns(), trace.keys.size());
        EXPECT_EQ(head.scores.rows(), trace.queries.size());
    }
    // Where a case holds the very map, it exists once.
    const auto weights = trace.out.find("out.weights");
    if (weights == trace.out.end() || weights->second->rank() > 3) return;
    if (weights->second->extent(-1) == trace.keys.size() &&
        weights->second->extent(-2) == trace.queries.size()) {
        EXPECT_EQ(trace.heads[0].weights.row(0).data(), weights->second->values().data());
    }
}

TEST_P(EveryMechanism, AsksForWhatItNeeds) {
    for (const auto& [name, array] : arranged) {
        if (input(name)->optional) continue;
        Arrays without = arranged;
        without.erase(name);
        EXPECT_THAT(message_of(shown, without), HasSubstr("'" + name + "'"));
    }
    EXPECT_THROW(shown.arrange({}, Knobs(shown.parameters, {}), said), Error);
}

TEST_P(EveryMechanism, RefusesAWrongShapeNamingBoth) {
    for (const auto& [name, array] : arranged) {
        Shape shape = array.shape();
        shape.push_back(1);
        Arrays wrong = arranged;
        wrong[name] = array.reshaped(shape);
        EXPECT_THAT(message_of(shown, wrong), AllOf(HasSubstr("'" + name + "'"), HasSubstr("expected"),
                                                    HasSubstr("got " + describe(shape))));
    }
}

TEST_P(EveryMechanism, RefusesWhatIsNoNumber) {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        for (const auto& [name, array] : arranged) {
            Arrays wrong = arranged;
            wrong[name].values().back() = bad;
            EXPECT_THAT(message_of(shown, wrong), HasSubstr("'" + name + "': expected finite numbers"))
                << bad;
        }
    }
    for (const auto& [name, array] : arranged) {
        Shape shape = array.shape();
        if (shape.empty()) continue;  // one number cannot be none
        shape.back() = 0;
        Arrays empty = arranged;
        empty[name] = Array(shape);
        EXPECT_THAT(message_of(shown, empty), HasSubstr("'" + name + "': expected at least one number"));
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMechanism, testing::ValuesIn([] {
                             std::vector<std::string_view> ids;
                             for (const Mechanism& m : mechanisms()) ids.push_back(m.id);
                             return ids;
                         }()),
                         [](const auto& instance) {
                             std::string name(instance.param);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(Catalogue, FindsById) {
    std::set<std::string_view> ids;
    for (const Mechanism& m : mechanisms()) {
        EXPECT_TRUE(ids.insert(m.id).second) << m.id << " twice";
        EXPECT_EQ(&mechanism(m.id), &m);
    }
    try {
        mechanism("non-lokal");
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("'non-lokal'"), HasSubstr("such as non-local")));
    }
}

TEST(Catalogue, ReadsTheKnobsOfACase) {
    const Values knobs = case_knobs(
        mechanism("non-local"),
        {{"mechanism", std::string("non-local")}, {"pairwise", std::string("dot")}, {"pooled", Index{1}}});
    EXPECT_EQ(knobs, (Values{{"pairwise", std::string("dot")}, {"pooled", true}, {"tau", 1.0}}));
    EXPECT_EQ(case_knobs(mechanism("se"), {{"r", Index{4}}}), (Values{{"r", Index{4}}, {"beta", 1.0}}));
    EXPECT_EQ(case_knobs(mechanism("dot"), {{"tau", 0.25}}), (Values{{"tau", 0.25}}));
    try {
        case_knobs(mechanism("dot"), {{"window", Index{4}}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("p.window"), HasSubstr("tau")));
    }
    EXPECT_THROW(case_knobs(mechanism("dot"), {{"valid", Index{-1}}}), Error);
}

TEST(Attend, LeavesBlindQueriesAtZeroAndSaysWhich) {
    const Array q = random_array({3, 4}, 1);
    const Array k = random_array({5, 4}, 2);
    const Array v = random_array({5, 2}, 3);
    Array allowed({3, 5}, 1.0F);
    matrix(allowed).row(1).setZero();
    matrix(allowed)(2, 4) = 0.0F;
    const Softmax softmax{0.5, share(allowed)};
    const Attended fused = attend(q, k, v, 0.5F, softmax);
    const Attended stepwise = attend(dot_scores(q, k, 0.5F), v, softmax);
    for (const Attended& a : {fused, stepwise}) {
        EXPECT_THAT(a.blind, ElementsAre(1));
        EXPECT_TRUE(matrix(*a.weights).row(1).isZero(0.0F));
        EXPECT_TRUE(matrix(*a.output).row(1).isZero(0.0F));
        EXPECT_EQ(matrix(*a.weights)(2, 4), 0.0F);
        EXPECT_NEAR(matrix(*a.weights).row(2).sum(), 1.0F, 1e-6F);
        EXPECT_NE(matrix(*a.scores)(2, 4), 0.0F) << "scores are those before the mask";
    }
    EXPECT_TRUE(matrix(*fused.output).isApprox(matrix(*stepwise.output), 1e-5F));
}

TEST(ScaledDot, CausalQueriesSeeNothingAfterThemselves) {
    const Arrays arrays = {{"in.q", random_array({7, 5}, 1)},
                           {"in.k", random_array({11, 5}, 2)},
                           {"in.v", random_array({11, 3}, 3)}};
    const Trace trace = run("scaled-dot", arrays, {{"causal", true}});
    const Array& weights = *trace.out.at("out.weights");
    expect_rows_sum_to_one(weights);
    for (Index i = 0; i < 7; ++i)
        for (Index j = i + 1; j < 11; ++j) EXPECT_EQ(matrix(weights)(i, j), 0.0F);
    EXPECT_FALSE(trace.allowed.empty());
}

TEST(ScaledDot, ScaleIsOneOverRootDUnlessGiven) {
    const Array x = random_array({4, 9}, 1);
    const Arrays arrays = {{"in.q", x}, {"in.k", x}, {"in.v", x}};
    const auto automatic = run("scaled-dot", arrays).out.at("out.scores");
    const auto given = run("scaled-dot", arrays, {{"scale", 1.0}}).out.at("out.scores");
    EXPECT_TRUE(matrix(*given).isApprox(3.0F * matrix(*automatic), 1e-6F));
}

TEST(ScaledDot, StaysANumberAtTheExtremes) {
    for (const float large : {1e15F, -1e15F}) {  // scores of ±1e30
        const Array x({3, 2}, std::vector<float>{large, 0, 0, 1, 1, 0});
        const Arrays arrays = {{"in.q", x}, {"in.k", x}, {"in.v", Array({3, 1}, 1.0F)}};
        expect_rows_sum_to_one(*run("scaled-dot", arrays, {{"tau", 0.01}}).out.at("out.weights"));
    }
    const Array x({2, 2}, std::vector<float>{1e30F, -1e30F, 1e30F, 1e30F});
    EXPECT_THAT(message_of(mechanism("scaled-dot"), {{"in.q", x}, {"in.k", x}, {"in.v", x}}),
                HasSubstr("too large"));
}

TEST(Words, PaddingTakesNoWeight) {
    const Arrays arrays = {{"in.h_t", random_array({4, 6}, 1)}, {"in.h_s", random_array({7, 6}, 2)}};
    const Trace trace = run("dot", arrays, {{"valid", Index{3}}});
    const Array& weights = *trace.out.at("out.weights");
    expect_rows_sum_to_one(weights);
    EXPECT_TRUE(matrix(weights).rightCols(4).isZero(0.0F));
    EXPECT_THAT(message_of(mechanism("dot"), arrays, {{"valid", Index{8}}}),
                AllOf(HasSubstr("'valid'"), HasSubstr("7"), HasSubstr("8")));
}

TEST(Words, ArrangedWordsFindTheirTranslation) {
    for (const std::string_view id : {"additive", "dot", "general", "concat"}) {
        const Mechanism& m = mechanism(id);
        std::string said;
        const Trace trace = run(id, m.arrange(toy_material(), Knobs(m.parameters, {}), said));
        for (Index word = 0; word < 4; ++word) {
            EXPECT_GT(trace.heads[0].weights.at(word, word), 0.4F) << id << " word " << word;
            EXPECT_LT(trace.heads[0].weights.at(word, word), 0.95F) << id << " word " << word;
        }
    }
}

TEST(Location, LooksAtPlacesWhateverStandsThere) {
    Arrays arrays = {{"in.h_t", random_array({4, 6}, 1)},
                     {"in.h_s", random_array({7, 5}, 2)},
                     {"w.a", random_array({9, 6}, 3)}};
    const Trace one = run("location", arrays);
    arrays["in.h_s"] = random_array({7, 5}, 4);
    EXPECT_EQ(*one.out.at("out.weights"), *run("location", arrays).out.at("out.weights"));

    arrays["w.a"] = random_array({3, 6}, 3);  // fewer positions than words: the rest take no weight
    const Trace trace = run("location", arrays);
    expect_rows_sum_to_one(*trace.out.at("out.weights"));
    EXPECT_TRUE(matrix(*trace.out.at("out.weights")).rightCols(4).isZero(0.0F));
}

TEST(LocalM, StaysAtTheLastWordOfAShortSource) {
    const Arrays arrays = {{"in.h_t", random_array({6, 4}, 1)},
                           {"in.h_s", random_array({3, 5}, 2)},
                           {"w.a", random_array({5, 4}, 3)}};
    const Trace trace = run("local-m", arrays, {{"D", Index{0}}});
    for (Index t = 0; t < 6; ++t) EXPECT_EQ(trace.heads[0].weights.at(t, std::min<Index>(t, 2)), 1.0F);
    const Trace padded = run("local-m", arrays, {{"D", Index{0}}, {"valid", Index{2}}});
    EXPECT_EQ(padded.heads[0].weights.at(5, 1), 1.0F);
}

TEST(LocalP, GathersAboutThePredictedPosition) {
    Arrays arrays = {{"in.h_t", random_array({2, 4}, 1)},
                     {"in.h_s", Array({9, 4}, 1.0F)},
                     {"w.a", random_array({4, 4}, 3)},
                     {"w.p", Array({1, 4})},
                     {"b.p", Array({1}, 100.0F)}};
    const double place = 5.3;  // of 9: v = σ⁻¹(5.3 / 9), since tanh is 1
    arrays["w.vp"] = Array({1}, static_cast<float>(std::log(place / (9.0 - place))));
    const Trace trace = run("local-p", arrays, {{"D", Index{3}}});
    EXPECT_NEAR(trace.out.at("out.pt")->values()[0], place, 1e-5);
    for (Index s = 0; s < 9; ++s) {  // equal words: the softmax is 1/7 in 2 … 8
        const double z = (static_cast<double>(s) - place) / 1.5;
        const double expected = s >= 2 && s <= 8 ? std::exp(-0.5 * z * z) / 7.0 : 0.0;
        EXPECT_NEAR(trace.heads[0].weights.at(1, s), expected, 1e-6) << s;
    }
}

TEST(LocalP, ArrangedWordsPredictTheirOwnPart) {
    const Mechanism& m = mechanism("local-p");
    std::string said;
    const Trace trace = run("local-p", m.arrange(toy_material(), Knobs(m.parameters, {}), said));
    for (Index t = 0; t < 5; ++t)
        EXPECT_NEAR(trace.out.at("out.pt")->values()[static_cast<std::size_t>(t)],
                    9.0 * (static_cast<double>(t) + 0.5) / 5.0, 1e-3);
}

TEST(MultiHead, HeadsMadeByHandDoWhatTheySay) {
    Material material = toy_material();
    matrix(material.keys).row(6) = matrix(material.keys).row(2);  // a repeated word
    const Mechanism& m = mechanism("multi-head");
    std::string said;
    const Trace trace = run("multi-head", m.arrange(material, Knobs(m.parameters, {}), said));
    ASSERT_EQ(trace.heads.size(), 4U);
    for (Index i = 0; i < 9; ++i) {
        EXPECT_GT(trace.heads[0].weights.at(i, i), 0.9F) << "itself";
    }
    for (Index i = 1; i < 9; ++i) {
        EXPECT_GT(trace.heads[1].weights.at(i, i - 1), 0.9F) << "previous word";
    }
    EXPECT_NEAR(trace.heads[1].weights.at(0, 5), 1.0F / 9.0F, 1e-4F) << "nothing is before the first";
    EXPECT_NEAR(trace.heads[2].weights.at(2, 6), 0.5F, 0.05F) << "same word";
    EXPECT_LT(trace.heads[3].weights.at(2, 6), trace.heads[2].weights.at(2, 6)) << "content is softer";
}

TEST(MultiHead, HeadsMustDivideTheChannels) {
    const Arrays arrays = {{"in.x", random_array({5, 6}, 1)},
                           {"w.q", random_array({8, 6}, 2)},
                           {"w.k", random_array({8, 6}, 3)},
                           {"w.v", random_array({6, 6}, 4)}};
    EXPECT_THAT(message_of(mechanism("multi-head"), arrays, {{"heads", Index{3}}}),
                AllOf(HasSubstr("'w.q'"), HasSubstr("3 heads"), HasSubstr("[8, 6]")));
    EXPECT_THAT(message_of(mechanism("multi-head"), arrays, {{"heads", Index{4}}}),
                AllOf(HasSubstr("'w.v'"), HasSubstr("4 heads"), HasSubstr("[6, 6]")));
}

TEST(Cross, TakesKeysAndValuesOfOtherWidths) {
    Arrays arrays = {{"in.x", random_array({3, 6}, 1)}, {"in.y", random_array({5, 7}, 2)},
                     {"in.z", random_array({5, 3}, 3)}, {"w.q", random_array({4, 6}, 4)},
                     {"w.k", random_array({4, 7}, 5)},  {"w.v", random_array({6, 3}, 6)},
                     {"w.o", random_array({2, 6}, 7)}};
    const Trace trace = run("cross", arrays, {{"heads", Index{2}}});
    EXPECT_EQ(trace.out.at("out.output")->shape(), (Shape{3, 2}));
    for (std::size_t h = 0; h < 2; ++h) {  // head h from its own rows of the weights
        const auto first = static_cast<Index>(2 * h);
        const Matrix q = matrix(arrays["in.x"]) * matrix(arrays["w.q"]).middleRows(first, 2).transpose();
        const Matrix k = matrix(arrays["in.y"]) * matrix(arrays["w.k"]).middleRows(first, 2).transpose();
        const Matrix e = q * k.transpose() / std::sqrt(2.0F);
        for (Index i = 0; i < 3; ++i) {
            const float sum = e.row(i).array().exp().sum();
            for (Index j = 0; j < 5; ++j)
                EXPECT_NEAR(trace.heads[h].weights.at(i, j), std::exp(e(i, j)) / sum, 1e-5F);
        }
    }
    arrays["in.z"] = random_array({4, 3}, 3);
    EXPECT_THAT(message_of(mechanism("cross"), arrays),
                AllOf(HasSubstr("'in.z'"), HasSubstr("5"), HasSubstr("[4, 3]")));
}

/// Regions whose scores are 0, log 2 and log 5 for any state: the chances are 1/8, 2/8 and 5/8.
Arrays three_regions(std::vector<float> u) {
    const auto states = static_cast<Index>(u.size());
    Array v({1}, 10.0F);
    Array annotations({3, 1});
    const std::vector<double> scores = {0.0, std::log(2.0), std::log(5.0)};
    for (std::size_t i = 0; i < 3; ++i)
        annotations.values()[i] = static_cast<float>(std::atanh(scores[i] / 10.0));
    return {{"in.features", annotations},
            {"in.h", Array({states, 1}, 1.0F)},
            {"w.ctx", Array({1, 1}, 1.0F)},
            {"w.query", Array({1, 1}, 0.0F)},
            {"w.v", v},
            {"in.u", Array({states}, u)}};
}

TEST(Hard, DrawsByTheSummedWeights) {
    const Arrays arrays = three_regions({0.0F, 0.12F, 0.13F, 0.37F, 0.38F, 1.0F});
    const Trace trace = run("hard", arrays);
    EXPECT_THAT(trace.out.at("out.sample_index")->values(), ElementsAre(0, 0, 1, 1, 2, 2));
    EXPECT_THAT(trace.out.at("out.argmax_index")->values(), Each(2));
    EXPECT_EQ(trace.output, trace.out.at("out.output_sample"));
    const Trace most = run("hard", arrays, {{"pick", std::string("argmax")}});
    EXPECT_EQ(most.output, most.out.at("out.output_argmax"));
    Arrays wrong = arrays;
    wrong["in.u"].values()[0] = 1.5F;
    EXPECT_THAT(message_of(mechanism("hard"), wrong), HasSubstr("'in.u'"));
}

TEST(Hard, DrawsEachRegionAsOftenAsItsWeight) {
    Arrays arrays = three_regions(std::vector<float>(4000));
    arrays.erase("in.u");
    const Trace trace = run("hard", arrays);
    const Array& mask = *trace.out.at("out.sample_mask");
    EXPECT_NEAR(matrix(mask).col(0).mean(), 0.125F, 0.02F);
    EXPECT_NEAR(matrix(mask).col(2).mean(), 0.625F, 0.02F);
    EXPECT_EQ(mask, *run("hard", arrays).out.at("out.sample_mask")) << "the same seed draws the same";
    EXPECT_NE(mask, *run("hard", arrays, {{"draw", Index{8}}}).out.at("out.sample_mask"));
}

TEST(Soft, RegionsLieOnAGridThatHoldsThemAll) {
    const Arrays arrays = three_regions({0.5F});
    EXPECT_EQ(run("soft", arrays, {{"H", Index{3}}, {"W", Index{1}}}).keys, (Grid{3, 1}));
    EXPECT_EQ(run("soft", arrays).keys, (Grid{1, 3}));
    EXPECT_THAT(message_of(mechanism("soft"), arrays, {{"H", Index{2}}, {"W", Index{2}}}),
                AllOf(HasSubstr("'in.features'"), HasSubstr("2·2"), HasSubstr("[3, 1]")));
}

/// The block from its equations, in double, one pair at a time.
Array non_local_by_hand(const Arrays& arrays, const std::string& kind, bool pool, double tau, double gamma) {
    const Array& x = arrays.at("in.x");
    const Grid grid{x.extent(1), x.extent(2)};
    const auto project = [&](const std::string& name) {
        const Eigen::MatrixXd y = matrix(arrays.at("w." + name)).cast<double>() *
                                  matrix(x, x.extent(0), grid.size()).cast<double>();
        return y;
    };
    const auto keys_of = [&](const Eigen::MatrixXd& map) {
        if (!pool) return map;
        Eigen::MatrixXd small(map.rows(), (grid.height / 2) * (grid.width / 2));
        for (Index p = 0; p < small.cols(); ++p) {
            const Index corner = p / (grid.width / 2) * 2 * grid.width + p % (grid.width / 2) * 2;
            for (Index c = 0; c < map.rows(); ++c)
                small(c, p) = std::max({map(c, corner), map(c, corner + 1), map(c, corner + grid.width),
                                        map(c, corner + grid.width + 1)});
        }
        return small;
    };
    const Eigen::MatrixXd raw = matrix(x, x.extent(0), grid.size()).cast<double>();
    const Eigen::MatrixXd theta = kind == "gaussian" ? raw : project("theta");
    const Eigen::MatrixXd phi = keys_of(kind == "gaussian" ? raw : project("phi"));
    const Eigen::MatrixXd g = keys_of(project("g"));
    Eigen::MatrixXd a = theta.transpose() * phi;
    if (kind == "concatenation") {
        const Eigen::VectorXd f = vector(arrays.at("w.f")).cast<double>();
        for (Index i = 0; i < a.rows(); ++i)
            for (Index j = 0; j < a.cols(); ++j)
                a(i, j) = std::max(
                    0.0, f.head(theta.rows()).dot(theta.col(i)) + f.tail(phi.rows()).dot(phi.col(j)));
    }
    if (kind == "dot" || kind == "concatenation") {
        a /= static_cast<double>(a.cols());
    } else {
        a = (a / tau).array().exp().matrix();
        for (Index i = 0; i < a.rows(); ++i) a.row(i) /= a.row(i).sum();
    }
    const Eigen::MatrixXd z = raw + gamma * (matrix(arrays.at("w.out")).cast<double>() * (g * a.transpose()));
    Array result(x.shape());
    matrix(result, x.extent(0), grid.size()) = z.cast<float>();
    return result;
}

TEST(NonLocal, AgreesWithItsEquationsOnOddMaps) {
    const Arrays arrays = {{"in.x", random_array({4, 5, 7}, 1)}, {"w.theta", random_array({3, 4}, 2)},
                           {"w.phi", random_array({3, 4}, 3)},   {"w.g", random_array({2, 4}, 4)},
                           {"w.out", random_array({4, 2}, 5)},   {"w.f", random_array({6}, 6)}};
    for (const std::string kind : {"gaussian", "embedded-gaussian", "dot", "concatenation"}) {
        for (const bool pool : {false, true}) {
            const Trace trace = run("non-local", arrays,
                                    {{"pairwise", kind}, {"pooled", pool}, {"tau", 0.7}, {"gamma", 0.4}});
            EXPECT_EQ(trace.keys, pool ? (Grid{2, 3}) : (Grid{5, 7}));
            const Array expected = non_local_by_hand(arrays, kind, pool, 0.7, 0.4);
            EXPECT_TRUE(vector(*trace.out.at("out.output")).isApprox(vector(expected), 1e-5F))
                << kind << pool;
            const bool softmax = kind == "gaussian" || kind == "embedded-gaussian";
            EXPECT_EQ(trace.squash, softmax ? Squash::softmax : Squash::divide);
            if (softmax) expect_rows_sum_to_one(*trace.out.at("out.weights"));
        }
    }
}

TEST(NonLocal, IsTheIdentityWithoutItsResidual) {
    Arrays arrays = {{"in.x", random_array({3, 4, 5}, 1)}};
    EXPECT_EQ(*run("non-local", arrays, {{"gamma", 0.0}}).out.at("out.output"), arrays["in.x"]);
    arrays["in.v"] = random_array({2, 4, 5}, 2);
    const Trace trace = run("non-local", arrays, {{"gamma", 0.0}});
    EXPECT_EQ(*trace.out.at("out.output"), arrays["in.v"]);
    EXPECT_EQ(trace.out.at("out.y")->shape(), (Shape{2, 4, 5}));
}

TEST(NonLocal, NamesTheLayerThatDoesNotFit) {
    Arrays arrays = {{"in.x", random_array({3, 4, 5}, 1)}, {"w.phi", random_array({2, 3}, 2)}};
    EXPECT_THAT(message_of(mechanism("non-local"), arrays),
                AllOf(HasSubstr("'w.theta'"), HasSubstr("[2, 3]")));
    arrays = {{"in.x", random_array({3, 1, 5}, 1)}};
    EXPECT_THAT(message_of(mechanism("non-local"), arrays, {{"pooled", true}}),
                AllOf(HasSubstr("'in.x'"), HasSubstr("[3, 1, 5]")));
}

TEST(SqueezeExcitation, GatesAreHalvedWithoutSharpnessAndDoNotCompete) {
    const Mechanism& se = mechanism("se");
    std::string said;
    const Arrays arrays = se.arrange(toy_material(), Knobs(se.parameters, {}), said);
    const Trace flat = run("se", arrays, {{"beta", 0.0}});
    EXPECT_THAT(flat.out.at("out.gate")->values(), Each(0.5F));
    EXPECT_TRUE(vector(*flat.out.at("out.output")).isApprox(0.5F * vector(arrays.at("in.x"))));

    const Vector e = vector(*flat.out.at("out.scores"));
    EXPECT_NEAR(e.mean(), 0.0F, 1e-5F);
    EXPECT_NEAR(e.squaredNorm() / 8.0F, 1.0F, 1e-4F);
    const Trace sharp = run("se", arrays, {{"beta", 3.0}});
    for (Index c = 0; c < 8; ++c)
        EXPECT_NEAR(sharp.heads[0].weights.at(0, c), 1.0F / (1.0F + std::exp(-3.0F * e(c))), 1e-6F);
    EXPECT_EQ(sharp.squash, Squash::sigmoid);
}

TEST(SqueezeExcitation, APictureOfOneGreyLeavesEveryGateUndecided) {
    Material material;
    material.channels = Array({8, 3, 3}, 0.25F);
    const Mechanism& se = mechanism("se");
    std::string said;
    const Trace trace = run("se", se.arrange(material, Knobs(se.parameters, {}), said));
    EXPECT_THAT(trace.out.at("out.gate")->values(), Each(0.5F));
}

}  // namespace
}  // namespace attn
