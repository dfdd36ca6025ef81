#include "core/catalog.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/mechanisms/all.h"

namespace attn {

namespace {

/// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

/// The (at most) three ids nearest to a mistyped one: "additive, dot or se".
std::string nearest(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const Mechanism& m : mechanisms()) ids.push_back(m.id);
    std::ranges::stable_sort(ids, {}, [&](std::string_view other) { return distance(id, other); });
    ids.resize(std::min<std::size_t>(ids.size(), 3));
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i > 0) text += i + 1 == ids.size() ? " or " : ", ";
        text += ids[i];
    }
    return text;
}

/// A case's `grid` of an attention gate is a knob of another name here: in a window `grid` is the cells a
/// side.
std::string own_id(const Mechanism& mechanism, const std::string& id) {
    return mechanism.id == "attention-gate" && id == "grid" ? "coarse" : id;
}

std::string knob_ids(const Mechanism& mechanism) {
    std::string text;
    for (const Parameter& p : mechanism.parameters) text += (text.empty() ? "" : ", ") + p.id;
    return text;
}

}  // namespace

std::span<const Mechanism> mechanisms() {
    static const std::vector<Mechanism> table = {
        // sequences
        additive(),
        dot(),
        general(),
        concat(),
        location(),
        local_m(),
        local_p(),
        scaled_dot(),
        multi_head(),
        cross(),
        soft(),
        hard(),
        strided(),
        fixed(),
        sliding_window(),
        routing(),
        // pixels
        non_local(),
        stand_alone(),
        axial(),
        position_sensitive_axial(),
        block_1d(),
        block_2d(),
        neighborhood(),
        locally_grouped(),
        sub_sampled(),
        shifted_windows(),
        class_attention(),
        relation_aware_spatial(),
        attention_gate(),
        residual_attention(),
        // channels
        squeeze_excitation(),
        bottleneck_attention(),
        convolutional_block(),
        relation_aware_channel(),
        cross_covariance(),
        bilinear_attention(),
    };
    return table;
}

const Mechanism& mechanism(std::string_view id) {
    const auto all = mechanisms();
    const auto found = std::ranges::find(all, id, &Mechanism::id);
    if (found == all.end())
        throw UsageError("expected a mechanism such as " + nearest(id) + ", got '" + std::string(id) + "'");
    return *found;
}

Values case_knobs(const Mechanism& mechanism, const Values& from_file) {
    Values knobs;
    for (const std::string_view neutral : {"tau", "beta"})
        if (find(mechanism.parameters, neutral) != nullptr) knobs[std::string(neutral)] = 1.0;
    for (const auto& [name, value] : from_file) {
        if (name == "mechanism") continue;
        const std::string id = own_id(mechanism, name);
        const Parameter* parameter = find(mechanism.parameters, id);
        if (parameter == nullptr)
            throw Error("the case holds p." + name + ", which '" + std::string(mechanism.id) +
                        "' does not have; it has " + knob_ids(mechanism));
        try {
            knobs[id] = checked(*parameter, value);
        } catch (const UsageError& error) {  // a file is wrong, not a command
            throw Error("in the case: " + std::string(error.what()));
        }
    }
    return knobs;
}

}  // namespace attn
