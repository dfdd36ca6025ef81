#include "app/gui/gl/screen.h"

#include <glad/gl.h>

#include <algorithm>

#include "core/error.h"

namespace attn::gl {
namespace {

void set_clear_colour(Colour colour) {
    const auto share = [](std::uint8_t channel) { return static_cast<float>(channel) / 255.0F; };
    glClearColor(share(colour.r), share(colour.g), share(colour.b), 1.0F);
}

}  // namespace

void load(void (*(*address)(const char*))()) {
    if (gladLoadGL(address) < GLAD_MAKE_VERSION(3, 3)) {
        throw Error("the window needs OpenGL 3.3 and this display offers less; use `attnscope render`");
    }
}

void clear(int width, int height, Colour colour) {
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    set_clear_colour(colour);
    glClear(GL_COLOR_BUFFER_BIT);
}

void clear_part(int height, int x, int y, int part_width, int part_height, Colour colour) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(x, height - y - part_height, std::max(0, part_width), std::max(0, part_height));
    set_clear_colour(colour);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

std::vector<std::uint8_t> read_back(unsigned texture, int width, int height) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return pixels;
}

}  // namespace attn::gl
