#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/evaluate.h"
#include "app/open.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/pattern_layer.h"

namespace attn::cli {
namespace {

/// How far a number may be from the one in the file: absolute + relative · |number|.
struct Tolerance {
    double absolute = 0.0, relative = 0.0;
    [[nodiscard]] double at(double expected) const { return absolute + relative * std::abs(expected); }
};

Tolerance tolerance_of(const std::string& name, Element element, std::string_view mechanism) {
    if (element != Element::real) return {};  // masks and indices are exact
    const auto speaks_of = [&](std::string_view word) { return name.find(word) != std::string::npos; };
    const bool squashed = speaks_of("weight") || speaks_of("gate") || speaks_of("score");
    const double base = squashed ? 1e-5 : 2e-5;
    // These add up many large numbers, in an order that no two programs share.
    for (const std::string_view large : {"rga-", "bilinear", "ran", "axial-deeplab"})
        if (mechanism == large || (large.ends_with('-') && mechanism.starts_with(large))) return {base, 1e-4};
    return {base, base};
}

struct Comparison {
    double largest = 0.0;  ///< max |difference|
    bool within = true;
};

Comparison compare(const Array& expected, const Array& computed, Tolerance tolerance) {
    Comparison result;
    for (std::size_t i = 0; i < expected.values().size(); ++i) {
        const double wanted = expected.values()[i];
        const double got = computed.values()[i];
        if (wanted == got || (std::isnan(wanted) && std::isnan(got))) continue;
        const double difference = std::isfinite(wanted) && std::isfinite(got)
                                      ? std::abs(wanted - got)
                                      : std::numeric_limits<double>::infinity();
        result.largest = std::max(result.largest, difference);
        // Infinite values would have an infinite tolerance: they must be the same ones.
        const bool near = std::isfinite(wanted) ? difference <= tolerance.at(wanted) : difference == 0.0;
        result.within = result.within && near;
    }
    return result;
}

std::string in_words(Tolerance tolerance) {
    if (tolerance.absolute == 0.0) return "exact";
    return number(tolerance.absolute) + " + " + number(tolerance.relative) + "·|x|";
}

struct Verdict {
    std::string report;
    bool within = true;
};

/// What is computed of a case, and the id of what computes it.
struct Recomputed {
    std::string id;
    std::map<std::string, SharedArray, std::less<>> out;
};

Index side_of(const Values& knobs, const char* id) {
    constexpr Index most = 16'384;  // more positions in all have no mask that a file could hold
    const auto found = knobs.find(id);
    const auto* side = found == knobs.end() ? nullptr : std::get_if<Index>(&found->second);
    if (side == nullptr || *side < 1 || *side > most)
        throw Error("expected rows p.H and columns p.W of a grid, each from 1 to " + std::to_string(most));
    return *side;
}

SharedArray mask_of(const BoundPattern& pattern) {
    const Index n = pattern.size();
    std::vector<float> values;
    std::vector<unsigned char> row(static_cast<std::size_t>(n));
    for (Index q = 0; q < n; ++q) {
        pattern.mask_row(q, row);
        values.insert(values.end(), row.begin(), row.end());
    }
    return std::make_shared<const Array>(Shape{n, n}, std::move(values), Element::flag);
}

/// A case of a pattern: its one-layer mask. Not computed where it would not be the file's size anyway.
Recomputed of_pattern(const Case& file) {
    const auto* id = std::get_if<std::string>(&file.knobs.at("pattern"));
    if (id == nullptr) throw Error("expected the id of a pattern as p.pattern");
    Layer layer;
    layer.id = *id;
    for (const auto& [knob, value] : file.knobs)
        if (knob != "pattern" && knob != "H" && knob != "W") layer.set.emplace(knob, value);
    const BoundPattern pattern(layer, {side_of(file.knobs, "H"), side_of(file.knobs, "W")});
    Recomputed computed{*id, {}};
    const auto mask = file.arrays.find("out.mask");
    const Shape shape{pattern.size(), pattern.size()};
    if (mask != file.arrays.end() && mask->second.shape() != shape)
        throw Error("expected out.mask of the shape " + describe(shape) + ", got " +
                    describe(mask->second.shape()));
    if (mask != file.arrays.end()) computed.out.emplace("out.mask", mask_of(pattern));
    return computed;
}

Recomputed recompute(const Case& file, std::string bytes, const std::string& path,
                     const std::string& fallback) {
    if (file.knobs.contains("pattern") && !file.knobs.contains("mechanism") && fallback.empty()) {
        try {
            return of_pattern(file);
        } catch (const Error& error) {  // the file is wrong, not the command
            throw Error(shown_name(path) + ": " + error.what());
        }
    }
    const Scene scene = case_scene(std::move(bytes), path, fallback);
    const auto result = Evaluator().evaluate(scene);
    return {scene.mechanism, {result->trace.out.begin(), result->trace.out.end()}};
}

Verdict verify(const std::string& path, const std::string& fallback) {
    std::string bytes = read_file(path);
    const Case file = read_npz(bytes, path);
    Arrays expected = file.arrays;
    std::erase_if(expected, [](const auto& entry) { return !entry.first.starts_with("out."); });
    if (expected.empty()) throw Error(shown_name(path) + " has no out.* array to compare with");
    const Recomputed ours = recompute(file, std::move(bytes), path, fallback);
    Verdict verdict;
    std::vector<std::vector<std::string>> rows = {{"array", "shape", "max |difference|", "tolerance", ""}};
    for (const auto& [name, wanted] : expected) {
        const auto computed = ours.out.find(name);
        const Tolerance tolerance = tolerance_of(name, wanted.element(), ours.id);
        std::vector<std::string> row = {name, describe(wanted.shape()), "—", in_words(tolerance),
                                        "not computed"};
        if (computed != ours.out.end() && computed->second->shape() != wanted.shape()) {
            row.back() = "computed " + describe(computed->second->shape());
        } else if (computed != ours.out.end()) {
            const Comparison comparison = compare(wanted, *computed->second, tolerance);
            row[2] = number(comparison.largest);
            row.back() = comparison.within ? "ok" : "too large";
        }
        verdict.within = verdict.within && row.back() == "ok";
        rows.push_back(std::move(row));
    }
    verdict.report = shown_name(path) + " (" + ours.id + ")\n" + table(rows, "llrll");
    return verdict;
}

}  // namespace

void run(const Verify& command) {
    std::size_t failed = 0;
    for (const std::string& path : command.cases) {
        try {
            const Verdict verdict = verify(path, command.mechanism);
            print(verdict.report);
            failed += verdict.within ? 0 : 1;
        } catch (const UsageError&) {
            throw;
        } catch (const Error& error) {
            if (command.cases.size() == 1) throw;
            print(shown_name(path) + "\n  not verified: " + error.what() + '\n');
            ++failed;
        }
    }
    if (failed > 0)
        throw Error(std::to_string(failed) + " of " + std::to_string(command.cases.size()) +
                    (command.cases.size() == 1 ? " case" : " cases") +
                    " could not be verified within the tolerance");
}

}  // namespace attn::cli
