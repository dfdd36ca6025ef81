#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/io/file.h"
#include "core/io/npz.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;
using Counts = std::vector<Index>;

constexpr auto never = std::nullopt;

class Reaching : public Program {
  protected:
    [[nodiscard]] json told(Words words) const {
        words.insert(words.begin(), "reach");
        words.emplace_back("--json");
        return json::parse(run_well(words));
    }
};

Counts counts_of(const json& told) {
    Counts counts;
    for (const json& layer : told["layers"]) counts.push_back(layer["count"]);
    return counts;
}

json or_null(std::optional<Index> number) {
    return number ? json(*number) : json(nullptr);
}

/// What one query of a 16×16 grid sees; it is row 7, column 9 unless the words say otherwise.
struct Case16 {
    Words words;
    Counts counts;
    std::optional<Index> cover, worst;
};

TEST_F(Reaching, CountsWhatIsSeenThroughLayers) {
    const Case16 cases[] = {
        {{"local"}, {49, 169}, 3, 5},
        {{"local", "--set", "k=7", "--set", "edge=shift", "--query", "0"}, {49, 100}, 4, 4},
        {{"local", "--set", "edge=wrap"}, {49, 169}, 3, 3},
        {{"local", "--at", "0,0", "--layers", "3"}, {16, 49, 100}, 5, 5},
        {{"axial"}, {31, 256}, 2, 2},
        {{"axial", "--set", "m=7", "--layers", "6"}, {13, 61, 139, 211, 247, 256}, 6, 10},
        {{"global", "--layers", "1"}, {256}, 1, 1},
        {{"block-1d", "--layers", "8"}, {64, 96, 128, 128, 128, 128, 128, 128}, never, never},
        {{"block-1d", "--query", "255", "--layers", "1"}, {64}, 7, never},
        {{"block-2d"}, {80, 112}, never, never},
        {{"block-2d", "--at", "15,15", "--layers", "1"}, {64}, 3, never},
        {{"block-1d", "--set", "sides=both", "--layers", "4"}, {96, 160, 224, 256}, 4, 7},
        {{"block-2d", "--set", "sides=around"}, {144, 256}, 2, 3},
        {{"strided"}, {23, 122}, never, never},
        {{"fixed", "--set", "l=16", "--set", "c=4"}, {38, 122}, never, never},
        {{"--stack", "swin shift=0; swin shift=2", "--layers", "4"}, {16, 64, 144, 256}, 4, 7},
        {{"--stack", "swin shift=2; swin", "--layers", "1"}, {16}, 5, 8},
        {{"lsa"}, {16, 16}, never, never},
        {{"lsa", "--stack", "lsa; gsa"}, {16, 256}, 2, 2},
    };
    for (const Case16& one : cases) {
        const json object = told(one.words);
        EXPECT_EQ(counts_of(object), one.counts) << object.dump();
        EXPECT_EQ(object["layers_to_cover"], or_null(one.cover)) << object.dump();
        EXPECT_EQ(object["layers_to_cover_worst"], or_null(one.worst)) << object.dump();
    }
}

TEST_F(Reaching, TakesASequenceAsOneRow) {
    const auto counts = [&](const std::string& edge, const std::string& query) {
        return counts_of(told({"--grid", "1x64", "--query", query, "--set", "edge=" + edge, "--stack",
                               "dilated dilation=1; dilated dilation=4; dilated dilation=1; dilated "
                               "dilation=8"}));
    };
    EXPECT_EQ(counts("clip", "32"), (Counts{7, 31, 37, 64}));
    EXPECT_EQ(counts("clip", "0"), (Counts{4, 16, 19, 43}));
    EXPECT_EQ(counts("shift", "0"), (Counts{7, 28, 31, 64}));
    const json windows =
        told({"neighborhood", "--grid", "1x8", "--set", "k=4", "--query", "4", "--layers", "1"});
    EXPECT_EQ(windows["hops"], json({{-1, -1, 1, 1, 0, 1, -1, -1}}));
}

TEST_F(Reaching, SaysItAllInJson) {
    const json object = told({"local", "--set", "k=3", "--grid", "3x5", "--at", "1,3", "--layers", "2"});
    EXPECT_EQ(object["pattern"], "local");
    EXPECT_EQ(object["grid"], json({3, 5}));
    EXPECT_EQ(object["query"], 8);
    EXPECT_EQ(object["set"]["k"], 3);
    EXPECT_EQ(object["set"]["edge"], "clip");
    EXPECT_EQ(object["layers"][0], json({{"layer", 1}, {"count", 9}, {"fraction", 9.0 / 15.0}}));
    EXPECT_EQ(object["hops"], json({{-1, 2, 1, 1, 1}, {-1, 2, 1, 0, 1}, {-1, 2, 1, 1, 1}}));
    EXPECT_EQ(object["layers_to_cover"], 3);
    EXPECT_EQ(object["layers_to_cover_worst"], 4);
}

