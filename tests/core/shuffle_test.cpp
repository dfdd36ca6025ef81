#include <gtest/gtest.h>

#include <algorithm>

#include "core/catalog.h"
#include "tests/core/mechanism_runs.h"

namespace attn {
namespace {

float change_of(const Trace& trace) {
    const auto step =
        std::find_if(trace.steps.begin(), trace.steps.end(), [](const Step& s) { return s.id == "change"; });
    return step == trace.steps.end() ? -1.0F : step->array->values().front();
}

TEST(ShuffledKeys, ChangeNoOutputWhereNothingTellsTheirPlaces) {
    for (const char* id : {"scaled-dot", "multi-head", "cross"}) {
        const Trace still = run_arranged(id, toy_material());
        const Trace moved = run_arranged(id, toy_material(), {{"shuffle", true}});
        EXPECT_LT(change_of(still), 0.0F) << id;  // nothing to tell
        EXPECT_EQ(change_of(moved), 0.0F) << id;
        ASSERT_EQ(static_cast<Index>(moved.key_order.size()), moved.keys.size()) << id;
        std::vector<Index> sorted = moved.key_order;
        EXPECT_FALSE(std::is_sorted(sorted.begin(), sorted.end())) << id;
        std::sort(sorted.begin(), sorted.end());
        for (Index key = 0; key < moved.keys.size(); ++key)
            EXPECT_EQ(sorted[static_cast<std::size_t>(key)], key) << id;
        for (std::size_t h = 0; h < moved.heads.size(); ++h)
            for (Index query = 0; query < moved.queries.size(); ++query)
                for (Index column = 0; column < moved.keys.size(); ++column)
                    EXPECT_NEAR(
                        moved.heads[h].weights.at(query, column),
                        still.heads[h].weights.at(query, moved.key_order[static_cast<std::size_t>(column)]),
                        1e-5F)
                        << id;
    }
}

TEST(ShuffledKeys, ChangeTheOutputWhereTheOrderMatters) {
    for (const char* id : {"scaled-dot", "multi-head", "cross"})
        EXPECT_GT(change_of(run_arranged(id, toy_material(), {{"shuffle", true}, {"causal", true}})), 1e-2F)
            << id;
    const auto sasa = [](const char* terms) {
        return change_of(
            run_arranged("sasa", toy_material(), {{"shuffle", true}, {"terms", std::string(terms)}}));
    };
    EXPECT_EQ(sasa("content"), 0.0F);
    EXPECT_GT(sasa("position"), 1e-3F);
    EXPECT_GT(sasa("both"), 1e-3F);
}

}  // namespace
}  // namespace attn
