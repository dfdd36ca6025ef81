#include "app/figures/reading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/figures/format.h"

namespace attn {
namespace {

/// Ids of the knob `all_heads`, in the order of Result::all_heads.
constexpr std::array<std::string_view, 3> combinations = {"mean", "max", "min"};

/// Channels where one row holds a gate for each map; words where pieces lie in a row, channels that look at
/// channels among them.
Layout layout_of(const Result& result) {
    const Trace& trace = result.trace;
    if (result.mechanism->family == Family::pixels || trace.keys.height > 1) return Layout::picture;
    const bool gates =
        result.channels && trace.queries.size() == 1 && result.channels->extent(0) == trace.keys.size();
    return gates ? Layout::channels : Layout::words;
}

/// The key that was drawn, else the heaviest, the query itself aside where there is another.
Index telling_key(const Trace& trace, const Reading& reading) {
    if (!trace.picked.empty()) return trace.picked[static_cast<std::size_t>(reading.shown)];
    if (trace.gated && reading.layout == Layout::picture)  // the gates' extremes are seldom telling
        return trace.keys.height / 2 * trace.keys.width + trace.keys.width * 5 / 24;
    const std::span<const float> weights = reading.head->weights.row(reading.shown);
    const Index itself = reading.self ? reading.shown : -1;
    Index best = -1;
    for (Index k = 0; k < static_cast<Index>(weights.size()); ++k) {
        const auto at = [&](Index i) { return weights[static_cast<std::size_t>(i)]; };
        if (k != itself && (best < 0 || at(k) > at(best))) best = k;
    }
    return std::max<Index>(best, 0);
}

/// Which of several heads or channels is shown. Heads that nobody can choose are no heads to a reader.
std::string head_name(const Page& page) {
    const Mechanism& shown = *page.result.mechanism;
    const std::size_t count = page.result.trace.heads.size();
    if (count < 2 || (!shown.mixed && find(shown.parameters, "heads") == nullptr)) return "";
    const HeadChoice choice = head_choice(page);
    if (choice.all) return head_name(page.result, choice.index);
    return (shown.mixed ? "channel " : "head ") + std::to_string(choice.index + 1) + " of " +
           std::to_string(count);
}

}  // namespace

HeadChoice head_choice(const Page& page) {
    const std::vector<Head>& heads = page.result.trace.heads;
    const std::vector<Head>& all = page.result.all_heads;
    const auto in_one = page.scene.set.find("all_heads");
    if (in_one != page.scene.set.end() && !all.empty()) {
        const auto at =
            std::find(combinations.begin(), combinations.end(), std::get<std::string>(in_one->second)) -
            combinations.begin();
        if (at < std::ssize(all)) {
            const auto which = static_cast<std::size_t>(at);
            return {heads.size() + which, &all[which], true};
        }
    }
    const auto set = page.scene.set.find("head");
    const Index wished = set == page.scene.set.end() ? 1 : std::get<Index>(set->second);
    const auto index = static_cast<std::size_t>(std::clamp<Index>(wished, 1, std::ssize(heads)) - 1);
    return {index, &heads[index], false};
}

std::size_t shown_head(const Page& page) {
    return std::min(head_choice(page).index, page.result.trace.heads.size() - 1);
}

Values show_head(const Result& result, std::size_t choice) {
    const std::size_t count = result.trace.heads.size();
    if (choice >= count) return {{"all_heads", std::string(combinations.at(choice - count))}};
    return {{"all_heads", std::string("one")}, {"head", static_cast<Index>(choice) + 1}};
}

std::size_t head_choices(const Result& result) {
    return result.trace.heads.size() + result.all_heads.size();
}

std::string head_name(const Result& result, std::size_t choice) {
    const std::size_t count = result.trace.heads.size();
    if (choice >= count)
        return std::string(combinations.at(choice - count)) + " of " + std::to_string(count) + " heads";
    std::string name = "head " + std::to_string(choice + 1);
    if (choice < result.head_names.size()) name += ": " + result.head_names[choice];
    return name;
}

Reading read(const Page& page) {
    const Trace& trace = page.result.trace;
    Reading reading;
    reading.layout = layout_of(page.result);
    reading.self = reading.layout != Layout::channels && page.result.mechanism->self_attention &&
                   trace.queries == trace.keys && trace.key_order.empty();
    reading.query = query_of(page.scene, page.result);
    reading.shown = std::clamp<Index>(page.focus.query.value_or(reading.query), 0, trace.queries.size() - 1);
    reading.head = head_choice(page).head;
    reading.scores = reading.head->scores.row(reading.query);
    reading.weights = reading.head->weights.row(reading.query);
    if (!trace.allowed.empty()) reading.allowed = trace.allowed.row(reading.query);
    const auto keys = static_cast<Index>(reading.weights.size());
    reading.seen = keys_seen(trace, reading.query);
    reading.head_name = head_name(page);
    if (!trace.picked.empty()) reading.picked = trace.picked[static_cast<std::size_t>(reading.query)];
    reading.key =
        page.focus.key ? std::clamp<Index>(*page.focus.key, 0, keys - 1) : telling_key(trace, reading);
    reading.blind = std::find(trace.blind.begin(), trace.blind.end(), reading.query) != trace.blind.end();
    return reading;
}

Index keys_seen(const Trace& trace, Index query) {
    if (trace.allowed.empty()) return trace.keys.size();
    const std::span<const float> flags = trace.allowed.row(query);
    return trace.keys.size() - std::count(flags.begin(), flags.end(), 0.0F);
}

Index row_of(const Reading& reading, const Map& map) {
    return reading.head->weights.rows() == 1 && map.rows() > 1 ? reading.key : reading.query;
}

const Map& map_of(const Page& page, const Step& step) {
    return step.maps[std::min(head_choice(page).index, step.maps.size() - 1)];
}

std::vector<std::span<const float>> addends_of(const Page& page, const Reading& reading) {
    std::vector<std::span<const float>> rows;
    for (const Step& step : page.result.trace.steps)
        if (step.part == Step::Part::addend) rows.push_back(map_of(page, step).row(reading.query));
    return rows;
}

RowFacts facts(std::span<const float> weights) {
    RowFacts row;
    bool negative = false;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const auto weight = static_cast<double>(weights[k]);
        row.sum += weight;
        negative = negative || weight < 0.0;
        if (k == 0 || weight > row.largest) {
            row.largest = weight;
            row.heaviest = static_cast<Index>(k);
        }
    }
    constexpr double rounding = 1e-3;
    row.shares = !negative && std::abs(row.sum - 1.0) < rounding;
    if (!row.shares) return row;
    row.entropy = entropy(weights);
    row.effective = std::exp(row.entropy);
    std::vector<float> heaviest(std::min<std::size_t>(10, weights.size()));
    std::partial_sort_copy(weights.begin(), weights.end(), heaviest.begin(), heaviest.end(),
                           std::greater<>());
    row.top_ten = std::accumulate(heaviest.begin(), heaviest.end(), 0.0);
    return row;
}

