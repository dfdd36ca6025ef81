#include "app/gui/gl/texture.h"

#include <glad/gl.h>

#include <utility>

namespace attn::gl {

Texture::Texture(int width, int height, Filter filter) : width_(width), height_(height) {
    glGenTextures(1, &id_);
    glBindTexture(GL_TEXTURE_2D, id_);
    const GLint mode = filter == Filter::linear ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mode);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, mode);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);  // rows of one byte per cell have any length
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

Texture Texture::rgba8(int width, int height, Filter filter, std::span<const std::uint8_t> pixels) {
    Texture texture(width, height, filter);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 pixels.empty() ? nullptr : pixels.data());
    return texture;
}

Texture Texture::r32f(int width, int height, std::span<const float> values) {
    Texture texture(width, height, Filter::nearest);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, values.data());
    return texture;
}

Texture Texture::r8ui(int width, int height, std::span<const std::uint8_t> values) {
    Texture texture(width, height, Filter::nearest);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, width, height, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                 values.data());
    return texture;
}

Texture::Texture(Texture&& other) noexcept
    : id_(std::exchange(other.id_, 0)), width_(other.width_), height_(other.height_) {}

Texture& Texture::operator=(Texture&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    return *this;
}

Texture::~Texture() {
    if (id_ != 0) glDeleteTextures(1, &id_);
}

void Texture::bind(unsigned unit) const {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, id_);
}

void update_rgba8(unsigned texture, int x, int y, int width, int height, int stride,
                  const std::uint32_t* pixels) {
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride);
    glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

}  // namespace attn::gl
