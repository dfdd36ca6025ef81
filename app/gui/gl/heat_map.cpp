#include "app/gui/gl/heat_map.h"

#include <glad/gl.h>

#include <array>
#include <cstring>
#include <vector>

#include "app/gui/gl/program.h"
#include "shaders.h"

namespace attn::gl {
namespace {

/// An off-screen target; the window's own is bound again at the end.
class Framebuffer {
  public:
    explicit Framebuffer(const Texture& target) {
        glGenFramebuffers(1, &id_);
        glBindFramebuffer(GL_FRAMEBUFFER, id_);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.id(), 0);
        glViewport(0, 0, target.width(), target.height());
    }
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;
    ~Framebuffer() {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &id_);
    }

  private:
    GLuint id_ = 0;
};

Texture ramp_texture(const Ramp& ramp) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(ramp.size() * 4);
    for (const Colour colour : ramp) pixels.insert(pixels.end(), {colour.r, colour.g, colour.b, colour.a});
    return Texture::rgba8(static_cast<int>(ramp.size()), 1, Filter::nearest, pixels);
}

}  // namespace

struct HeatMapPainter::Pass {
    Program program{shaders::heat_map_vert, shaders::heat_map_frag};
    GLuint vertices = 0;

    Pass() { glGenVertexArrays(1, &vertices); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() { glDeleteVertexArrays(1, &vertices); }
};

HeatMapPainter::HeatMapPainter() = default;
HeatMapPainter::~HeatMapPainter() = default;

Texture HeatMapPainter::paint(const Cells& cells, const Colouring& colouring) {
    if (!pass_) pass_ = std::make_unique<Pass>();
    const int width = static_cast<int>(cells.width);
    const int height = static_cast<int>(cells.height);
    static_assert(sizeof(CellClass) == 1);
    std::vector<std::uint8_t> classes(cells.classes.size());
    if (!classes.empty()) std::memcpy(classes.data(), cells.classes.data(), classes.size());

    Texture target = Texture::rgba8(width, height, Filter::nearest);
    const Texture positions = Texture::r32f(width, height, cells.position);
    const Texture kinds = Texture::r8ui(width, height, classes);
    const Texture ramp = ramp_texture(*colouring.ramp);

    const Framebuffer framebuffer(target);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    positions.bind(0);
    kinds.bind(1);
    ramp.bind(2);
    const Program& program = pass_->program;
    program.use();
    program.set("positions", 0);
    program.set("classes", 1);
    program.set("ramp", 2);
    program.set("low", cells.low);
    program.set("high", cells.high);
    const Colour special[] = {
        {}, colouring.masked, colouring.nan, colouring.plus_infinity, colouring.minus_infinity};
    program.set("special", special);
    glBindVertexArray(pass_->vertices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glActiveTexture(GL_TEXTURE0);
    return target;
}

}  // namespace attn::gl