std::vector<Index> by_weight(std::span<const float> weights) {
    std::vector<Index> order(weights.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        return weights[static_cast<std::size_t>(a)] > weights[static_cast<std::size_t>(b)];
    });
    return order;
}

std::string name_of(const Page& page, const Reading& reading, Index piece, bool as_query) {
    if (reading.layout == Layout::channels) {
        const auto& names = page.result.channel_names;
        const auto at = static_cast<std::size_t>(piece);
        return at < names.size() ? names[at] : "channel " + std::to_string(piece);
    }
    const auto& labels = as_query ? page.result.query_labels : page.result.key_labels;
    if (static_cast<std::size_t>(piece) < labels.size()) return labels[static_cast<std::size_t>(piece)];
    const Grid grid = as_query ? page.result.trace.queries : page.result.trace.keys;
    if (grid.height == 1) return std::to_string(piece);
    std::string place = "(";
    place += std::to_string(piece / grid.width) + ", " + std::to_string(piece % grid.width) + ")";
    return place;
}

std::string how_taken(const Page& page) {
    if (page.result.trace.picked.empty()) return "";
    const Knobs knobs(page.result.mechanism->parameters, page.scene.set);
    if (knobs.text("pick") != "sample") return "the heaviest";
    return "drawn, seed " + std::to_string(knobs.integer("draw"));
}

std::string blind_warning(const Page& page) {
    const std::size_t count = page.result.trace.blind.size();
    if (count == 0) return "";
    if (count == 1) return "One query sees no key: every one is masked, so its weights and its output are 0.";
    return grouped(static_cast<Index>(count)) +
           " queries see no key: all are masked, so their weights and outputs are 0.";
}

}  // namespace attn
