#pragma once

#include "core/mechanism.h"

namespace attn {

/// One per file of this folder; core/catalog.cpp sets their order.
Mechanism additive();
Mechanism dot();
Mechanism general();
Mechanism concat();
Mechanism location();
Mechanism local_m();
Mechanism local_p();
Mechanism scaled_dot();
Mechanism multi_head();
Mechanism cross();
Mechanism soft();
Mechanism hard();
Mechanism strided();
Mechanism fixed();
Mechanism sliding_window();
Mechanism routing();
Mechanism non_local();
Mechanism stand_alone();
Mechanism axial();
Mechanism position_sensitive_axial();
Mechanism block_1d();
Mechanism block_2d();
Mechanism neighborhood();
Mechanism locally_grouped();
Mechanism sub_sampled();
Mechanism shifted_windows();
Mechanism class_attention();
Mechanism relation_aware_spatial();
Mechanism attention_gate();
Mechanism residual_attention();
Mechanism squeeze_excitation();
Mechanism bottleneck_attention();
Mechanism convolutional_block();
Mechanism relation_aware_channel();
Mechanism cross_covariance();
Mechanism bilinear_attention();

}  // namespace attn
