#include "app/gui/ui.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui.h"

namespace attn {
namespace {

ImVec2 pixels(double x, double y) {
    return {static_cast<float>(x), static_cast<float>(y)};
}

}  // namespace

void UiState::focus_on(std::string id, std::string text) {
    focus = std::move(id);
    edit = TextEdit(std::move(text));
    edit.select_all();
    outcome = Outcome::none;
    focus_seen = true;
}

void UiState::blur() {
    focus.clear();
    outcome = Outcome::none;
}

bool UiState::handle(const Keystroke& stroke) {
    if (focus.empty()) return false;
    if (stroke.key == GLFW_KEY_ESCAPE || stroke.key == GLFW_KEY_ENTER || stroke.key == GLFW_KEY_KP_ENTER) {
        outcome = stroke.key == GLFW_KEY_ESCAPE ? Outcome::cancelled : Outcome::submitted;
        return true;
    }
    const bool control = (stroke.mods & GLFW_MOD_CONTROL) != 0;
    if (control && (stroke.key == GLFW_KEY_C || stroke.key == GLFW_KEY_X)) {
        ImGui::SetClipboardText(std::string(edit.selected()).c_str());
        if (stroke.key == GLFW_KEY_X) edit.insert("");
        return true;
    }
    if (control && stroke.key == GLFW_KEY_V) {
        const char* text = ImGui::GetClipboardText();
        if (text != nullptr) edit.insert(text);
        return true;
    }
    if (edit.handle(stroke)) return true;
    // The keys of characters come again as characters; neither they nor arrows must start an action
    // meanwhile.
    const bool function_key = stroke.key >= GLFW_KEY_F1 && stroke.key <= GLFW_KEY_F25;
    return !control && !function_key;
}

Ui::Ui(std::string_view layer, bool raise, Size window, UiState& state, DrawStore& store, const Theme& theme,
       double scale)
    : state_(&state), theme_(&theme), window_(window), scale_(scale) {
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    if (raise) ImGui::SetNextWindowFocus();
    constexpr ImGuiWindowFlags plain = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin(std::string(layer).c_str(), nullptr,
                 raise ? plain : plain | ImGuiWindowFlags_NoBringToFrontOnFocus);
    canvas_ = ImguiCanvas::window(store, scale);
}

Ui::~Ui() {
    ImGui::End();
}

Touch Ui::touch(std::string_view id, Rect area, Cursor cursor) {
    if (area.width <= 0.0 || area.height <= 0.0) return {};
    const std::string name(id);
    ImGui::SetCursorScreenPos(pixels(area.x * scale_, area.y * scale_));
    Touch touch;
    touch.clicked = ImGui::InvisibleButton(name.c_str(), pixels(area.width * scale_, area.height * scale_));
    touch.hovered = ImGui::IsItemHovered();
    touch.pressed = ImGui::IsItemActivated();
    touch.held = ImGui::IsItemActive();
    touch.released = ImGui::IsItemDeactivated();
    touch.doubled = touch.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    if (touch.hovered || touch.held) {
        ImGui::SetMouseCursor(cursor == Cursor::hand   ? ImGuiMouseCursor_Hand
                              : cursor == Cursor::text ? ImGuiMouseCursor_TextInput
                                                       : ImGuiMouseCursor_Arrow);
    }
    state_->areas[name] = {area.x * scale_, area.y * scale_, area.width * scale_, area.height * scale_};
    return touch;
}

Point Ui::pointer() const {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {static_cast<double>(at.x) / scale_, static_cast<double>(at.y) / scale_};
}

bool Ui::control() {
    return ImGui::GetIO().KeyCtrl;
}

bool Ui::shift() {
    return ImGui::GetIO().KeyShift;
}

bool Ui::dragging() {
    return ImGui::IsMouseDown(ImGuiMouseButton_Left);
}

double Ui::take_wheel(Rect area) const {
    const bool here = ImGui::IsWindowHovered() &&
                      ImGui::IsMouseHoveringRect(pixels(area.x * scale_, area.y * scale_),
                                                 pixels(area.right() * scale_, area.bottom() * scale_));
    return here ? static_cast<double>(std::exchange(ImGui::GetIO().MouseWheel, 0.0F)) : 0.0;
}

Ui::Clip::Clip(Rect area, double scale) {
    ImGui::PushClipRect(pixels(area.x * scale, area.y * scale),
                        pixels(area.right() * scale, area.bottom() * scale), true);
}

Ui::Clip::~Clip() {
    ImGui::PopClipRect();
}

void Ui::ground(Rect area, Colour colour) {
    const auto pixel = [&](double points) { return std::round(points * scale_); };
    const double x = pixel(area.x);
    const double y = pixel(area.y);
    state_->grounds.push_back({{x, y, pixel(area.right()) - x, pixel(area.bottom()) - y}, colour});
}

void Ui::text(double x, double centre_y, std::string_view utf8, Type type, Colour colour, Align align) {
    constexpr double half_capital = 0.36;  // ems, of the faces that there are
    canvas_->text({x, centre_y + half_capital * Fonts::em(type)}, utf8, {type, colour, align});
}

void draw_tip(std::string_view text, Size window, DrawStore& store, const Theme& theme, double scale) {
    const auto canvas = ImguiCanvas::foreground(store, scale);
    const ImVec2 at = ImGui::GetIO().MousePos;
    const double width = canvas->text_width(text, Type::caption) + 20;
    const double x =
        std::clamp(static_cast<double>(at.x) / scale + 14, 4.0, std::max(4.0, window.width - width - 4));
    double y = static_cast<double>(at.y) / scale + 18;
    if (y + 26 > window.height - 4) y = static_cast<double>(at.y) / scale - 34;
    const Rect box{canvas->snap(x), canvas->snap(y), width, 26};
    canvas->fill(box, theme.panel, 4);
    canvas->rect(box, {.colour = theme.hairline}, 4);
    canvas->text({box.x + 10, box.y + 17}, text, {Type::caption, theme.ink});
}

}  // namespace attn
