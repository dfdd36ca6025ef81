#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/evaluate.h"
#include "app/open.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/io/table.h"

namespace attn::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Scene scene_to_compute(const Compute& command) {
    const Mechanism& wanted = mechanism(command.scene.mechanism);
    if (command.in.empty()) return scene_of(command.scene);
    const Scene scene = case_scene(read_file(command.in), command.in, wanted.id);
    if (scene.mechanism != wanted.id)
        throw Error(command.in + " is a case of " + scene.mechanism + ", not of " + std::string(wanted.id));
    return changed(scene, {.file = command.in,
                           .mechanism = {},
                           .pattern = {},
                           .figure = {},
                           .image = {},
                           .set = command.scene.set});
}

/// The results as a case. Of a case that was read it keeps what it held, so that the file can be verified
/// again.
Case result_case(const Scene& scene, const Result& result) {
    Case contents;
    if (scene.input.arrays()) contents = read_npz(*scene.input.bytes, scene.input.name);
    std::erase_if(contents.arrays, [](const auto& entry) { return entry.first.starts_with("out."); });
    contents.arrays.merge(outputs_of(result.trace));
    contents.knobs = case_knobs_of(scene);
    return contents;
}

/// The one array that a CSV file holds.
const Array& array_for_csv(const Arrays& arrays, const std::string& wanted) {
    const auto found = arrays.find(wanted.empty() ? "out.weights" : wanted);
    if (found != arrays.end()) return found->second;
    std::string names;
    for (const auto& [name, array] : arrays) names += (names.empty() ? "" : ", ") + name;
    throw UsageError(wanted.empty() ? "a .csv file holds one array: choose it with --array from " + names
                                    : "no array '" + wanted + "'; there are: " + names);
}

std::string in_words(Grid grid) {
    std::string count = std::to_string(grid.size());
    if (grid.height == 1) return count;
    return count + " (" + std::to_string(grid.height) + " × " + std::to_string(grid.width) + ')';
}

std::string in_words(Squash squash, double sharpness) {
    switch (squash) {
        case Squash::softmax:
            return "softmax, τ = " + number(sharpness);
        case Squash::sigmoid:
            return "sigmoid, β = " + number(sharpness);
        case Squash::divide:
            return "divided by " + number(sharpness);
        case Squash::hard:
            return "hard: 1 at the largest score";
    }
    return {};
}

std::vector<std::string> row_of(const std::string& name, const Array& array) {
    double least = infinity;
    double greatest = -infinity;
    double sum = 0.0;
    for (const float value : array.values()) {
        least = std::min<double>(least, value);
        greatest = std::max<double>(greatest, value);
        sum += value;
    }
    if (array.size() == 0) return {name, describe(array.shape()), "", "", ""};
    return {name, describe(array.shape()), number(least), number(greatest),
            number(sum / static_cast<double>(array.size()))};
}

/// Least and greatest entropy of the queries that see something.
std::string entropies(const Trace& trace) {
    double least = infinity;
    double greatest = -infinity;
    for (const Head& head : trace.heads) {
        std::vector<float> row(static_cast<std::size_t>(head.weights.columns()));
        for (Index q = 0; q < head.weights.rows(); ++q) {
            if (std::ranges::find(trace.blind, q) != trace.blind.end()) continue;
            head.weights.read(q, row);
            const double nats = entropy(row);
            least = std::min(least, nats);
            greatest = std::max(greatest, nats);
        }
    }
    if (least > greatest) return "none";
    return number(least) + "…" + number(greatest) + " nats; ln " + std::to_string(trace.keys.size()) + " = " +
           number(std::log(static_cast<double>(trace.keys.size()))) + " where all keys weigh the same";
}

std::string summary(const Scene& scene, const Result& result) {
    const Trace& trace = result.trace;
    std::vector<std::vector<std::string>> facts = {{"input", scene.input.toy() ? "toy" : scene.input.name},
                                                   {"queries", in_words(trace.queries)},
                                                   {"keys", in_words(trace.keys)},
                                                   {"heads", std::to_string(trace.heads.size())},
                                                   {"squash", in_words(trace.squash, trace.sharpness)}};
    if (!result.said.empty()) facts.push_back({"made of", result.said});
    if (trace.squash == Squash::softmax) facts.push_back({"entropy", entropies(trace)});
    facts.push_back({"blind", trace.blind.empty()
                                  ? "no query"
                                  : std::to_string(trace.blind.size()) + " queries see no key"});
    facts.push_back({"time", number(result.milliseconds) + " ms"});
    std::vector<std::vector<std::string>> rows = {{"array", "shape", "least", "greatest", "mean"}};
    for (const auto& [name, array] : trace.out) rows.push_back(row_of(name, *array));
    return scene.mechanism + " · " + std::string(result.mechanism->title) + '\n' + table(facts, "ll") + '\n' +
           table(rows, "llrrr");
}

}  // namespace

void run(const Compute& command) {
    const std::string format = command.out.empty() ? "" : output_format(command.out, {"npz", "json", "csv"});
    if (!command.array.empty() && format != "csv")
        throw UsageError("--array is for -o OUT.csv, which holds one array");
    const Scene scene = scene_to_compute(command);
    const auto result = Evaluator().evaluate(scene);
    if (format.empty()) print(summary(scene, *result));
    if (format == "npz") write_file(command.out, write_npz(result_case(scene, *result)));
    if (format == "json") write_file(command.out, to_json(outputs_of(result->trace)));
    if (format == "csv")
        write_file(command.out, to_csv(array_for_csv(outputs_of(result->trace), command.array)));
}

}  // namespace attn::cli
