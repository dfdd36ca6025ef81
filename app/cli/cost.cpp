#include "core/cost.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/json.h"
#include "app/cli/print.h"
#include "app/figures/format.h"
#include "core/error.h"
#include "core/id_list.h"

namespace attn::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view gate = "se";
constexpr std::string_view gated_network = "se-resnet-50";
constexpr const char* usual_grid = "224x224";

/// One model at one setting on one grid.
struct Asked {
    const CostModel* model = nullptr;
    Values set;
    Grid grid;
    std::string label;  ///< of a preset
};

Asked asked(const CostQuestion& command) {
    const auto presets = cost_presets();
    const auto models = cost_models();
    const auto preset = std::ranges::find(presets, command.id, &CostPreset::id);
    if (preset == presets.end()) {
        const auto model = std::ranges::find(models, command.id, &CostModel::id);
        if (model == models.end())
            throw UsageError("expected a pattern or mechanism, one of " + id_list(models) +
                             ", or a preset, one of " + id_list(presets) + ", " + std::string(gated_network) +
                             ", got '" + command.id + "'");
        return {&*model,
                assigned(model->id, model->parameters, command.set),
                grid_of(command.grid.empty() ? usual_grid : command.grid),
                {}};
    }
    const CostModel& model = cost_model(preset->model);
    Values set = assigned(preset->id, model.parameters, command.set);
    set.insert(preset->set.begin(), preset->set.end());
    const Grid pixels = command.grid.empty() ? preset->grid : grid_of(command.grid);
    if (std::min(pixels.height, pixels.width) < preset->patch)
        throw UsageError("expected a grid of at least one patch of " + std::to_string(preset->patch) +
                         " pixels a side, got '" + command.grid + "'");
    return {
        &model, std::move(set), {pixels.height / preset->patch, pixels.width / preset->patch}, preset->label};
}

/// What is not legal stands on the command line.
template <typename Count>
auto counted(const Count& count) {
    try {
        return count();
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

Index channels_of(const Asked& wish) {
    return Index{1} << std::get<Index>(value_of(wish.model->parameters, wish.set, "log2C"));
}

GateCost gate_of(const Asked& wish) {
    return gate_cost(channels_of(wish), std::get<Index>(value_of(wish.model->parameters, wish.set, "r")));
}

Json or_null(std::optional<Index> number) {
    return number ? Json(*number) : Json(nullptr);
}

std::string json_of(const CostQuestion& command, const Asked& wish, const Cost& cost) {
    Json object = {{"id", command.id}};
    if (command.id != cost.id) object["model"] = cost.id;
    object["set"] = knobs_json(complete(wish.model->parameters, wish.set));
    object["grid"] = {wish.grid.height, wish.grid.width};
    object["tokens"] = cost.tokens;
    object["entries"] = or_null(cost.entries);
    object["entries_exact"] = or_null(cost.entries_exact);
    object["bytes_fp16"] = cost.bytes_fp16;
    object["bytes_fp32"] = cost.bytes_fp32;
    object["multiply_adds"] = {{"score", cost.multiply_adds.score},
                               {"value", cost.multiply_adds.value},
                               {"projections", cost.multiply_adds.projections}};
    object["flops"] = cost.flops();
    object["parameters"] = {{"weights", cost.parameters.weights}, {"biases", cost.parameters.biases}};
    if (cost.id == gate) {
        const GateCost block = gate_of(wish);
        object["conv3x3"] = block.conv3x3;
        object["ratio"] = block.ratio();
    }
    return object.dump(2) + '\n';
}

/// How many times as many entries every query's every key would be.
std::string saving(const Asked& wish, Index entries) {
    const auto positions = static_cast<double>(wish.grid.size());
    return significant(positions * positions / static_cast<double>(entries), 4) + " × fewer than global";
}

std::string readable(const Asked& wish, const Cost& cost) {
    const CostModel& model = *wish.model;
    std::string knobs;
    for (const auto& [id, value] : complete(model.parameters, wish.set))
        knobs += (knobs.empty() ? "" : "  ") + id + '=' + format(value);
    std::vector<std::vector<std::string>> facts = {
        {"knobs", knobs},
        {"grid", std::to_string(wish.grid.height) + " × " + std::to_string(wish.grid.width)},
    };
    std::vector<std::vector<std::string>> rows = {{"tokens", grouped(cost.tokens), ""}};
    const auto add = [&](const char* name, Index count, std::string note) {
        rows.push_back({name, grouped(count), std::move(note)});
    };
    if (cost.entries) add("entries of one head", *cost.entries, model.formula);
    if (cost.entries_exact) {
        const bool sparse = *cost.entries_exact > 0 && model.pattern != "global";
        add("stored, edges included", *cost.entries_exact, sparse ? saving(wish, *cost.entries_exact) : "");
    }
    add("bytes in fp16", cost.bytes_fp16, bytes(static_cast<double>(cost.bytes_fp16)));
    add("bytes in fp32", cost.bytes_fp32, bytes(static_cast<double>(cost.bytes_fp32)));
    add("multiply-adds: score", cost.multiply_adds.score, "");
    add("multiply-adds: value", cost.multiply_adds.value, "");
    add("multiply-adds: projections", cost.multiply_adds.projections, "");
    add("FLOPs", cost.flops(), "a multiply-add counts twice");
    add("weights", cost.parameters.weights, model.learns);
    add("biases", cost.parameters.biases, "");
    if (cost.id == gate) {
        const GateCost block = gate_of(wish);
        add("weights of a 3×3 convolution", block.conv3x3,
            "the gate has " + percent(block.ratio(), 2) + " of them");
    }
    return model.id + " · " + (wish.label.empty() ? model.title : wish.label) + '\n' + table(facts, "ll") +
           '\n' + table(rows, "lrl");
}

/// All gates of the network, which have no grid.
void tell_network(const CostQuestion& command) {
    if (!command.grid.empty())
        throw UsageError(std::string(gated_network) +
                         " counts weights, which no grid changes: leave --grid out");
    const Parameter knob = *find(cost_model(gate).parameters, "r");
    const Values set = complete({&knob, 1}, assigned(gated_network, {&knob, 1}, command.set));
    const auto network = counted([&] { return se_resnet_50(std::get<Index>(set.at("r"))); });
    if (command.json)
        return print(Json({{"id", gated_network},
                           {"set", knobs_json(set)},
                           {"weights", network.weights},
                           {"last_stage_share", network.last_stage_share}})
                         .dump(2) +
                     '\n');
    print(std::string(gated_network) + " · every gate of SE-ResNet-50, r = " + format(set.at("r")) + '\n' +
          table({{"weights", grouped(network.weights), "(2/r) Σ N C²"},
                 {"in the last stage", percent(network.last_stage_share, 2), ""}},
                "lrl"));
}

}  // namespace

void run(const CostQuestion& command) {
    if (command.id == gated_network) return tell_network(command);
    const Asked wish = asked(command);
    const Cost found = counted([&] { return cost(*wish.model, wish.set, wish.grid); });
    print(command.json ? json_of(command, wish, found) : readable(wish, found));
}

}  // namespace attn::cli
