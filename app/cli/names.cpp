#include "app/cli/names.h"

namespace attn::cli {

std::string_view name_of(Family family) {
    switch (family) {
        case Family::sequences:
            return "sequences";
        case Family::pixels:
            return "pixels";
        case Family::channels:
            return "channels";
    }
    return {};
}

std::string_view name_of(Pattern::Family family) {
    switch (family) {
        case Pattern::Family::pictures:
            return "pictures";
        case Pattern::Family::sequences:
            return "sequences";
        case Pattern::Family::own:
            return "own";
    }
    return {};
}

std::string_view name_of(Subject subject) {
    switch (subject) {
        case Subject::mechanism:
            return "mechanism";
        case Subject::pattern:
            return "pattern";
        case Subject::none:
            return "none";
    }
    return {};
}

std::string_view name_of(Parameter::Kind kind) {
    switch (kind) {
        case Parameter::Kind::toggle:
            return "toggle";
        case Parameter::Kind::integer:
            return "integer";
        case Parameter::Kind::real:
            return "real";
        case Parameter::Kind::choice:
            return "choice";
        case Parameter::Kind::text:
            return "text";
        case Parameter::Kind::position:
            return "position";
    }
    return {};
}

std::string_view name_of(Parameter::Group group) {
    switch (group) {
        case Parameter::Group::query:
            return "query";
        case Parameter::Group::mechanism:
            return "mechanism";
        case Parameter::Group::layers:
            return "layers";
        case Parameter::Group::input:
            return "input";
        case Parameter::Group::view:
            return "view";
    }
    return {};
}

std::string joined(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
}

std::vector<Parameter> knobs_of(const Mechanism& mechanism) {
    std::vector<Parameter> knobs;
    const Scene scene{.figure = std::string(mechanism.figures.front()),
                      .mechanism = std::string(mechanism.id)};
    for (Parameter& knob : schema(scene))
        if (knob.group != Parameter::Group::view) knobs.push_back(std::move(knob));
    return knobs;
}

std::string initial_of(const Parameter& knob) {
    const bool automatic =
        !knob.automatic.empty() && (knob.initial == Value(0.0) || knob.initial == Value(Index{0}));
    return automatic ? knob.automatic : format(knob.initial);
}

std::string meaning_of(const Parameter& knob) {
    std::string text = knob.label;
    if (!knob.unit.empty()) text += " [" + knob.unit + ']';
    return knob.help.empty() ? text : text + ": " + knob.help;
}

std::vector<std::pair<std::string_view, std::string_view>> lessons(const Mechanism& m) {
    return {{"what is scored", m.teaching.pieces},
            {"the score depends on", m.teaching.depends_on},
            {"squash", m.teaching.squash},
            {"multiply", m.teaching.multiply},
            {"where it sits", m.teaching.sits},
            {"what to see", m.teaching.see},
            {"common misreading", m.teaching.misreading}};
}

std::string shape_note(const ArraySpec& array) {
    return array.optional ? " (optional)" : "";
}

std::string legal_values(const Parameter& parameter) {
    switch (parameter.kind) {
        case Parameter::Kind::toggle:
            return "true | false";
        case Parameter::Kind::text:
            return "text";
        case Parameter::Kind::position:
            return "index or row,column";
        case Parameter::Kind::choice: {
            std::string text;
            for (const Choice& choice : parameter.choices) text += (text.empty() ? "" : " | ") + choice.id;
            return text;
        }
        case Parameter::Kind::integer:
        case Parameter::Kind::real:
            break;
    }
    std::string range = format(parameter.low) + "…" + format(parameter.high);
    if (parameter.scale == Parameter::Scale::logarithmic) range += " (log)";
    if (!parameter.automatic.empty()) range += ", 0 = " + parameter.automatic;
    return range;
}

}  // namespace attn::cli
