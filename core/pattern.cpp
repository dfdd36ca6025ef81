#include "core/pattern.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/id_list.h"
#include "core/patterns/all.h"

namespace attn {

namespace {

/// Unit edges between cells inside and outside, joined where they continue each other.
class OutlineTracer {
  public:
    explicit OutlineTracer(Grid grid) : grid_(grid), inside_(static_cast<std::size_t>(grid.size())) {}

    void add(const Region& region) {
        for (Index r = region.row; r < region.row + region.height; ++r)
            for (Index c = region.column; c < region.column + region.width; ++c)
                inside_[static_cast<std::size_t>(r * grid_.width + c)] = true;
    }

    [[nodiscard]] std::vector<Border> trace() const {
        std::vector<Border> borders;
        for (Index r = 0; r <= grid_.height; ++r)
            for (Index c = 0; c < grid_.width; ++c)
                if (inside(r - 1, c) != inside(r, c)) join(borders, {r, c, 1, false});
        for (Index c = 0; c <= grid_.width; ++c)
            for (Index r = 0; r < grid_.height; ++r)
                if (inside(r, c - 1) != inside(r, c)) join(borders, {r, c, 1, true});
        return borders;
    }

  private:
    [[nodiscard]] bool inside(Index r, Index c) const {
        return r >= 0 && r < grid_.height && c >= 0 && c < grid_.width &&
               inside_[static_cast<std::size_t>(r * grid_.width + c)];
    }

    static void join(std::vector<Border>& borders, const Border& next) {
        if (!borders.empty()) {
            Border& last = borders.back();
            const bool continues = next.down
                                       ? last.column == next.column && last.row + last.length == next.row
                                       : last.row == next.row && last.column + last.length == next.column;
            if (last.down == next.down && continues) {
                ++last.length;
                return;
            }
        }
        borders.push_back(next);
    }

    Grid grid_;
    std::vector<bool> inside_;
};

}  // namespace

std::vector<Border> outline(std::span<const Region> regions, Grid grid) {
    OutlineTracer tracer(grid);
    for (const Region& region : regions) tracer.add(region);
    return tracer.trace();
}

std::span<const Pattern> patterns() {
    static const std::array table = {
        rules::global(),       rules::causal(),         rules::local(),       rules::dilated(),
        rules::neighborhood(), rules::block_1d(),       rules::block_2d(),    rules::axial(),
        rules::row(),          rules::column(),         rules::criss_cross(), rules::strided(),
        rules::fixed(),        rules::sliding_window(), rules::swin(),        rules::lsa(),
        rules::gsa(),          rules::bigbird(),        rules::sinks(),       rules::prefix(),
        rules::document(),     rules::custom(),
    };
    return table;
}

const Pattern& pattern(std::string_view id) {
    const auto all = patterns();
    const auto found = std::ranges::find(all, id, &Pattern::id);
    if (found != all.end()) return *found;
    throw UsageError("expected a pattern, one of " + id_list(all) + ", got '" + std::string(id) + "'");
}

}  // namespace attn
