#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include "app/evaluate.h"
#include "app/figure.h"
#include "app/figures/memo.h"
#include "app/gui/gl/screen.h"
#include "app/gui/imgui_canvas.h"
#include "app/theme.h"
#include "backends/imgui_impl_glfw.h"
#include "backends/imgui_impl_opengl3.h"
#include "core/catalog.h"
#include "imgui.h"
#include "tests/gui/x_server.h"

namespace attn::test {
namespace {

/// Dear ImGui in a hidden window on a virtual display.
class CanvasTest : public ::testing::Test {
  protected:
    CanvasTest() : server_(640, 480) {
        setenv("DISPLAY", server_.display().c_str(), 1);
        if (glfwInit() != GLFW_TRUE) throw std::runtime_error("no display for the canvas test");
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        window_ = glfwCreateWindow(640, 480, "canvas test", nullptr, nullptr);
        glfwMakeContextCurrent(window_);
        gl::load(glfwGetProcAddress);
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui_ImplGlfw_InitForOpenGL(window_, false);
        ImGui_ImplOpenGL3_Init("#version 330 core");
        store_ = std::make_unique<DrawStore>(fonts_, 1.0);
    }
    ~CanvasTest() override {
        store_.reset();
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
        glfwDestroyWindow(window_);
        glfwTerminate();
    }

    /// One frame in which `draw` gets a canvas; the vertices and commands it made, as bytes.
    template <typename Draw>
    std::string frame(double scale, Draw&& draw) {
        store_->begin_frame(scale);
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        ImGui::NewFrame();
        ImDrawList& list = *ImGui::GetForegroundDrawList();
        draw(*ImguiCanvas::foreground(*store_, scale));
        store_->end_frame();
        std::string made(reinterpret_cast<const char*>(list.VtxBuffer.Data),
                         static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
        for (const ImDrawCmd& command : list.CmdBuffer) {
            made += std::to_string(reinterpret_cast<std::uintptr_t>(command.TextureId)) + " ";
        }
        ImGui::Render();
        return made;
    }

    XServer server_;
    GLFWwindow* window_ = nullptr;
    Fonts fonts_;
    std::unique_ptr<DrawStore> store_;
};

TEST_F(CanvasTest, TheSameFigureMakesTheSameVerticesAndKeepsItsTextures) {
    for (const double scale : {1.0, 2.0}) {
        for (const Figure& shown : figures()) {
            Scene scene;
            const auto shows = [&](const Mechanism& one) {
                return std::count(one.figures.begin(), one.figures.end(), shown.id) > 0;
            };
            if (shown.subject == Subject::mechanism && !shows(mechanism(scene.mechanism)))
                scene =
                    with_mechanism(scene, std::find_if(mechanisms().begin(), mechanisms().end(), shows)->id);
            scene = with_figure(scene, shown.id);
            Evaluator evaluator;
            const auto result = evaluator.evaluate(scene);
            Memo memo;
            const auto draw = [&](Canvas& canvas) {
                shown.draw({scene, *result, light_theme(), {0, 0, 940, 820}, {}, &memo}, canvas);
            };
            const std::string first = frame(scale, draw);
            EXPECT_GT(first.size(), 10000U) << shown.id;
            EXPECT_EQ(frame(scale, draw), first) << shown.id;
        }
    }
}

TEST_F(CanvasTest, ManyLargeGlyphsMakeTheAtlasGrow) {
    const auto draw = [](Canvas& canvas) {
        double y = 20;
        for (int type = 0; type < type_count; ++type) {
            std::string text;
            for (char c = '!'; c <= '~'; ++c) text += c;
            for (int shift = 0; shift < 4; ++shift) {
                canvas.text({shift / 24.0, y}, text, {static_cast<Type>(type), rgb(0)});
            }
            y += 30;
        }
    };
    frame(4.0, draw);
    EXPECT_TRUE(store_->incomplete());
    for (int i = 0; i < 4 && store_->incomplete(); ++i) frame(4.0, draw);
    EXPECT_FALSE(store_->incomplete());
}

}  // namespace
}  // namespace attn::test
