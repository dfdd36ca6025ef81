#include "core/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using attn::Expression;
using attn::ExpressionError;
using attn::Index;
using testing::HasSubstr;

constexpr attn::Grid grid{5, 7};

TEST(Expression, KnowsItsVariablesAndFunctions) {
    const auto same = [](const char* text, bool (*expected)(Index q, Index k)) {
        Expression rule(text, grid);
        std::vector<unsigned char> row;
        for (Index q = 0; q < grid.size(); ++q) {
            rule.row(q, row);
            for (Index k = 0; k < grid.size(); ++k) {
                ASSERT_EQ(row[static_cast<std::size_t>(k)] != 0, expected(q, k))
                    << text << " at " << q << ", " << k;
                ASSERT_EQ(rule.sees(q, k), expected(q, k)) << text << " at " << q << ", " << k;
            }
        }
    };
    same("abs(qr-kr)+abs(qc-kc) <= 4 || k < 4",
         [](Index q, Index k) { return std::abs(q / 7 - k / 7) + std::abs(q % 7 - k % 7) <= 4 || k < 4; });
    same("(q - k) % 3 == 2", [](Index q, Index k) { return ((q - k) % 3 + 3) % 3 == 2; });
    same("mod(k - q, 4) == 1", [](Index q, Index k) { return ((k - q) % 4 + 4) % 4 == 1; });
    same("floor(k / 4) == floor(q / 4)", [](Index q, Index k) { return k / 4 == q / 4; });
    same("!(k <= q) && k != N - 1", [](Index q, Index k) { return k > q && k != 34; });
    same("min(q, k) < 3 && max(q, k) >= H + W",
         [](Index q, Index k) { return std::min(q, k) < 3 && std::max(q, k) >= 12; });
    same("q < k ? kc == 0 : -1 * kr > -2", [](Index q, Index k) { return q < k ? k % 7 == 0 : k / 7 < 2; });
    same("k / 0 - k / 0", [](Index, Index) { return false; });  // not a number is not true
    same("1", [](Index, Index) { return true; });
}

struct Wrong {
    const char* text;
    std::size_t position;
    const char* says;
};

class WrongExpression : public testing::TestWithParam<Wrong> {};

TEST_P(WrongExpression, SaysWhatAndWhere) {
    const Wrong& wrong = GetParam();
    try {
        const Expression rule(wrong.text, grid);
        FAIL() << wrong.text;
    } catch (const ExpressionError& error) {
        EXPECT_EQ(error.position, wrong.position) << error.what();
        EXPECT_THAT(error.what(), HasSubstr(wrong.says));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Expression, WrongExpression,
    testing::Values(Wrong{"", 0, "got nothing"}, Wrong{"q = 3", 2, "lone ="}, Wrong{"q => 3", 2, "lone ="},
                    Wrong{"q<=k<=q+2", 4, "chain"}, Wrong{"k<4, q<4", 3, "comma"},
                    Wrong{"k < 4 && foo", 9, "'foo' is not known"},
                    Wrong{"sin(q) < 1", 0, "'sin' is not known"}, Wrong{"rnd < 1", 0, "not known"},
                    Wrong{"q <", 3, "ends too early"}, Wrong{"(q<3", 4, "not closed"},
                    Wrong{"q<3)", 3, "parenthesis"}, Wrong{"q k", 2, "follows a value"},
                    Wrong{"3 +* 4", 3, "'*' stands where"}, Wrong{"abs(q,k)<2", 7, "arguments"},
                    Wrong{"q ≤ 3", 2, "ASCII"}, Wrong{"q & k", 2, "not known"}));

}  // namespace
