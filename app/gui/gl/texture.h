#pragma once

#include <cstdint>
#include <span>

namespace attn::gl {

enum class Filter { nearest, linear };

/// A two-dimensional texture. Needs a current OpenGL context from birth to death.
class Texture {
  public:
    Texture() = default;
    /// RGBA, 8 bits a channel, rows from the top. Without pixels the contents are undefined (a target to draw
    /// on).
    static Texture rgba8(int width, int height, Filter filter, std::span<const std::uint8_t> pixels = {});
    static Texture r32f(int width, int height, std::span<const float> values);
    static Texture r8ui(int width, int height, std::span<const std::uint8_t> values);

    Texture(Texture&& other) noexcept;
    Texture& operator=(Texture&& other) noexcept;
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    ~Texture();

    [[nodiscard]] unsigned id() const { return id_; }
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    void bind(unsigned unit) const;

  private:
    Texture(int width, int height, Filter filter);

    unsigned id_ = 0;
    int width_ = 0;
    int height_ = 0;
};

/// Overwrites a rectangle of an RGBA texture that somebody else owns (Dear ImGui's font texture).
/// `pixels` has `stride` pixels per row; the rectangle's first pixel is pixels[0].
void update_rgba8(unsigned texture, int x, int y, int width, int height, int stride,
                  const std::uint32_t* pixels);

}  // namespace attn::gl
