#include "app/gui/recent_results.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

constexpr std::size_t most_results = 24;
constexpr double most_bytes = 128e6;

/// About: of maps what they hold, and rows that were computed to be drawn; of patterns hops and counts.
double bytes_of(const Result& result) {
    const Trace& trace = result.trace;
    const auto keys = static_cast<double>(trace.keys.size());
    if (result.findings) return 64.0 * keys;
    constexpr double rows_drawn = 64.0;
    double numbers = rows_drawn * keys * static_cast<double>(result.all_heads.size());
    const Array* counted = nullptr;  // heads share one array
    for (const Head& head : trace.heads)
        for (const SharedArray& held : {head.scores.held(), head.weights.held()}) {
            if (!held || held.get() == counted) continue;
            counted = held.get();
            numbers += static_cast<double>(held->size());
        }
    return sizeof(float) * numbers;
}

}  // namespace

std::shared_ptr<const Result> RecentResults::find(std::string_view evaluation_key) {
    const auto found = std::find_if(results_.begin(), results_.end(),
                                    [&](const auto& result) { return result->key == evaluation_key; });
    if (found == results_.end()) return nullptr;
    results_.splice(results_.begin(), results_, found);
    return results_.front();
}

void RecentResults::keep(std::shared_ptr<const Result> result) {
    results_.push_front(std::move(result));
    double bytes = 0.0;
    std::size_t kept = 0;
    for (auto at = results_.begin(); at != results_.end(); ++kept) {
        bytes += bytes_of(**at);
        const bool drop = kept > 0 && (kept >= most_results || bytes > most_bytes);
        at = drop ? results_.erase(at) : std::next(at);
    }
}

}  // namespace attn
