#pragma once

#include <cstdint>
#include <vector>

#include "core/colour.h"

namespace attn::gl {

/// Finds the functions of the current context. Throws Error when it is older than OpenGL 3.3.
void load(void (*(*address)(const char*))());

/// Fills the window's framebuffer with one colour.
void clear(int width, int height, Colour colour);

/// Then a rectangle of it; x and y of its upper left corner from the upper left, in pixels.
void clear_part(int height, int x, int y, int part_width, int part_height, Colour colour);

/// A texture's contents, RGBA, rows from the top (for tests).
std::vector<std::uint8_t> read_back(unsigned texture, int width, int height);

}  // namespace attn::gl
