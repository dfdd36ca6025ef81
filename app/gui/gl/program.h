#pragma once

#include <span>

#include "core/colour.h"

namespace attn::gl {

/// A linked vertex and fragment shader. Needs a current OpenGL context from birth to death.
class Program {
  public:
    /// Throws Error with the driver's log when a shader does not compile or link.
    Program(const char* vertex, const char* fragment);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    void use() const;
    void set(const char* uniform, int value) const;
    void set(const char* uniform, float value) const;
    void set(const char* uniform, std::span<const Colour> colours) const;

  private:
    unsigned id_ = 0;
};

}  // namespace attn::gl
