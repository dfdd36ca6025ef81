#include <array>

#include "app/figure.h"
#include "app/figures/kinds.h"
#include "core/error.h"

namespace attn {

std::span<const Figure> figures() {
    static const std::array all = {overlay_figure(), alignment_figure(), gate_figure(),
                                   recipe_figure(),  reach_figure(),     cost_figure(),
                                   answers_figure(), rollout_figure(),   laboratory_figure(),
                                   numbers_figure(), table_figure()};
    return all;
}

const Figure& figure(std::string_view id) {
    std::string ids;
    for (const Figure& each : figures()) {
        if (each.id == id) return each;
        ids += (ids.empty() ? "" : ", ") + std::string(each.id);
    }
    throw UsageError("no figure '" + std::string(id) + "'; there are: " + ids);
}

}  // namespace attn
