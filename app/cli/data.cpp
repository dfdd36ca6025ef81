#include "app/cli/data.h"

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/figure.h"
#include "app/figures/format.h"
#include "core/error.h"
#include "core/io/npz.h"
#include "core/io/table.h"

namespace attn::cli {
namespace {

/// What the keys are called; empty where a picture's cells have no names.
const std::vector<std::string>& labels_of(const Result& result) {
    return result.key_labels.empty() ? result.channel_names : result.key_labels;
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

std::string mechanism_npz(const Scene& scene, const Result& result) {
    const Index query = query_of(scene, result);
    Case contents{outputs_of(result.trace), case_knobs_of(scene)};
    contents.arrays.emplace("row.query", Array(Shape{}, static_cast<float>(query), Element::index));
    contents.arrays.emplace("row.scores", row_array(result.trace, query, &Head::scores));
    contents.arrays.emplace("row.weights", row_array(result.trace, query, &Head::weights));
    return write_npz(contents);
}

/// One line per position, one column per stack.
std::string hops_csv(const std::vector<Followed>& followed, Grid grid) {
    std::string text = "key,row,column";
    for (const Followed& one : followed) text += ',' + quoted(one.name);
    text += '\n';
    for (Index key = 0; key < grid.size(); ++key) {
        text += std::to_string(key) + ',' + std::to_string(key / grid.width) + ',' +
                std::to_string(key % grid.width);
        for (const Followed& one : followed)
            text += ',' + std::to_string(one.reach.hops[static_cast<std::size_t>(key)]);
        text += '\n';
    }
    return text;
}

std::string curves_csv(const CostChart& chart) {
    std::string text = "side";
    for (const CostCurve& curve : chart.curves) text += ',' + quoted(curve.spec.name);
    text += '\n';
    for (std::size_t i = 0; i < chart.sides.size(); ++i) {
        text += format(chart.sides[i]);
        for (const CostCurve& curve : chart.curves) text += ',' + format(curve.values[i]);
        text += '\n';
    }
    return text;
}

template <typename Number>
void append(std::vector<float>& values, const std::vector<Number>& more) {
    for (const Number number : more) values.push_back(static_cast<float>(number));
}

/// out.hops [stacks, H, W], out.counts [stacks, L], out.sides and out.curves [curves, sides].
std::string findings_npz(const Scene& scene, const Result& result) {
    const std::vector<Followed>& followed = result.findings->followed;
    const CostChart& chart = result.findings->cost;
    Case contents;
    contents.knobs = complete(schema(scene), scene.set);
    contents.knobs.emplace("figure", scene.figure);
    if (figure(scene.figure).subject == Subject::pattern) contents.knobs.emplace("pattern", scene.pattern);
    if (!followed.empty()) {
        std::vector<float> hops;
        std::vector<float> counts;
        for (const Followed& one : followed) {
            append(hops, one.reach.hops);
            append(counts, one.reach.counts);
        }
        const auto stacks = static_cast<Index>(followed.size());
        const Grid grid = result.trace.keys;
        contents.arrays.emplace("out.hops",
                                Array({stacks, grid.height, grid.width}, std::move(hops), Element::index));
        contents.arrays.emplace("out.counts",
                                Array({stacks, followed.front().depth()}, std::move(counts), Element::index));
    }
    if (!chart.curves.empty()) {
        std::vector<float> sides;
        std::vector<float> curves;
        append(sides, chart.sides);
        for (const CostCurve& curve : chart.curves) append(curves, curve.values);
        const auto points = static_cast<Index>(sides.size());
        contents.arrays.emplace("out.sides", Array({points}, std::move(sides)));
        contents.arrays.emplace("out.curves",
                                Array({static_cast<Index>(chart.curves.size()), points}, std::move(curves)));
    }
    return write_npz(contents);
}

}  // namespace

std::string data_csv(const Scene& scene, const Result& result) {
    if (const Figure& drawn = figure(scene.figure); drawn.csv != nullptr) return drawn.csv(scene, result);
    if (!result.findings) return row_csv(scene, result);
    if (!result.findings->followed.empty()) return hops_csv(result.findings->followed, result.trace.keys);
    if (!result.findings->cost.curves.empty()) return curves_csv(result.findings->cost);
    throw Error("the figure '" + scene.figure +
                "' has no table of numbers: write it as .npz, .svg, .pdf or .png");
}

std::string data_npz(const Scene& scene, const Result& result) {
    return result.findings ? findings_npz(scene, result) : mechanism_npz(scene, result);
}

}  // namespace attn::cli
