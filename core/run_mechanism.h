#pragma once

#include "core/mechanism.h"

namespace attn {

/// Runs a mechanism and answers for its numbers: every array but `out.*` must hold at least one number and
/// only finite ones, and so must every result. Throws Error in one sentence that names the array; beside that
/// what `Mechanism::run` throws.
Trace run_mechanism(const Mechanism& mechanism, const Arrays& arrays, const Knobs& knobs);

}  // namespace attn
