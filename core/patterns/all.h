#pragma once

#include "core/pattern.h"

namespace attn::rules {

/// One per file of this folder; core/pattern.cpp sets their order.
Pattern global();
Pattern causal();
Pattern local();
Pattern dilated();
Pattern neighborhood();
Pattern block_1d();
Pattern block_2d();
Pattern axial();
Pattern row();
Pattern column();
Pattern criss_cross();
Pattern strided();
Pattern fixed();
Pattern sliding_window();
Pattern swin();
Pattern lsa();
Pattern gsa();
Pattern bigbird();
Pattern sinks();
Pattern prefix();
Pattern document();
Pattern custom();

}  // namespace attn::rules
