#pragma once

#include "app/figure.h"

namespace attn {

/// One file each.
Figure overlay_figure();     ///< one query over a picture
Figure alignment_figure();   ///< words that look at words
Figure gate_figure();        ///< one gate per channel
Figure recipe_figure();      ///< score, squash, multiply of any mechanism
Figure reach_figure();       ///< which keys one query sees through layers of a pattern
Figure cost_figure();        ///< what one layer costs
Figure answers_figure();     ///< one query under several patterns
Figure rollout_figure();     ///< weights handed on through layers
Figure laboratory_figure();  ///< why scores are divided by √d
Figure numbers_figure();     ///< what was published about a mechanism
Figure table_figure();       ///< what every mechanism scores

}  // namespace attn
