#include "core/reach.h"

#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/json.h"
#include "app/cli/print.h"
#include "app/figures/format.h"
#include "app/input/parameters.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"

namespace attn::cli {
namespace {

constexpr Index most_layers = 4096;
constexpr Index widest_drawing = 128;  // characters of a line

/// What the command asks, checked: layers input first, the stack made of them, and a place in it.
struct Asked {
    std::vector<Layer> layers;
    Values set;  ///< of a pattern alone every knob, of a stack what --set says
    Stack stack;
    Index query = 0;
    Index depth = 2;  ///< L
};

/// Every pattern in a layer, combined ones too.
template <typename Visit>
void each_pattern(Layer& layer, const Visit& visit) {
    if (layer.kind == Layer::Kind::pattern) return visit(layer);
    for (Layer& part : layer.parts) each_pattern(part, visit);
}

/// Sets a knob in every layer that has it and does not set it itself; adds it to `set`.
void serve_all(std::vector<Layer>& layers, const std::string& id, const std::string& text, Values& set) {
    bool known = false;
    for (Layer& layer : layers)
        each_pattern(layer, [&](Layer& part) {
            const Parameter* knob = find(pattern(part.id).parameters, id);
            if (knob == nullptr) return;
            known = true;
            part.set.emplace(id, set.insert_or_assign(id, parse(*knob, text)).first->second);
        });
    if (!known) throw UsageError("no layer of '" + format_stack(layers) + "' has a knob '" + id + "'");
}

const Parameter& skip_knob() {
    static const std::vector<Parameter> knobs = layer_parameters();
    return *find(knobs, "skip");
}

/// `knobs` are the assignments that are not of the stack as a whole.
std::vector<Layer> layers_asked(const ReachQuestion& command, const std::vector<std::string>& knobs,
                                Values& set) {
    if (command.stack.empty() && command.pattern.empty())
        throw UsageError("expected a pattern, or layers in --stack; 'attnscope list patterns' names them");
    if (!command.pattern.empty()) static_cast<void>(pattern(command.pattern));
    if (!command.stack.empty()) {
        std::vector<Layer> layers = parse_stack(command.stack);
        for (const std::string& text : knobs) {
            const auto [id, value] = assignment(text);
            serve_all(layers, id, value, set);
        }
        return layers;
    }
    Layer layer;
    layer.id = command.pattern;
    const std::vector<Parameter>& known = pattern(layer.id).parameters;
    layer.set = assigned(layer.id, known, knobs);
    set = complete(known, layer.set);
    return {layer};
}

/// Half down and nine sixteenths across, where the window opens too: a place where windows are whole.
Index telling_place(Grid grid) {
    return (grid.height - 1) / 2 * grid.width + grid.width * 9 / 16;
}

Index query_asked(const ReachQuestion& command, Grid grid) {
    if (command.query.empty() && command.at.empty()) return telling_place(grid);
    if (command.query.empty() && command.at.find(',') == std::string::npos)
        throw UsageError("--at takes ROW,COLUMN, such as 7,9, and got '" + command.at + "'");
    const Parameter query{.id = "query",
                          .kind = Parameter::Kind::position,
                          .initial = Index{0},
                          .high = static_cast<double>(grid.size() - 1)};
    return std::get<Index>(parse(query, command.query.empty() ? command.at : command.query, grid.width));
}

Index depth_asked(const ReachQuestion& command, std::size_t layers) {
    if (!command.layers) return std::max<Index>(2, static_cast<Index>(layers));
    if (*command.layers < 1 || *command.layers > most_layers)
        throw UsageError("--layers takes a number from 1 to " + std::to_string(most_layers) + ", and got " +
                         std::to_string(*command.layers));
    return *command.layers;
}

Asked asked(const ReachQuestion& command) {
    Asked wish;
    const Grid grid = grid_of(command.grid);
    bool skip = false;
    std::vector<std::string> knobs;
    for (const std::string& text : command.set) {
        if (const auto [id, value] = assignment(text); id == skip_knob().id)
            skip = std::get<bool>(parse(skip_knob(), value));
        else
            knobs.push_back(text);
    }
    wish.layers = layers_asked(command, knobs, wish.set);
    if (skip) wish.set.emplace(skip_knob().id, true);
    for (const Layer& layer : wish.layers)  // what is not legal stands on the command line
        if (const auto sentence = problem(layer, grid)) throw UsageError(*sentence);
    wish.stack = make_stack(wish.layers, grid, skip);
    wish.query = query_asked(command, grid);
    wish.depth = depth_asked(command, wish.layers.size());
    return wish;
}

/// Layers until the worst query sees everything. One query that never does answers for all, so that those
/// which usually see least are asked before the thousands of others.
std::optional<Index> worst_of(const Stack& stack) {
    for (const Index query : {Index{0}, stack.size() - 1})
        if (!coverage(stack, query).layers) return std::nullopt;
    return coverage_map(stack).worst;
}

// ----------------------------------------------------------------------------------------------------------
// JSON

using Json = nlohmann::ordered_json;

Json or_null(std::optional<Index> number) {
    return number ? Json(*number) : Json(nullptr);
}

Json layers_json(const Reach& reach) {
    Json layers = Json::array();
    for (Index l = 1; l <= static_cast<Index>(reach.counts.size()); ++l)
        layers.push_back({{"layer", l},
                          {"count", reach.counts[static_cast<std::size_t>(l - 1)]},
                          {"fraction", reach.fraction(l)}});
    return layers;
}

Json hops_json(const Reach& reach, Grid grid) {
    Json rows = Json::array();
    for (Index r = 0; r < grid.height; ++r) {
        const auto begin = reach.hops.begin() + r * grid.width;
        rows.push_back(std::vector<std::int32_t>(begin, begin + grid.width));
    }
    return rows;
}

std::string json_of(const ReachQuestion& command, const Asked& wish) {
    const Grid grid = wish.stack.grid();
    const Reach reached = reach(wish.stack, wish.query, wish.depth);
    const Coverage own = coverage(wish.stack, wish.query);
    Json object;
    object["pattern"] = command.pattern.empty() ? Json(nullptr) : Json(command.pattern);
    if (!command.stack.empty()) object["stack"] = format_stack(wish.layers);
    object["grid"] = {grid.height, grid.width};
    object["query"] = wish.query;
    object["set"] = knobs_json(wish.set);
    object["layers"] = layers_json(reached);
    object["layers_to_cover"] = or_null(own.layers);
    object["layers_to_cover_worst"] = or_null(own.layers ? worst_of(wish.stack) : std::nullopt);
    object["hops"] = hops_json(reached, grid);
    return object.dump() + '\n';
}

// ------------------------------------------------------------------------------------------------ readable
// text

std::string position_in_words(Index position, Grid grid) {
    std::string text = std::to_string(position);
    if (grid.height > 1)
        text += " (row " + std::to_string(position / grid.width) + ", column " +
                std::to_string(position % grid.width) + ')';
    return text;
}

std::string heading(const Asked& wish) {
    const Grid grid = wish.stack.grid();
    std::vector<std::vector<std::string>> facts = {{"layers", format_stack(wish.layers)}};
    if (wish.layers.size() == 1 && wish.layers.front().kind == Layer::Kind::pattern) {
        const Layer& only = wish.layers.front();
        const Pattern& shown = pattern(only.id);
        facts = {{"pattern", only.id + " · " + std::string(shown.title)}};
        std::string knobs;
        for (const auto& [id, value] : complete(shown.parameters, only.set))
            knobs += (knobs.empty() ? "" : "  ") + id + '=' + format(value);
        if (!knobs.empty()) facts.push_back({"knobs", knobs});
        if (shown.sentence != nullptr)
            facts.push_back({"", shown.sentence(Knobs(shown.parameters, only.set), grid)});
    }
    if (wish.stack.skip) facts.push_back({"", "with a skip connection"});
    facts.push_back({"grid", std::to_string(grid.height) + " × " + std::to_string(grid.width) + " = " +
                                 grouped(grid.size()) + " positions"});
    facts.push_back({"query", position_in_words(wish.query, grid)});
    return table(facts, "ll");
}

std::string counts_table(const Reach& reached) {
    std::vector<std::vector<std::string>> rows = {{"layer", "keys", "share"}};
    for (Index l = 1; l <= static_cast<Index>(reached.counts.size()); ++l)
        rows.push_back({std::to_string(l), grouped(reached.counts[static_cast<std::size_t>(l - 1)]),
                        percent(reached.fraction(l), 1)});
    return table(rows, "rrr");
}

/// The hops as numbers on the grid; empty where it is too wide for a line.
std::string drawing(const Reach& reached, Grid grid, Index depth) {
    const std::size_t width = std::to_string(depth).size() + (grid.width <= widest_drawing / 2 ? 1 : 0);
    if (grid.width * static_cast<Index>(width) > widest_drawing || grid.height > widest_drawing / 2)
        return {};
    std::string text = "\nFirst layer at which each position is seen (0 the query, · not within " +
                       std::to_string(depth) + ")\n";
    for (Index r = 0; r < grid.height; ++r) {
        text += ' ';
        for (Index c = 0; c < grid.width; ++c) {
            const std::int32_t hop = reached.hops[static_cast<std::size_t>(r * grid.width + c)];
            const std::string digits = std::to_string(std::max(hop, 0));
            text.append(width - (hop < 0 ? 1 : digits.size()), ' ').append(hop < 0 ? "·" : digits);
        }
        text += '\n';
    }
    return text;
}

std::string layers_in_words(std::optional<Index> layers) {
    return layers ? std::to_string(*layers) : "never";
}

/// What is known at once comes first: the worst query may take minutes.
void print_readable(const Asked& wish) {
    const Grid grid = wish.stack.grid();
    const Reach reached = reach(wish.stack, wish.query, wish.depth);
    print(heading(wish) + '\n' + counts_table(reached) + drawing(reached, grid, wish.depth));
    const Coverage own = coverage(wish.stack, wish.query);
    print("\nlayers until this query sees everything  " + layers_in_words(own.layers) +
          (own.layers ? "" : ": it stops at " + grouped(own.most) + " of " + grouped(grid.size())) + '\n');
    const std::optional<Index> worst = own.layers ? worst_of(wish.stack) : std::nullopt;
    print("layers until the worst query does        " + layers_in_words(worst) + '\n');
}

void write_mask(const std::string& path, const BoundPattern& layer) {
    constexpr Index most = 16'384;
    const Index n = layer.size();
    if (n > most)
        throw UsageError("--mask writes N × N booleans for at most " + grouped(most) + " positions, and " +
                         "this grid has " + grouped(n));
    write_file(path, write_npy_flags({n, n}, [&](std::span<unsigned char> flags) {
                   for (Index q = 0; q < n; ++q)
                       layer.mask_row(
                           q, flags.subspan(static_cast<std::size_t>(q * n), static_cast<std::size_t>(n)));
               }));
}

}  // namespace

void run(const ReachQuestion& command) {
    if (!command.mask.empty()) static_cast<void>(output_format(command.mask, {"npy"}));
    const Asked wish = asked(command);
    if (!command.mask.empty()) write_mask(command.mask, wish.stack.layers.front());
    if (command.json) return print(json_of(command, wish));
    print_readable(wish);
}

}  // namespace attn::cli
