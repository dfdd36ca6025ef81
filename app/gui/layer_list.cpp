#include "app/gui/layer_list.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/widgets.h"
#include "core/error.h"
#include "core/pattern_layer.h"

namespace attn {
namespace {

constexpr double row_height = 34;
constexpr double field_height = 28;
constexpr double number_width = 22;

std::string joined(const std::vector<std::string>& layers) {
    std::string stack;
    for (const std::string& layer : layers) {
        if (layer.find_first_not_of(' ') == std::string::npos) continue;  // an emptied line is taken out
        if (!stack.empty()) stack += "; ";
        stack += layer;
    }
    return stack;
}

/// Shows the stack, as many layers deep as it has; where it cannot be read, says so at `field`.
void assign(Workbench& bench, const std::vector<std::string>& layers, const std::string& field,
            std::size_t edited) {
    const std::string stack = joined(layers);
    try {
        Scene next = bench.scene();
        set_text(next, "stack", stack);
        if (!stack.empty()) set(next, "layers", static_cast<Index>(parse_stack(stack).size()));
        bench.change(std::move(next));
    } catch (const Error& error) {
        if (edited < layers.size()) {
            bench.reject({field, layers[edited], error.what()});
        } else {
            bench.warn(error.what());  // of a layer that was offered, not typed
        }
    }
}

/// A line that can be pressed.
bool offer(Ui& ui, std::string_view id, Rect row, std::string_view text) {
    const Touch touch = ui.touch(id, row, Cursor::hand);
    ui.text(row.x, row.centre().y, text, Type::body, touch.hovered ? ui.theme().ink : ui.theme().muted);
    return touch.clicked;
}

}  // namespace

double draw_layer_list(Ui& ui, Workbench& bench, Point at, double width) {
    const std::vector<Layer> stack = layers_of(bench.scene());
    std::vector<std::string> layers;
    for (const Layer& layer : stack) layers.push_back(format_stack({&layer, 1}));
    double y = at.y;
    if (std::get<std::string>(value_of(bench.knobs(), bench.scene().set, "stack")).empty()) {
        if (offer(ui, "layers.part", {at.x, y - 4, width, field_height},
                  "+ give each layer its own pattern")) {
            const Index depth = std::get<Index>(value_of(bench.knobs(), bench.scene().set, "layers"));
            layers.assign(static_cast<std::size_t>(std::min<Index>(depth, 8)), layers.front());
            assign(bench, layers, "layers.part", layers.size());
        }
        return row_height;
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const std::string id = "layer." + std::to_string(i + 1);
        const Rejection* rejection = bench.rejection(id);
        const std::string shown = rejection != nullptr ? rejection->text : layers[i];
        ui.text(at.x, y + field_height / 2, std::to_string(i + 1), Type::body, ui.theme().muted);
        const FieldEvent event =
            text_field(ui, id, {at.x + number_width, y, width - number_width, field_height}, shown,
                       "empty: taken out", rejection != nullptr);
        y += row_height;
        if (rejection != nullptr) {
            for (const std::string& line : ui.fonts().wrap(rejection->sentence, Type::caption, width)) {
                ui.text(at.x, y + 6, line, Type::caption, ui.theme().warning);
                y += Fonts::line_height(Type::caption);
            }
            y += 6;
        }
        if (!event.submitted || event.text == shown) continue;
        layers[i] = event.text;
        assign(bench, layers, id, i);
        break;
    }
    if (offer(ui, "layers.add", {at.x, y - 2, width, field_height}, "+ add a layer")) {
        layers.push_back(layers.back());
        assign(bench, layers, "layers.add", layers.size());
    }
    return y + row_height - at.y;
}

}  // namespace attn
