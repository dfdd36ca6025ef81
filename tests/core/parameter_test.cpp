#include "core/parameter.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "core/error.h"

namespace attn {
namespace {

using testing::ThrowsMessage;
using Kind = Parameter::Kind;

std::vector<Parameter> schema() {
    return {
        {.id = "tau", .kind = Kind::real, .initial = 0.15, .low = 0.01, .high = 10.0},
        {.id = "d", .kind = Kind::integer, .initial = Index{0}, .low = 2, .high = 512, .automatic = "all"},
        {.id = "causal", .kind = Kind::toggle, .initial = false},
        {.id = "pair",
         .kind = Kind::choice,
         .initial = "gaussian",
         .choices = {{"gaussian", {}, {}}, {"dot", {}, {}}}},
        {.id = "query", .kind = Kind::position, .initial = Index{293}, .high = 575},
        {.id = "words", .kind = Kind::text, .initial = "a b"},
        {.id = "width",
         .kind = Kind::real,
         .initial = 1.0,
         .enabled_by = "pair",
         .enabled_for = {"gaussian"}},
        {.id = "tail", .kind = Kind::real, .initial = 1.0, .enabled_by = "causal", .enabled_for = {"true"}},
    };
}

const Parameter& knob(const std::vector<Parameter>& all, std::string_view id) {
    return *find(all, id);
}

TEST(Parameter, ReadsEveryKind) {
    const auto all = schema();
    EXPECT_EQ(parse(knob(all, "tau"), "0.5"), Value(0.5));
    EXPECT_EQ(parse(knob(all, "tau"), "2"), Value(2.0)) << "a whole number is a number";
    EXPECT_EQ(parse(knob(all, "tau"), "1e-2"), Value(0.01));
    EXPECT_EQ(parse(knob(all, "d"), "64"), Value(Index{64}));
    EXPECT_EQ(parse(knob(all, "d"), "0"), Value(Index{0})) << "automatic";
    EXPECT_EQ(parse(knob(all, "causal"), "true"), Value(true));
    EXPECT_EQ(parse(knob(all, "causal"), "off"), Value(false));
    EXPECT_EQ(parse(knob(all, "pair"), "dot"), Value("dot"));
    EXPECT_EQ(parse(knob(all, "words"), "12"), Value("12"));
    EXPECT_EQ(parse(knob(all, "query"), "293"), Value(Index{293}));
    EXPECT_EQ(parse(knob(all, "query"), "12,5", 24), Value(Index{12 * 24 + 5}));
}

TEST(Parameter, SaysWhatWasExpectedAndWhatCame) {
    const auto all = schema();
    const auto reading = [&](std::string_view id, std::string_view text) {
        return [&all, id, text] { parse(knob(all, id), text, 24); };
    };
    EXPECT_THAT(reading("tau", "abc"),
                ThrowsMessage<UsageError>("knob 'tau': expected a number from 0.01 to 10, got 'abc'"));
    EXPECT_THAT(
        reading("d", "1"),
        ThrowsMessage<UsageError>("knob 'd': expected a whole number from 2 to 512, or 0 for all, got '1'"));
    EXPECT_THAT(reading("pair", "guassian"),
                ThrowsMessage<UsageError>("knob 'pair': expected one of gaussian, dot, got 'guassian'"));
    EXPECT_THAT(reading("causal", "2"),
                ThrowsMessage<UsageError>("knob 'causal': expected true or false, got '2'"));
}

TEST(Parameter, RefusesWhatIsNotLegal) {
    const auto all = schema();
    for (const char* text : {"", "0.5x", " 0.5", "0", "10.5", "nan", "inf", "-1", "1e999"})
        EXPECT_THROW(parse(knob(all, "tau"), text), UsageError) << text;
    for (const char* text : {"1.5", "513", "99999999999999999999"})
        EXPECT_THROW(parse(knob(all, "d"), text), UsageError) << text;
    for (const char* text : {"-1", "12,24", "-1,5", "1,-5", "1,", ",", "1,2,3", "9999999999999,1"})
        EXPECT_THROW(parse(knob(all, "query"), text, 24), UsageError) << text;
    EXPECT_THROW(parse(knob(all, "query"), "1,2"), UsageError) << "no columns known";
}

TEST(Parameter, BringsValuesToTheirKind) {
    const auto all = schema();
    EXPECT_EQ(checked(knob(all, "tau"), Index{2}), Value(2.0));
    EXPECT_EQ(checked(knob(all, "d"), 64.0), Value(Index{64}));
    EXPECT_EQ(checked(knob(all, "causal"), Index{1}), Value(true));
    EXPECT_THROW(checked(knob(all, "d"), 64.5), UsageError);
    EXPECT_THROW(checked(knob(all, "d"), 1e300), UsageError);
    EXPECT_THROW(checked(knob(all, "tau"), std::nan("")), UsageError);
    EXPECT_THROW(checked(knob(all, "tau"), "0.5"), UsageError);
    EXPECT_THROW(checked(knob(all, "pair"), Index{0}), UsageError);
    EXPECT_THROW(checked(knob(all, "words"), true), UsageError);
}

TEST(Parameter, TextCarriesEveryLegalValue) {
    const auto all = schema();
    for (const Parameter& parameter : all)
        EXPECT_EQ(parse(parameter, format(parameter.initial)), parameter.initial) << parameter.id;

    const Parameter wide = {.id = "x", .kind = Kind::real, .low = -1e300, .high = 1e300};
    std::mt19937 random(3);
    std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(-40, 40);
    for (int i = 0; i < 2000; ++i) {
        const double drawn = mantissa(random) * std::pow(10.0, exponent(random));
        const Value kept = checked(wide, drawn);
        EXPECT_EQ(parse(wide, format(kept)), kept) << drawn;
        EXPECT_NEAR(std::get<double>(kept) / drawn, 1.0, 1e-8);
    }
    EXPECT_EQ(format(0.15), "0.15");
    EXPECT_EQ(format(1.0 / 3.0), "0.333333333");
    EXPECT_EQ(format(3.0), "3");
}

TEST(Parameter, HasItsDefaultWhereNothingIsSet) {
    const auto all = schema();
    const Values set = {{"tau", 2.0}};
    EXPECT_EQ(value_of(all, set, "tau"), Value(2.0));
    EXPECT_EQ(value_of(all, set, "pair"), Value("gaussian"));
    EXPECT_THROW(value_of(all, set, "sigma"), std::logic_error);
    EXPECT_EQ(find(all, "sigma"), nullptr);
}

TEST(Parameter, IsEnabledByAnother) {
    const auto all = schema();
    EXPECT_TRUE(enabled(knob(all, "tau"), all, {}));
    EXPECT_TRUE(enabled(knob(all, "width"), all, {}));
    EXPECT_FALSE(enabled(knob(all, "width"), all, {{"pair", "dot"}}));
    EXPECT_FALSE(enabled(knob(all, "tail"), all, {}));
    EXPECT_TRUE(enabled(knob(all, "tail"), all, {{"causal", true}}));
}

TEST(Knobs, AreReadByKind) {
    const auto all = schema();
    const Values set = {{"tau", Index{3}}, {"pair", "dot"}};
    const Knobs knobs(all, set);
    EXPECT_EQ(knobs.real("tau"), 3.0);
    EXPECT_EQ(knobs.integer("query"), 293);
    EXPECT_EQ(knobs.text("pair"), "dot");
    EXPECT_FALSE(knobs.flag("causal"));
    EXPECT_THROW((void)knobs.flag("pair"), std::logic_error);
    EXPECT_THROW((void)knobs.integer("pair"), std::logic_error);
}

}  // namespace
}  // namespace attn
