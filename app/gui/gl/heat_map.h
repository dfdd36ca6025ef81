#pragma once

#include <memory>

#include "app/gui/gl/texture.h"
#include "core/colour.h"

namespace attn::gl {

/// Colours heat maps with shaders/heat_map.frag, at the resolution of their cells: shown enlarged with
/// nearest sampling, a map costs one pass over its cells per change and one quad per frame. Needs a current
/// OpenGL context.
class HeatMapPainter {
  public:
    HeatMapPainter();
    ~HeatMapPainter();
    HeatMapPainter(const HeatMapPainter&) = delete;
    HeatMapPainter& operator=(const HeatMapPainter&) = delete;

    /// One texel per cell, row 0 first.
    Texture paint(const Cells& cells, const Colouring& colouring);

  private:
    struct Pass;
    std::unique_ptr<Pass> pass_;  ///< made with the first map: linking a program takes 14 ms
};

}  // namespace attn::gl
