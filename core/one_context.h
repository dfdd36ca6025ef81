#pragma once

#include "core/trace.h"

namespace attn {

/// What a decoder had before attention (Sutskever et al. 2014; Cho et al. 2014): every query gets the same
/// vector, the state of the last source word. The trace of a mechanism over two rows of words with weight 1
/// on the key `last` for every query, and that key's value as every output; nothing is scored, and what the
/// mechanism found on its way is left out.
Trace with_one_context(Trace trace, Index last);

}  // namespace attn
