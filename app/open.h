#pragma once

#include <string_view>

#include "app/scene.h"

namespace attn {

/// Opens any file a user may drop: a picture, a scene (.json), an exported figure (.png .svg .pdf: the recipe inside, or
/// a plain picture), an .npz case. A picture keeps the scene's mechanism where that looks at pictures, else goes to
/// non-local. Throws Error in one sentence; `current` is not changed.
Scene open_file(const Scene& current, std::string_view path);

}  // namespace attn
