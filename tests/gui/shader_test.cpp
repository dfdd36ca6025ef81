#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>

#include "app/gui/gl/heat_map.h"
#include "app/gui/gl/screen.h"
#include "app/theme.h"
#include "tests/gui/x_server.h"

namespace attn::test {
namespace {

/// A hidden window's OpenGL context on a virtual display.
class ShaderTest : public ::testing::Test {
  protected:
    ShaderTest() : server_(320, 240) {
        setenv("DISPLAY", server_.display().c_str(), 1);
        if (glfwInit() != GLFW_TRUE) throw std::runtime_error("no display for the shader test");
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        window_ = glfwCreateWindow(64, 64, "shader test", nullptr, nullptr);
        glfwMakeContextCurrent(window_);
        gl::load(glfwGetProcAddress);
    }
    ~ShaderTest() override {
        glfwDestroyWindow(window_);
        glfwTerminate();
    }

    /// Cells whose colour on the GPU is not the core's.
    static int mismatches(const Cells& cells, const Colouring& colouring) {
        gl::HeatMapPainter painter;
        const gl::Texture texture = painter.paint(cells, colouring);
        const std::vector<std::uint8_t> drawn =
            gl::read_back(texture.id(), texture.width(), texture.height());
        const std::vector<std::uint8_t> expected = colour_cells(cells, colouring);
        EXPECT_EQ(drawn.size(), expected.size());
        int wrong = 0;
        for (std::size_t i = 0; i + 3 < expected.size(); i += 4) {
            wrong += std::equal(expected.begin() + static_cast<std::ptrdiff_t>(i),
                                expected.begin() + static_cast<std::ptrdiff_t>(i) + 4,
                                drawn.begin() + static_cast<std::ptrdiff_t>(i))
                         ? 0
                         : 1;
        }
        return wrong;
    }

    XServer server_;
    GLFWwindow* window_ = nullptr;
};

/// 251 × 199 numbers over many magnitudes with every kind of cell among them.
std::vector<float> awkward_values(Index width, Index height) {
    std::mt19937 random(20);
    std::uniform_real_distribution<float> exponent(-12.0F, 2.0F);
    std::vector<float> values(static_cast<std::size_t>(width * height));
    for (float& value : values)
        value = (random() % 2 == 0 ? 1.0F : -1.0F) * std::pow(10.0F, exponent(random));
    constexpr float infinity = std::numeric_limits<float>::infinity();
    values[3] = std::numeric_limits<float>::quiet_NaN();
    values[5] = infinity;
    values[7] = -infinity;
    values[9] = 0.0F;
    return values;
}

TEST_F(ShaderTest, ColoursEveryCellAsTheCoreDoes) {
    constexpr Index width = 251;
    constexpr Index height = 199;
    const std::vector<float> values = awkward_values(width, height);
    std::vector<std::uint8_t> masked(values.size(), 0);
    for (std::size_t i = 11; i < masked.size(); i += 97) masked[i] = 1;
    for (const Scale scale : {Scale::linear, Scale::logarithmic, Scale::rank, Scale::uniform}) {
        for (const Range range :
             {Range{}, Range{Range::Kind::fixed, 1e-4, 0.5}, Range{Range::Kind::symmetric}}) {
            for (const Theme* theme : {&light_theme(), &dark_theme()}) {
                Colouring colouring =
                    range.kind == Range::Kind::symmetric ? score_colouring(*theme) : weight_colouring(*theme);
                colouring.scale = scale;
                colouring.range = range;
                const Cells cells = classify(values, width, colouring, masked, width);
                EXPECT_EQ(mismatches(cells, colouring), 0)
                    << "scale " << static_cast<int>(scale) << ", range " << static_cast<int>(range.kind);
            }
        }
    }
}

TEST_F(ShaderTest, ColoursAMapOfOneNumber) {
    const std::vector<float> values(12, 0.25F);
    const Colouring colouring = weight_colouring(light_theme());
    EXPECT_EQ(mismatches(classify(values, 4, colouring), colouring), 0);
}

}  // namespace
}  // namespace attn::test
