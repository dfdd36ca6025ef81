#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/evaluate.h"
#include "app/open.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"

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
        result.within = result.within && difference <= tolerance.at(wanted);
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

Verdict verify(const std::string& path, const std::string& fallback) {
    std::string bytes = read_file(path);
    Arrays expected = read_npz(bytes, path).arrays;
    std::erase_if(expected, [](const auto& entry) { return !entry.first.starts_with("out."); });
    if (expected.empty()) throw Error(shown_name(path) + " has no out.* array to compare with");
    const Scene scene = case_scene(std::move(bytes), path, fallback);
    const auto result = Evaluator().evaluate(scene);
    Verdict verdict;
    std::vector<std::vector<std::string>> rows = {{"array", "shape", "max |difference|", "tolerance", ""}};
    for (const auto& [name, wanted] : expected) {
        const auto computed = result->trace.out.find(name);
        const Tolerance tolerance = tolerance_of(name, wanted.element(), scene.mechanism);
        std::vector<std::string> row = {name, describe(wanted.shape()), "—", in_words(tolerance),
                                        "not computed"};
        if (computed != result->trace.out.end() && computed->second->shape() != wanted.shape()) {
            row.back() = "computed " + describe(computed->second->shape());
        } else if (computed != result->trace.out.end()) {
            const Comparison comparison = compare(wanted, *computed->second, tolerance);
            row[2] = number(comparison.largest);
            row.back() = comparison.within ? "ok" : "too large";
        }
        verdict.within = verdict.within && row.back() == "ok";
        rows.push_back(std::move(row));
    }
    verdict.report = shown_name(path) + " (" + scene.mechanism + ")\n" + table(rows, "llrll");
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
