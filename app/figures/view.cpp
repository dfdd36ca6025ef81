#include "app/figures/view.h"

#include <utility>

namespace attn {

Parameter view_choice(std::string id, std::string label, std::string help, std::vector<Choice> choices) {
    Parameter knob;
    knob.id = std::move(id);
    knob.label = std::move(label);
    knob.help = std::move(help);
    knob.kind = Parameter::Kind::choice;
    knob.group = Parameter::Group::view;
    knob.initial = choices.front().id;
    knob.choices = std::move(choices);
    return knob;
}

Parameter colour_scale_knob(std::string initial) {
    Parameter knob =
        view_choice("colour_scale", "colour scale", "how weights become colours",
                    {{"linear", "linear", "equal steps of weight are equal steps of colour"},
                     {"log", "log", "equal ratios are equal steps: small weights can be told apart"},
                     {"rank", "rank", "by order alone: the darker half is the lower half"},
                     {"uniform", "× uniform", "in multiples of 1/n, as ratios"}});
    knob.initial = std::move(initial);
    return knob;
}

Scale colour_scale(const Knobs& view) {
    const std::string& scale = view.text("colour_scale");
    if (scale == "log") return Scale::logarithmic;
    if (scale == "rank") return Scale::rank;
    return scale == "uniform" ? Scale::uniform : Scale::linear;
}

}  // namespace attn
