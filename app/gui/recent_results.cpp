#include "app/gui/recent_results.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

constexpr std::size_t most_results = 24;
constexpr double most_bytes = 128e6;

/// Of the maps, were all of them held: the rest of a result is small beside them.
double bytes_of(const Result& result) {
    const Trace& trace = result.trace;
    const double pairs = static_cast<double>(trace.queries.size()) * static_cast<double>(trace.keys.size());
    if (result.findings) return pairs / 8;  // hops and counts; all hops of short sequences
    return 2.0 * sizeof(float) * pairs * static_cast<double>(trace.heads.size());
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
