#include "app/theme.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"

namespace attn {
namespace {

double distance(Colour a, Colour b) {
    return std::hypot(a.r - b.r, a.g - b.g, a.b - b.b);
}

const Theme* const themes[] = {&light_theme(), &dark_theme(), &print_theme()};

TEST(Theme, IsFoundById) {
    for (const Theme* each : themes) EXPECT_EQ(&theme(each->id), each);
    EXPECT_THROW(theme("sepia"), UsageError);
}

TEST(Theme, TextCanBeRead) {
    for (const Theme* each : themes)
        for (const Colour ground : {each->ground, each->panel}) {
            EXPECT_GE(contrast(each->ink, ground), 7.0) << each->id;
            EXPECT_GE(contrast(each->muted, ground), 4.5) << each->id;
        }
}

TEST(Theme, PrintedAccentsCanBeRead) {
    const Theme& print = print_theme();
    for (const Colour accent : {print.query, print.bar, print.warning})
        EXPECT_GE(contrast(accent, rgb(0xFFFFFF)), 4.5);
    EXPECT_EQ(print.ground, rgb(0xFFFFFF));
    EXPECT_EQ(print.ink, rgb(0x000000));
}

TEST(Theme, NothingElseHasTheAccent) {
    for (const Theme* each : themes)
        for (const Colour other : {each->ink, each->muted, each->bar, each->warning, each->unseen})
            EXPECT_GT(distance(each->query, other), 40.0) << each->id;
}

TEST(Theme, BrokenCellsLookLikeNoNumber) {
    constexpr double apart = 40.0;  // of 441 between black and white
    for (const Theme* each : themes)
        for (const Colouring& colouring : {weight_colouring(*each), score_colouring(*each)}) {
            const Colour classes[] = {colouring.masked, colouring.nan, colouring.plus_infinity,
                                      colouring.minus_infinity};
            for (std::size_t i = 0; i < std::size(classes); ++i) {
                for (const Colour& colour : *colouring.ramp)
                    EXPECT_GT(distance(classes[i], colour), apart) << each->id << ", class " << i;
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_GT(distance(classes[i], classes[j]), apart)
                        << each->id << ", classes " << i << ' ' << j;
            }
        }
}

}  // namespace
}  // namespace attn
