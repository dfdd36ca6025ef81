#include "core/map.h"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>

#include "core/error.h"

namespace attn {
namespace {

using testing::ElementsAre;

SharedArray share(Array array) {
    return std::make_shared<const Array>(std::move(array));
}

TEST(Map, ReadsAMatrixOrOneHead) {
    const Map flat(share(Array({2, 3}, {1, 2, 3, 4, 5, 6})));
    EXPECT_EQ(flat.rows(), 2);
    EXPECT_EQ(flat.columns(), 3);
    EXPECT_THAT(flat.row(1), ElementsAre(4, 5, 6));

    const SharedArray heads = share(Array({2, 1, 2}, {1, 2, 3, 4}));
    EXPECT_THAT(Map(heads, 1).row(0), ElementsAre(3, 4));
    EXPECT_EQ(Map(heads, 1).at(0, 1), 4);
    EXPECT_THROW(Map(heads, 2), Error);
    EXPECT_THROW(Map(share(Array({4}))), Error);
    EXPECT_TRUE(Map().empty());
}

TEST(Map, IsMadeOnceAndWhenRead) {
    int made = 0;
    const Map late(2, 3, [&made] {
        ++made;
        return Array({2, 3}, {1, 2, 3, 4, 5, 6});
    });
    const Map copy = late;
    EXPECT_EQ(late.columns(), 3);
    EXPECT_EQ(made, 0);
    EXPECT_THAT(late.row(1), ElementsAre(4, 5, 6));
    EXPECT_EQ(copy.reduced(2, 3), Array({2, 3}, {1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(made, 1);
    EXPECT_THROW(static_cast<void>(Map(2, 2, [] { return Array({4}); }).row(0)), std::logic_error);
}

TEST(Map, ReducedIsItselfWhereThereIsRoom) {
    const Array a({2, 3}, {1, -2, 3, 4, 5, -6});
    EXPECT_EQ(Map(share(a)).reduced(10, 3), a);
}

TEST(Map, ReducedKeepsThinLinesAndTheirSign) {
    const Index n = 400;
    Array a({n, n}, 0.01F);
    for (Index i = 0; i < n; ++i) {
        a.values()[static_cast<std::size_t>(i * n + i)] = 1.0F;             // the diagonal
        a.values()[static_cast<std::size_t>(i * n + (n - 1) / 2)] = -3.0F;  // one column
    }
    const Index side = 37;  // no divisor of n
    const Map small(share(Map(share(a)).reduced(side, side)));
    ASSERT_EQ(small.rows(), side);
    const Index column = ((n - 1) / 2 * side) / n;
    for (Index i = 0; i < side; ++i) {
        EXPECT_EQ(small.at(i, column), -3.0F) << i;
        if (i != column) {
            EXPECT_EQ(small.at(i, i), 1.0F) << i;
        }
    }
}

TEST(Map, ReducedKeepsANaNOnlyWhereAllAre) {
    const float nan = std::nanf("");
    const Array a({2, 4}, {nan, nan, nan, 2, nan, nan, 1, nan});
    const Array small = Map(share(a)).reduced(1, 2);
    EXPECT_TRUE(std::isnan(small.values()[0]));
    EXPECT_EQ(small.values()[1], 2.0F);
}

TEST(Map, ReducedToNothingIsEmpty) {
    EXPECT_EQ(Map(share(Array({3, 3}))).reduced(0, 2).size(), 0);
}

}  // namespace
}  // namespace attn
