#pragma once

#include <optional>

#include "app/canvas.h"
#include "app/figures/heat.h"

namespace attn {

/// Where a decoder predicts to look (local-p): p of every query as a tick, the window's Gaussian over the
/// shown query's row. Nothing for other mechanisms.
void draw_predicted(Canvas& canvas, const Page& page, const Panel& matrix, Index query);
/// The predicted place of a query.
std::optional<double> predicted(const Page& page, Index query);

}  // namespace attn
