#pragma once

#include <string>
#include <string_view>

#include "app/scene.h"

namespace attn {

/// Opens any file a user may drop: a picture, a scene (.json), an exported figure (.png .svg .pdf: the recipe
/// inside, or a plain picture), an .npz case (up to 4 MB, since the scene carries it). What it is is told by
/// its bytes, not by its name. A picture keeps the scene's mechanism where that looks at pictures, else goes
/// to non-local. Throws Error in one sentence; `current` is not changed.
Scene open_file(const Scene& current, std::string_view path);

/// The scene looking at this picture, as open_file does, whatever recipe the file may hold.
Scene open_picture(const Scene& current, std::string_view path);

/// The scene of a case of any size, with the knobs that the file sets. Its mechanism is the file's
/// `p.mechanism`, or `fallback` where the file names none. `name` is for messages.
Scene case_scene(std::string bytes, std::string_view name, std::string_view fallback = {});

}  // namespace attn
