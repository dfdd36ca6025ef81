#include "app/question.h"
#include "core/error.h"

namespace attn {
namespace {

/// "k = 7", "causal"; empty for a toggle that is off.
std::string knob_text(const std::string& id, const Value& value) {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? id : "";
    return id + " = " + format(value);
}

std::string pattern_name(const Layer& layer) {
    const Pattern& shown = pattern(layer.id);
    if (shown.family == Pattern::Family::own) return Knobs(shown.parameters, layer.set).text("text");
    std::string name;
    bool first = true;
    for (const Parameter& knob : shown.parameters) {
        const auto set = layer.set.find(knob.id);
        const bool number = first && knob.kind == Parameter::Kind::integer && knob.automatic.empty();
        first = false;
        if (set == layer.set.end() && !number) continue;
        const std::string text = knob_text(knob.id, set == layer.set.end() ? knob.initial : set->second);
        if (!text.empty()) name += (name.empty() ? " " : ", ") + text;
    }
    return layer.id + name;
}

/// The words of one curve: an id, then name = value.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    const auto end = [&] {
        if (!word.empty()) words.push_back(std::move(word));
        word.clear();
    };
    for (const char c : text) {
        if (c == ' ' || c == '\t' || c == '\n' || c == ',') {
            end();
        } else if (c == '=') {
            end();
            words.emplace_back("=");
        } else {
            word += c;
        }
    }
    end();
    return words;
}

std::string curve_name(const CurveSpec& spec) {
    std::string name;
    for (const auto& [id, value] : spec.set) {
        if (id == "d" || id == "heads") continue;  // of all curves alike
        const std::string text = knob_text(id, value);
        if (!text.empty()) name += (name.empty() ? " " : ", ") + text;
    }
    return spec.model->id + name;
}

CurveSpec parse_curve(std::string_view text, const Values& common, Index patch) {
    const std::vector<std::string> words = words_of(text);
    if (words.empty())
        throw UsageError("in the curves: expected the id of a pattern or mechanism, got nothing");
    CurveSpec spec{{}, &cost_model(words.front()), {}, patch};
    for (std::size_t i = 1; i < words.size(); i += 3) {
        if (i + 2 >= words.size() || words[i + 1] != "=")
            throw UsageError("in the curves: expected name=value or a ; after '" + words[i - 1] + "', got '" +
                             words[i] + "'");
        const Parameter* knob = find(spec.model->parameters, words[i]);
        if (knob == nullptr)
            throw UsageError("in the curves: '" + spec.model->id + "' has no knob '" + words[i] + "'");
        spec.set[knob->id] = parse(*knob, words[i + 2]);
    }
    for (const auto& [id, value] : common)
        if (const Parameter* knob = find(spec.model->parameters, id); knob != nullptr)
            spec.set.emplace(id, checked(*knob, value));
    spec.name = curve_name(spec);
    static_cast<void>(cost_curve(*spec.model, spec.set, Measure::entries));  // throws where there is none
    return spec;
}

}  // namespace

std::string layer_name(const Layer& layer) {
    if (layer.kind == Layer::Kind::pattern) return pattern_name(layer);
    const auto part_name = [](const Layer& part) {
        const bool bare = part.kind == Layer::Kind::pattern || part.kind == Layer::Kind::none;
        return bare ? layer_name(part) : "(" + layer_name(part) + ")";
    };
    if (layer.kind == Layer::Kind::none) return "not " + part_name(layer.parts.front());
    std::string name;
    for (const Layer& part : layer.parts)
        name += (name.empty() ? "" : layer.kind == Layer::Kind::both ? " and " : " or ") + part_name(part);
    return name;
}

std::string stack_name(const std::vector<Layer>& layers) {
    std::string name;
    for (const Layer& layer : layers) name += (name.empty() ? "" : "; ") + layer_name(layer);
    return name;
}

std::vector<CurveSpec> parse_curves(std::string_view text, const Values& common, Index patch) {
    std::vector<CurveSpec> curves;
    while (true) {
        const std::size_t end = text.find(';');
        curves.push_back(parse_curve(text.substr(0, end), common, patch));
        if (end == std::string_view::npos) return curves;
        text.remove_prefix(end + 1);
    }
}

}  // namespace attn
