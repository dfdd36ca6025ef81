#pragma once

#include <string_view>

#include "core/array.h"
#include "core/grid.h"

namespace attn {

/// Layers over feature maps [C, H, W].

/// The same along both axes. Positions outside the map are zeros for a convolution and a mean, and do not
/// exist for a maximum.
struct Stencil {
    Index stride = 1;
    Index padding = 0;
    Index dilation = 1;
};

/// ⌊(side + 2·padding − dilation·(k − 1) − 1) / stride⌋ + 1 along each axis; 0 where the kernel does not fit.
Grid convolved(Grid grid, Grid kernel, const Stencil& stencil);

/// y[o] = Σ w[o, c, i, j] x[c, …] + b[o], with W = `w.NAME` [outputs, C, kh, kw] (or [outputs, C], a 1×1
/// convolution) and b = `b.NAME` [outputs], 0 where it is missing. `outputs` = -1 takes what W has. Throws
/// Error naming the array where W has another shape, is larger than the padded map, or a kernel's side is not
/// `kernel` (-1: any).
Array convolve(const Arrays& arrays, std::string_view name, const Array& map, Index outputs = -1,
               const Stencil& stencil = {}, Index kernel = -1);

/// Maximum and mean of k×k windows. Throws Error when the window is larger than the padded map.
Array max_pool(const Array& map, Index k, const Stencil& stencil);
Array mean_pool(const Array& map, Index k, const Stencil& stencil);

/// Bilinear resampling to another grid. With corners aligned the outermost cells' centres fall together
/// (y = i·(h − 1)/(H − 1)); without, the outer edges do (y = (i + ½)·h/H − ½, not below 0).
Array resize_bilinear(const Array& map, Grid grid, bool align_corners);

}  // namespace attn
