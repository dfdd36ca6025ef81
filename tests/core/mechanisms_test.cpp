#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/catalog.h"
#include "core/error.h"
#include "core/layers.h"
#include "core/matrix.h"
#include "core/run_mechanism.h"
#include "tests/core/mechanism_runs.h"

namespace attn {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

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
    // Where a case holds the very map, it exists once, or is made of the map.
    const auto weights = trace.out.find("out.weights");
    if (weights == trace.out.end() || weights->second->rank() > 3) return;
    if (weights->second->extent(-1) != trace.keys.size() ||
        weights->second->extent(-2) != trace.queries.size())
        return;
    const Map& first = trace.heads[0].weights;
    const auto all = weights->second->values();
    if (weights->second.made()) {
        EXPECT_EQ(first.row(0).data(), all.data());
    }
    for (Index query = 0; query < first.rows(); ++query)
        EXPECT_TRUE(std::ranges::equal(first.row(query),
                                       all.subspan(static_cast<std::size_t>(query * first.columns()),
                                                   static_cast<std::size_t>(first.columns()))));
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

TEST_P(EveryMechanism, RefusesALastAxisThatIsTooLong) {
    for (const auto& [name, array] : arranged) {
        if (array.rank() == 0) continue;
        Shape shape = array.shape();
        ++shape.back();
        Arrays wrong = arranged;
        wrong[name] = Array(shape, 0.0F, array.element());
        const std::string said_of_it = message_of(shown, wrong);
        // The axis is free where nothing else has it; an input's is what another array must fit to.
        const bool input = name.starts_with("in.");
        const bool free = input || array.rank() == 4;  // the side of a kernel
        if (free && said_of_it == "no error") continue;
        EXPECT_THAT(said_of_it, AllOf(HasSubstr(input ? "array '" : "'" + name + "'"), HasSubstr("expected"),
                                      HasSubstr("got")))
            << name;
    }
}

/// One knob at a time set to each of its choices, or switched on, and all switched on together.
std::vector<Values> settings(const Mechanism& shown) {
    std::vector<Values> all = {{}};
    Values switched;
    for (const Parameter& knob : shown.parameters) {
        for (const Choice& choice : knob.choices) all.push_back({{knob.id, std::string(choice.id)}});
        if (knob.kind != Parameter::Kind::toggle) continue;
        all.push_back({{knob.id, true}});
        switched[knob.id] = true;
    }
    all.push_back(switched);
    return all;
}

TEST_P(EveryMechanism, AnswersWithNumbersOrNamesWhatOverflows) {
    for (const Values& set : settings(shown)) {
        const Knobs knobs(shown.parameters, set);
        Arrays huge = shown.arrange(toy_material(), knobs, said);
        for (auto& [name, array] : huge)
            if (name.starts_with("in.") && array.rank() > 1) vector(array) *= 1e30F;
        try {
            const Trace trace = run_mechanism(shown, huge, knobs);
            for (const auto& [name, array] : trace.out)
                for (const float x : array->values()) ASSERT_TRUE(std::isfinite(x)) << name;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(),
                        AllOf(AnyOf(HasSubstr("array 'out."), HasSubstr("the scores: ")),
                              HasSubstr("expected numbers that a float can hold"), HasSubstr("got ")));
        }
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
    // Which array is named first depends on the order of rounding: 10⁶⁰ − 10⁶⁰ is 0 where it is fused.
    EXPECT_THAT(message_of(mechanism("scaled-dot"), {{"in.q", x}, {"in.k", x}, {"in.v", x}}),
                AllOf(HasSubstr("array 'out."), HasSubstr("expected numbers that a float can hold")));
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
