#pragma once

#include <string>

#include "app/canvas.h"
#include "app/figure.h"

namespace attn {

/// What stands over a figure that is about no mechanism.
struct Heading {
    std::string title;
    std::string source{};   ///< beside the title
    std::string lead{};     ///< the sentence that says what to see
    std::string note{};     ///< the setting in words
    std::string warning{};  ///< at the foot
};

/// Ground, title, sentences. Returns what is left for the figure.
Rect headed_sheet(Canvas& canvas, const Page& page, const Heading& heading);

}  // namespace attn
