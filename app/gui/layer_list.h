#pragma once

#include "app/gui/ui.h"
#include "app/gui/workbench.h"

namespace attn {

/// The stack of a scene about a pattern, one line of text per layer, input first, edited in place: Enter sets
/// a layer, an empty line takes it out, the last line adds one. Where every layer is the same there is only
/// the offer to tell them apart. Returns the height it took.
double draw_layer_list(Ui& ui, Workbench& bench, Point at, double width);

}  // namespace attn
