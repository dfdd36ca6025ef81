#pragma once

#include <string_view>

namespace attn {

/// Which of EXIF's eight turns and flips shows a JPEG upright; 1, as it is, for other bytes.
int exif_orientation(std::string_view bytes);

}  // namespace attn
