#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/io/file.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

class CommandLine : public Program {};

TEST_F(CommandLine, HelpsWithEveryCommand) {
    const std::string help = run_well({"--help"});
    for (const std::string command :
         {"list", "describe", "compute", "verify", "reach", "cost", "render", "gallery"}) {
        EXPECT_THAT(help, HasSubstr("\n  " + command + ' '));
        const std::string own = run_well({command, "--help"});
        EXPECT_THAT(own, HasSubstr("Usage: attnscope " + command));
        EXPECT_THAT(own, HasSubstr("Example"));
        EXPECT_THAT(own, HasSubstr("  attnscope " + command));
    }
    EXPECT_THAT(help, HasSubstr("Exit codes"));
    EXPECT_EQ(help.find("--report"), std::string::npos);  // for tests only
    EXPECT_THAT(run_well({"--version"}), ::testing::MatchesRegex("attnscope [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(CommandLine, EndsWithTwoWhenItIsUsedWrongly) {
    const Words wrong[] = {{"--no-such-option"},
                           {"lst"},
                           {"list", "patternz"},
                           {"describe"},
                           {"describe", "no-such"},
                           {"describe", "pattern:no-such"},
                           {"describe", "figure:local"},
                           {"describe", "se", "--json", "--markdown"},
                           {"compute"},
                           {"compute", "dot", "--set"},
                           {"compute", "dot", "--set", "tau"},
                           {"compute", "dot", "--set", "=1"},
                           {"compute", "dot", "--set", "tau=warm"},
                           {"compute", "dot", "--set", "tau=1e9"},
                           {"compute", "dot", "--set", "no_such=1"},
                           {"compute", "dot", "--array", "out.weights"},
                           {"compute", "dot", "--array", "out.none", "-o", "x.csv"},
                           {"compute", "dot", "-o", "x.txt"},
                           {"verify"},
                           {"render"},
                           {"render", "-o", "figure.gif"},
                           {"render", "-o", "png"},
                           {"render", "-o", ".svg"},
                           {"render", "", "-o", "x.png"},
                           {"render", "--scale", "abc", "-o", "x.png"},
                           {"render", "--theme", "pink", "-o", "x.png"},
                           {"render", "--figure", "no-such", "-o", "x.png"},
                           {"render", "--figure", "gate", "--mechanism", "dot", "-o", "x.png"},
                           {"render", "--mechanism", "dot", "--image", "x.png", "-o", "x.png"},
                           {"render", "--pattern", "no-such", "-o", "x.png"},
                           {"render", "--pattern", "local", "--mechanism", "dot", "-o", "x.png"},
                           {"render", "--pattern", "neighborhood", "--set", "k=17", "-o", "x.png"},
                           {"render", "--size", "960", "-o", "x.png"},
                           {"render", "--size", "960x0", "-o", "x.png"},
                           {"render", "--scale", "0", "-o", "x.png"},
                           {"render", "--scale", "nan", "-o", "x.png"},
                           {"gallery"},
                           {"--set", "tau=1e9"},
                           {"--theme", "pink"}};
    for (const Words& words : wrong) run_badly(2, words);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(CommandLine, EndsWithOneWhenFilesAreAmiss) {
    write("text.png", "Dear reader,\nthis is a letter.");
    write("empty.png", "");
    write("scene.json", R"({"attnscope":1,"figure":"a figure with a long name that nobody has made yet"})");
    write("broken.json", "{\"attnscope\":1,\n\"figure\":");
    write("page.pdf", "%PDF-1.5\n%%EOF\n");
    write("picture.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    write("taken", "");
    const std::string strange = "a\xFF\nb.png";
    for (const std::string& file : Words{"text.png", "empty.png", "scene.json", "broken.json", "page.pdf",
                                         "picture.svg", "none.png", ".", strange, "/dev/zero"}) {
        run_badly(1, {"render", file, "-o", "x.png"});
        run_badly(1, {"render", "--image", file, "-o", "x.png"});
        run_badly(1, {"compute", "se", "--in", file});
        run_badly(1, {"verify", file});
    }
    run_badly(1, {"render", "-o", "none/x.svg"});
    run_badly(1, {"gallery", "-o", "taken"});
    EXPECT_FALSE(std::filesystem::exists(folder / "x.png"));
}

TEST_F(CommandLine, NamesWhatIsNear) {
    EXPECT_THAT(run_badly(2, {"compute", "non-locl"}), HasSubstr("non-local"));
    EXPECT_THAT(run_badly(2, {"compute", "dot", "--set", "tua=1"}), HasSubstr("tau"));
}

TEST_F(CommandLine, NeedsADisplayForTheWindowOnly) {
    run_badly(1, {});
}

TEST_F(CommandLine, ListsInWordsAndInJson) {
    const json all = json::parse(run_well({"list", "--json"}));
    const json mechanisms = json::parse(run_well({"list", "mechanisms", "--json"}));
    const json figures = json::parse(run_well({"list", "figures", "--json"}));
    const json patterns = json::parse(run_well({"list", "patterns", "--json"}));
    EXPECT_EQ(all.size(), mechanisms.size() + patterns.size() + figures.size());
    EXPECT_EQ(patterns.size(), 22U);
    EXPECT_EQ(patterns[2]["kind"], "pattern");
    EXPECT_EQ(patterns[2]["id"], "local");
    const std::string words = run_well({"list"});
    for (const json& entry : all)
        EXPECT_THAT(words, HasSubstr("\n  " + entry["id"].get<std::string>() + ' '));
    std::vector<std::string> ids;
    for (const json& entry : mechanisms) ids.push_back(entry["id"]);
    EXPECT_THAT(ids, ::testing::IsSupersetOf({"additive", "dot", "scaled-dot", "non-local", "se"}));
}

TEST_F(CommandLine, DescribesTheMechanismWhereAPatternHasItsName) {
    EXPECT_EQ(json::parse(run_well({"describe", "se", "--json"}))["kind"], "mechanism");
    EXPECT_EQ(json::parse(run_well({"describe", "criss-cross", "--json"}))["kind"], "pattern");
    EXPECT_EQ(json::parse(run_well({"describe", "figure:gate", "--json"}))["kind"], "figure");
    for (const json& mechanism : json::parse(run_well({"list", "mechanisms", "--json"}))) {
        const std::string id = mechanism["id"];
        EXPECT_EQ(json::parse(run_well({"describe", id, "--json"}))["kind"], "mechanism");
        const bool both = run({"describe", "pattern:" + id}).code == 0;
        EXPECT_EQ(run_well({"describe", id}).find("pattern:" + id) != std::string::npos, both) << id;
    }
}

TEST_F(CommandLine, TheCommittedCatalogueIsWhatTheProgramSays) {
    const std::string said = run_well({"describe", "all", "--markdown"});
    const std::string committed = read_file(ATTNSCOPE_SOURCE "/docs/catalogue.md");
    EXPECT_TRUE(said == committed) << "build the target 'catalogue' and commit docs/catalogue.md";
    for (const json& entry : json::parse(run_well({"list", "--json"}))) {
        if (entry["kind"] == "figure") continue;
        const std::string id = entry["id"];
        const std::string anchor = entry["kind"].get<std::string>() + '-' + id;
        EXPECT_THAT(said, HasSubstr("| [`" + id + "`](#" + anchor + ") |"));
        EXPECT_THAT(said, HasSubstr("<a id=\"" + anchor + "\"></a>\n\n### " +
                                    entry["title"].get<std::string>() + '\n'));
    }
    run_badly(2, {"describe", "all"});
}

TEST_F(CommandLine, ListsMechanismsAsATableOfWhatTheyScore) {
    const std::string tables = run_well({"list", "mechanisms", "--markdown"});
    std::string bare = tables;  // as it is read
    std::erase(bare, '\\');
    for (const json& entry : json::parse(run_well({"list", "mechanisms", "--json"}))) {
        const std::string id = entry["id"];
        const json teaching = json::parse(run_well({"describe", "mechanism:" + id, "--json"}))["teaching"];
        EXPECT_THAT(bare, HasSubstr("\n| `" + id + "` | " + teaching["pieces"].get<std::string>() + " | "));
    }
    std::size_t cells = 0;  // of every line alike: what is said holds no bare |
    for (std::size_t at = 0, end = 0; (end = tables.find('\n', at)) != std::string::npos; at = end + 1) {
        const std::string line = tables.substr(at, end - at);
        if (!line.starts_with('|')) continue;
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i)
            if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++bars;
        if (cells == 0) cells = bars;
        EXPECT_EQ(bars, cells) << line;
    }
}

TEST_F(CommandLine, DescribesEverythingItLists) {
    for (const json& entry : json::parse(run_well({"list", "--json"}))) {
        const std::string id = entry["kind"].get<std::string>() + ':' + entry["id"].get<std::string>();
        const json told = json::parse(run_well({"describe", id, "--json"}));
        EXPECT_EQ(told["id"], entry["id"]);
        EXPECT_EQ(told["kind"], entry["kind"]);
        const std::string words = run_well({"describe", id});
        const std::string page = run_well({"describe", id, "--markdown"});
        EXPECT_TRUE(page.starts_with("# " + entry["title"].get<std::string>() + '\n'));
        for (const json& knob : told["parameters"]) {
            EXPECT_THAT(words, HasSubstr("\n  " + knob["id"].get<std::string>()));
            EXPECT_THAT(page, HasSubstr("\n| `" + knob["id"].get<std::string>() + "` |"));
        }
        for (const char* arrays : {"inputs", "outputs"})
            for (const json& array : told.value(arrays, json::array())) {
                EXPECT_THAT(words, HasSubstr("\n  " + array["name"].get<std::string>()));
                EXPECT_THAT(page, HasSubstr("\n| `" + array["name"].get<std::string>() + "` |"));
            }
    }
}

}  // namespace
}  // namespace attn
