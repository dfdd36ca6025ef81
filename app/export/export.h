#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/canvas.h"
#include "app/figure.h"

namespace attn {

struct ExportOptions {
    std::string format = "png";  ///< png, svg, pdf
    Size size;                   ///< points; {0, 0} is the figure's natural size
    double scale = 2.0;          ///< pixels per point of a PNG
    std::string_view theme = "light";
};

/// The figure as the bytes of a file, with the scene inside. The same scene, result and options give the same bytes.
/// Throws Error for an unknown format, a size under 64 or over 20,000 pixels a side.
std::string export_figure(const Scene& scene, const Result& result, const Fonts& fonts, const ExportOptions& options);

/// The recipe inside an exported PNG (tEXt `attnscope`), SVG (<metadata>) or PDF (Keywords), or nothing when the bytes are
/// of another kind or carry none. Throws Error when there is one but it is broken.
std::optional<std::string> embedded_recipe(std::string_view bytes);

}  // namespace attn