TEST_F(Reaching, OpensWhereTheWindowDoes) {
    EXPECT_EQ(told({"local"})["query"], 121);
    const json object = told({"axial", "--grid", "12x20"});
    run_well({"render", "--pattern", "axial", "--set", "rows=12", "--set", "columns=20", "-o", "hops.csv"});
    const Index query = object["query"];
    EXPECT_THAT(read("hops.csv"), HasSubstr('\n' + std::to_string(query) + ',' + std::to_string(query / 20) +
                                            ',' + std::to_string(query % 20) + ",0\n"));
}

TEST_F(Reaching, KeepsWhatWasSeenWhereConnectionsSkip) {
    const Words gsa_first = {"--stack", "gsa; lsa", "--layers", "3"};
    const Counts plain = counts_of(told(gsa_first));
    Words skipping = gsa_first;
    skipping.insert(skipping.end(), {"--set", "skip=true"});
    const Counts skipped = counts_of(told(skipping));
    EXPECT_GE(skipped[0], plain[0]);
    EXPECT_EQ(told({"strided", "--set", "part=column", "--query", "0", "--set", "skip=on"})["set"]["skip"],
              true);
}

TEST_F(Reaching, WritesTheMasksOfTheAuthors) {
    std::size_t masks = 0;
    for (const auto& entry : fs::directory_iterator(golden("patterns"))) {
        const std::string path = entry.path().string();
        const auto file = read_npz(read_file(path), path);
        Words words = {"reach", std::get<std::string>(file.knobs.at("pattern")), "--mask", "mask.npy"};
        for (const auto& [id, value] : file.knobs)
            if (id != "pattern" && id != "H" && id != "W")
                words.insert(words.end(), {"--set", id + '=' + format(value)});
        run_well(words);
        EXPECT_EQ(read_npy(read("mask.npy"), "mask.npy"), file.arrays.at("out.mask")) << path;
        ++masks;
    }
    EXPECT_EQ(masks, 28U);
}

TEST_F(Reaching, WritesMasksOfAnyGrid) {
    run_well({"reach", "local", "--mask", "mask.npy"});
    const Array mask = read_npy(read("mask.npy"), "mask.npy");
    EXPECT_EQ(mask.element(), Element::flag);
    EXPECT_EQ(std::count(mask.values().begin(), mask.values().end(), 1.0F), 10'000);
    run_well({"reach", "row", "--grid", "2x3", "--mask", "row.npy"});
    EXPECT_EQ(read_npy(read("row.npy"), "row.npy").shape(), (Shape{6, 6}));
    run_badly(2, {"reach", "local", "--grid", "128x129", "--mask", "large.npy"});
    run_badly(2, {"reach", "local", "--mask", "mask.png"});
    EXPECT_FALSE(fs::exists(folder / "large.npy"));
}

TEST_F(Reaching, DrawsSmallGridsInWords) {
    const std::string words = run_well({"reach", "local", "--set", "k=3", "--grid", "1x9", "--query", "2"});
    EXPECT_THAT(words, HasSubstr("3 keys a side"));
    EXPECT_THAT(words, HasSubstr("\n  2 1 0 1 2 · · · ·\n"));
    EXPECT_THAT(words, HasSubstr("this query sees everything  6\n"));
    EXPECT_THAT(words, HasSubstr("the worst query does        8\n"));
    EXPECT_THAT(run_well({"reach", "block-1d"}), HasSubstr("never: it stops at 128 of 256\n"));
    EXPECT_EQ(run_well({"reach", "local", "--grid", "300x300"}).find("·\n"), std::string::npos);
}

TEST_F(Reaching, RefusesWhatIsNotLegal) {
    const Words wrong[] = {
        {},
        {"no-such"},
        {"no-such", "--stack", "local"},
        {"local", "--grid", "16"},
        {"local", "--grid", "0x16"},
        {"local", "--grid", "16x16x2"},
        {"local", "--grid", "99999x99999"},
        {"local", "--query", "256"},
        {"local", "--query", "-1"},
        {"local", "--at", "16,0"},
        {"local", "--at", "0,16"},
        {"local", "--at", "121"},
        {"local", "--at", "1,1", "--query", "3"},
        {"local", "--layers", "-1"},
        {"local", "--layers", "0"},
        {"local", "--layers", "many"},
        {"local", "--set", "k=0"},
        {"local", "--set", "dilation=2"},
        {"dilated", "--set", "dilation=0"},
        {"block-1d", "--set", "l_q=0"},
        {"neighborhood", "--set", "k=17"},
        {"neighborhood", "--set", "k=7", "--set", "dilation=3"},
        {"custom", "--set", "text=q <"},
        {"--stack", "local k=7 axial"},
        {"--stack", "local; neighborhood k=17"},
        {"--stack", "local; axial", "--set", "l=3"},
    };
    for (const Words& words : wrong) {
        Words all = {"reach"};
        all.insert(all.end(), words.begin(), words.end());
        run_badly(2, all);
    }
    EXPECT_THAT(run_badly(2, {"reach", "neighborhood", "--set", "k=17"}), HasSubstr("17"));
}

}  // namespace
}  // namespace attn
