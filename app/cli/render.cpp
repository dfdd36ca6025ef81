#include "app/cli/commands.h"
#include "app/evaluate.h"
#include "app/export/export.h"
#include "app/theme.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/io/table.h"

namespace attn::cli {
namespace {

/// What the keys are called; empty where a picture's cells have no names.
const std::vector<std::string>& labels_of(const Result& result) {
    return result.key_labels.empty() ? result.channel_names : result.key_labels;
}

std::string quoted(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c == '"' ? "\"\"" : std::string(1, c);
    return '"' + safe + '"';
}

/// The query's row of every head as lines of a table.
std::string row_csv(const Scene& scene, const Result& result) {
    const Trace& trace = result.trace;
    const std::vector<std::string>& labels = labels_of(result);
    const Index query = query_of(scene, result);
    const bool many = trace.heads.size() > 1;
    std::string text = std::string(many ? "head," : "") + "key,row,column,score,weight" +
                       (labels.empty() ? "" : ",label") + '\n';
    for (std::size_t h = 0; h < trace.heads.size(); ++h) {
        const Head& head = trace.heads[h];
        for (Index key = 0; key < head.weights.columns(); ++key) {
            if (many) text += std::to_string(h) + ',';
            text += std::to_string(key) + ',' + std::to_string(key / trace.keys.width) + ',' +
                    std::to_string(key % trace.keys.width) + ',' + shortest(head.scores.at(query, key)) +
                    ',' + shortest(head.weights.at(query, key));
            if (!labels.empty()) text += ',' + quoted(labels[static_cast<std::size_t>(key)]);
            text += '\n';
        }
    }
    return text;
}

/// [heads, keys] of one query.
Array row_array(const Trace& trace, Index query, Map Head::*part) {
    const auto heads = static_cast<Index>(trace.heads.size());
    std::vector<float> values;
    for (const Head& head : trace.heads) {
        const auto row = (head.*part).row(query);
        values.insert(values.end(), row.begin(), row.end());
    }
    const Index keys = static_cast<Index>(values.size()) / heads;
    return {{heads, keys}, std::move(values)};
}

std::string data_npz(const Scene& scene, const Result& result) {
    const Index query = query_of(scene, result);
    Case contents{outputs_of(result.trace), case_knobs_of(scene)};
    contents.arrays.emplace("row.query", Array(Shape{}, static_cast<float>(query), Element::index));
    contents.arrays.emplace("row.scores", row_array(result.trace, query, &Head::scores));
    contents.arrays.emplace("row.weights", row_array(result.trace, query, &Head::weights));
    return write_npz(contents);
}

}  // namespace

void run(const Render& command) {
    const std::string format = output_format(command.out, {"png", "svg", "pdf", "csv", "npz"});
    static_cast<void>(theme(command.theme));
    const PageSize size = command.size.empty() ? PageSize{} : page_size(command.size);
    const Scene scene = scene_of(command.scene);
    const auto result = Evaluator().evaluate(scene);
    if (format == "csv") return write_file(command.out, row_csv(scene, *result));
    if (format == "npz") return write_file(command.out, data_npz(scene, *result));
    const ExportOptions options{.format = format,
                                .size = {static_cast<double>(size.width), static_cast<double>(size.height)},
                                .scale = command.scale,
                                .theme = command.theme};
    write_file(command.out, export_figure(scene, *result, Fonts(), options));
}

}  // namespace attn::cli
