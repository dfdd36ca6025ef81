#include "core/array.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/error.h"

namespace attn {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Array, IsOneNumberWithoutAxes) {
    const Array number;
    EXPECT_EQ(number.size(), 1);
    EXPECT_EQ(number.rank(), 0);
    EXPECT_EQ(describe(number.shape()), "[]");
}

TEST(Array, CountsAxesFromBothSides) {
    const Array a({2, 3, 4}, 1.5F);
    EXPECT_EQ(a.size(), 24);
    EXPECT_EQ(a.extent(0), 2);
    EXPECT_EQ(a.extent(-1), 4);
    EXPECT_EQ(a.extent(-3), 2);
    EXPECT_THAT([&] { (void)a.extent(3); },
                ThrowsMessage<Error>(HasSubstr("axis 3, got the shape [2, 3, 4]")));
    EXPECT_THROW((void)a.extent(-4), Error);
}

TEST(Array, RefusesShapesItCannotHave) {
    EXPECT_THAT([] { Array({2, -1}); }, ThrowsMessage<Error>(HasSubstr("[2, -1]")));
    EXPECT_THAT(
        [] {
            Array({2, 2}, std::vector<float>{1, 2, 3});
        },
        ThrowsMessage<Error>("expected 4 numbers for the shape [2, 2], got 3"));
    const Index half = Index{1} << 32;
    EXPECT_THROW(Array({half, half}), Error) << "the product wraps round to 0";
    EXPECT_EQ(Array({half, half, 0}).size(), 0);
}

TEST(Array, KeepsItsNumbersInAnotherShape) {
    const Array a({2, 3}, {1, 2, 3, 4, 5, 6}, Element::index);
    const Array b = a.reshaped({3, 2});
    EXPECT_EQ(b.shape(), Shape({3, 2}));
    EXPECT_EQ(b.element(), Element::index);
    EXPECT_THAT(b.values(), testing::ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THROW((void)a.reshaped({4}), Error);
}

TEST(Arrays, AreAskedForByNameAndShape) {
    Arrays arrays;
    arrays["in.x"] = Array({2, 3});
    EXPECT_EQ(&require(arrays, "in.x"), &arrays.at("in.x"));
    EXPECT_EQ(&require(arrays, "in.x", {-1, 3}), &arrays.at("in.x"));
    EXPECT_EQ(find(arrays, "in.x", {2, -1}), &arrays.at("in.x"));
    EXPECT_EQ(find(arrays, "in.y", {2, 3}), nullptr);
    EXPECT_THAT([&] { require(arrays, "in.y"); }, ThrowsMessage<Error>(HasSubstr("'in.y'")));
    EXPECT_THAT(
        [&] {
            require(arrays, "in.x", {-1, 4});
        },
        ThrowsMessage<Error>("array 'in.x': expected the shape [*, 4], got [2, 3]"));
    EXPECT_THROW(require(arrays, "in.x", {2, 3, 1}), Error);
    EXPECT_THROW(find(arrays, "in.x", {3}), Error);
}

TEST(Arrays, RefuseNaNButNotInfinity) {
    Arrays arrays;
    arrays["in.x"] = Array({3}, {0, std::numeric_limits<float>::infinity(), 0});
    EXPECT_NO_THROW(require(arrays, "in.x", {3}));
    arrays["in.x"].values()[2] = std::nanf("");
    EXPECT_THAT([&] { require(arrays, "in.x", {3}); },
                ThrowsMessage<Error>("array 'in.x': expected numbers, got NaN at position 2"));
}

}  // namespace
}  // namespace attn
