#pragma once

#include <string_view>

namespace attn {

/// What a JPEG file says beside its pixels.
struct JpegFacts {
    int orientation =
        1;  ///< EXIF: which of the eight turns and flips shows the picture upright, 1 = as it is
    bool complete = true;  ///< the end-of-image marker is there
};

/// Reads the markers of a JPEG; other bytes give the defaults.
JpegFacts jpeg_facts(std::string_view bytes);

}  // namespace attn
