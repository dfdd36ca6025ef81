#include "app/gui/gl/program.h"

#include <glad/gl.h>

#include <string>
#include <vector>

#include "core/error.h"

namespace attn::gl {
namespace {

GLuint compile(GLenum kind, const char* source) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint fine = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
    if (fine == GL_TRUE) return shader;
    std::string log(2048, '\0');
    GLsizei length = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    glDeleteShader(shader);
    throw Error("the graphics driver cannot compile a shader: " + log);
}

}  // namespace

Program::Program(const char* vertex, const char* fragment) {
    const GLuint first = compile(GL_VERTEX_SHADER, vertex);
    GLuint second = 0;
    try {
        second = compile(GL_FRAGMENT_SHADER, fragment);
    } catch (...) {
        glDeleteShader(first);
        throw;
    }
    id_ = glCreateProgram();
    glAttachShader(id_, first);
    glAttachShader(id_, second);
    glLinkProgram(id_);
    glDeleteShader(first);
    glDeleteShader(second);
    GLint fine = GL_FALSE;
    glGetProgramiv(id_, GL_LINK_STATUS, &fine);
    if (fine != GL_TRUE) {
        glDeleteProgram(id_);
        throw Error("the graphics driver cannot link a shader program");
    }
}

Program::~Program() {
    glDeleteProgram(id_);
}

void Program::use() const {
    glUseProgram(id_);
}

void Program::set(const char* uniform, int value) const {
    glUniform1i(glGetUniformLocation(id_, uniform), value);
}

void Program::set(const char* uniform, float value) const {
    glUniform1f(glGetUniformLocation(id_, uniform), value);
}

void Program::set(const char* uniform, std::span<const Colour> colours) const {
    std::vector<float> numbers;
    for (const Colour colour : colours) {
        for (const auto channel : {colour.r, colour.g, colour.b, colour.a}) {
            numbers.push_back(static_cast<float>(channel) / 255.0F);
        }
    }
    glUniform4fv(glGetUniformLocation(id_, uniform), static_cast<GLsizei>(colours.size()), numbers.data());
}

}  // namespace attn::gl
