#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

namespace {

/// Where each document begins, the first at 0; nothing where the text cannot be read for this length.
std::optional<std::vector<Index>> starts_of(std::string_view text, Index n) {
    std::vector<Index> starts = {0};
    if (text == "thirds") {
        for (const Index start : {n / 3, 2 * n / 3})
            if (start > starts.back()) starts.push_back(start);
        return starts;
    }
    while (!text.empty()) {
        Index start = 0;
        while (text.starts_with(' ')) text.remove_prefix(1);
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), start);
        if (failure != std::errc() || start <= starts.back() || start >= n) return std::nullopt;
        starts.push_back(start);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        while (text.starts_with(' ')) text.remove_prefix(1);
        if (text.empty()) break;
        if (!text.starts_with(',') || text.size() == 1) return std::nullopt;
        text.remove_prefix(1);
    }
    return starts;
}

std::string problem(const Knobs& knobs, Grid grid) {
    const std::string& text = knobs.text("boundaries");
    if (starts_of(text, grid.size())) return {};
    return "expected boundaries as thirds, or as ascending positions from 1 to " +
           std::to_string(grid.size() - 1) + " where documents begin (10, 25), got '" + text + "'";
}

Rule rule(const Knobs& knobs, Grid grid) {
    std::vector<Index> starts =
        starts_of(knobs.text("boundaries"), grid.size()).value_or(std::vector<Index>{0});
    starts.push_back(grid.size());
    // The documents' number of the query; its keys are starts[d] … starts[d + 1] − 1.
    const auto document_of = [starts](Index q) {
        return static_cast<std::size_t>(std::ranges::upper_bound(starts, q) - starts.begin()) - 1;
    };
    Rule made;
    made.sees = [=](Index q, Index k) { return document_of(q) == document_of(k); };
    made.boxes = [=](Index q, Boxes& out) {
        const std::size_t d = document_of(q);
        add_run(out, starts[d], starts[d + 1] - 1);
    };
    made.outlines = [=](Index q) {
        const std::size_t d = document_of(q);
        return Outlines{run_regions(starts[d], starts[d + 1] - 1, grid), {}};
    };
    return made;
}

/// Σ length² of the documents; thirds on a curve are N²/3.
double entries(const Knobs& knobs, double height, double width) {
    const double n = height * width;
    const std::string& text = knobs.text("boundaries");
    if (text == "thirds") return n * n / 3.0;
    auto starts = starts_of(text, static_cast<Index>(n));
    if (!starts) return n * n;
    starts->push_back(static_cast<Index>(n));
    double sum = 0.0;
    for (std::size_t d = 1; d < starts->size(); ++d) {
        const auto length = static_cast<double>((*starts)[d] - (*starts)[d - 1]);
        sum += length * length;
    }
    return sum;
}

}  // namespace

Pattern document() {
    Parameter boundaries;
    boundaries.id = "boundaries";
    boundaries.label = "boundaries";
    boundaries.help = "thirds, or the positions where the further documents begin: 10, 25";
    boundaries.kind = Parameter::Kind::text;
    boundaries.initial = std::string("thirds");
    return {
        .id = "document",
        .title = "Document",
        .family = Pattern::Family::sequences,
        .source = "packed sequences, Krell et al. 2021",
        .see = "Sequences packed into one row do not see each other, through however many layers.",
        .parameters = {boundaries, causal_knob()},
        .formula = "Σ length²",
        .entries = entries,
        .problem = problem,
        .rule = rule,
    };
}

}  // namespace attn::rules
