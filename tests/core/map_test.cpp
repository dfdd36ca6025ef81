#include "core/map.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <span>

#include "core/error.h"
#include "core/late_array.h"

namespace attn {
namespace {

using testing::Each;
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

/// 3 × 5 with two keys, none and one.
SharedTable three_rows() {
    return std::make_shared<const PairTable>(PairTable{3, 5, {0, 2, 2, 4}, {1, 4, PairTable::none, 0}});
}

TEST(Map, OfPairsIsZeroElsewhere) {
    const Map second(three_rows(), share(Array({2, 4}, {9, 9, 9, 9, 2, -7, 3, 4})), 1);
    EXPECT_EQ(second.rows(), 3);
    EXPECT_THAT(second.row(0), ElementsAre(0, 2, 0, 0, -7));
    EXPECT_THAT(second.row(1), Each(0));
    EXPECT_THAT(second.row(2), ElementsAre(4, 0, 0, 0, 0)) << "a slot without a key has no place";
    EXPECT_EQ(second.row(0).data(), Map(second).row(0).data()) << "copies share what they read";
    EXPECT_EQ(second.reduced(3, 5), Array({3, 5}, {0, 2, 0, 0, -7, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0}));
    EXPECT_EQ(second.reduced(1, 2), Array({1, 2}, {4, -7}));
    EXPECT_THAT(Map(three_rows()).row(0), ElementsAre(0, 1, 0, 0, 1));
    EXPECT_THROW(Map(three_rows(), share(Array({2, 3}))), Error);
    EXPECT_THROW(Map(three_rows(), share(Array({1, 4})), 1), Error);
}

TEST(Map, OfPairsCostsWhatTheyAre) {
    const Index n = 1 << 20;  // n² numbers would be 4 TB
    PairTable table = even_table(n, n, 1);
    std::iota(table.key.begin(), table.key.end(), 0);
    const Map diagonal(std::make_shared<const PairTable>(std::move(table)));
    EXPECT_EQ(diagonal.reduced(2, 2), Array({2, 2}, {1, 0, 0, 1}));
    Index visited = 0;
    diagonal.visit(77, [&](Index column, float value) {
        EXPECT_EQ(column, 77);
        EXPECT_EQ(value, 1.0F);
        ++visited;
    });
    EXPECT_EQ(visited, 1);
}

TEST(Map, ComputesARowWhenItIsRead) {
    int made = 0;
    const Map late(2, 3, [&made](Index row, std::span<float> out) {
        ++made;
        out[1] = static_cast<float>(row + 1);
    });
    const Map copy = late;
    EXPECT_EQ(late.columns(), 3);
    EXPECT_EQ(made, 0);
    EXPECT_THAT(late.row(1), ElementsAre(0, 2, 0));
    EXPECT_EQ(copy.at(1, 1), 2);
    EXPECT_EQ(made, 1) << "a row that was asked for is kept";
    EXPECT_EQ(copy.reduced(2, 3), Array({2, 3}, {0, 1, 0, 0, 2, 0}));
}

TEST(LateArray, IsMadeOnceAndWhenRead) {
    int made = 0;
    const LateArray late([&made] {
        ++made;
        return Array({2}, {3, 4});
    });
    const LateArray copy = late;
    EXPECT_EQ(late.made(), nullptr);
    EXPECT_EQ(made, 0);
    EXPECT_THAT(copy->values(), ElementsAre(3, 4));
    EXPECT_EQ(late.get(), copy.get());
    EXPECT_EQ(made, 1);
    const SharedArray there = share(Array({1}));
    EXPECT_EQ(LateArray(there).made(), there);
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
