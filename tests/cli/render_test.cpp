#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/io/npz.h"
#include "core/io/picture.h"
#include "tests/cli/program.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Rendering : public Program {
  protected:
    /// A picture whose left half is blue and whose right half is orange.
    void write_photo() const {
        Picture photo{60, 90, {}};
        for (Index i = 0; i < 60 * 90; ++i) {
            if (i % 90 < 45) {
                photo.rgb.insert(photo.rgb.end(), {20, 60, 200});
            } else {
                photo.rgb.insert(photo.rgb.end(), {240, 150, 30});
            }
        }
        write("photo.png", encode_png(photo));
    }
};

TEST_F(Rendering, GivesTheSameBytesAgain) {
    for (const std::string format : {"png", "svg", "pdf", "csv", "npz"}) {
        for (const std::string name : {"one.", "two."})
            run_well({"render", "--set", "query=3,4", "--set", "tau=0.3", "-o", name + format});
        EXPECT_EQ(read("one." + format), read("two." + format)) << format;
        EXPECT_GT(read("one." + format).size(), 200U) << format;
    }
}

TEST_F(Rendering, OpensItsOwnFiguresAgain) {
    write_photo();
    run_well({"render", "--image", "photo.png", "--set", "query=2,3", "--set", "tau=0.2", "-o", "first.svg"});
    const std::string first = read("first.svg");
    EXPECT_THAT(first, HasSubstr("<svg"));
    for (const std::string format : {"png", "svg", "pdf"}) {
        run_well({"render", "first.svg", "-o", "figure." + format});
        fs::remove(folder / "photo.png");  // the figure carries its picture
        run_well({"render", "figure." + format, "-o", "again.svg"});
        EXPECT_EQ(read("again.svg"), first) << format;
    }
}

TEST_F(Rendering, ToldByContentNotByName) {
    run_well({"render", "--mechanism", "se", "--set", "beta=3", "-o", "gate.pdf"});
    fs::rename(folder / "gate.pdf", folder / "gate.jpg");
    run_well({"render", "gate.jpg", "-o", "gate.csv"});
    EXPECT_THAT(read("gate.csv"), StartsWith("key,row,column,score,weight,label\n0,0,0,"));
}

TEST_F(Rendering, TakesASceneAsText) {
    write("scene.json", R"({"attnscope":1,"figure":"alignment","mechanism":"scaled-dot","input":{},)"
                        R"("set":{"causal":true,"source":"to be or not","query":1}})");
    run_well({"render", "scene.json", "-o", "row.csv"});
    const std::string csv = read("row.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
    EXPECT_THAT(csv, HasSubstr(",0,\"or\"\n"));  // masked: after the query
    run_well({"render", "scene.json", "--set", "causal=false", "-o", "seen.csv"});
    EXPECT_EQ(read("seen.csv").find(",0,\"or\"\n"), std::string::npos);
}

TEST_F(Rendering, WritesTheNumbersBehindTheFigure) {
    run_well({"render", "--set", "grid=6", "--set", "query=1,2", "-o", "data.npz"});
    const Case data = read_npz(read("data.npz"), "data.npz");
    EXPECT_EQ(data.arrays.at("out.weights").shape(), (Shape{36, 36}));
    EXPECT_EQ(data.arrays.at("row.query").values()[0], 8.0F);
    EXPECT_EQ(data.knobs.at("mechanism"), Value(std::string("non-local")));
    const auto all = data.arrays.at("out.weights").values();
    const auto row = data.arrays.at("row.weights").values();
    EXPECT_TRUE(std::equal(row.begin(), row.end(), all.begin() + 8 * 36));
    run_well({"render", "--set", "grid=6", "--set", "query=1,2", "-o", "data.csv"});
    EXPECT_THAT(read("data.csv"), HasSubstr("\n8,1,2,"));
}

TEST_F(Rendering, ObeysSizeScaleAndTheme) {
    run_well({"render", "--size", "400x300", "--scale", "1.5", "-o", "figure.png"});
    const Picture light = decode_picture(read("figure.png"), "figure.png");
    EXPECT_EQ(light.width, 600);
    EXPECT_EQ(light.height, 450);
    run_well({"render", "--size", "400x300", "--theme", "dark", "-o", "dark.png"});
    const Picture dark = decode_picture(read("dark.png"), "dark.png");
    EXPECT_GT(light.rgb[0], 200);
    EXPECT_LT(dark.rgb[0], 80);
}

TEST_F(Rendering, FindsAMechanismForTheFigure) {
    run_well({"render", "--figure", "gate", "-o", "data.npz"});
    EXPECT_TRUE(read_npz(read("data.npz"), "data.npz").arrays.contains("out.gate"));
}

TEST_F(Rendering, ShowsPatterns) {
    const std::vector<std::string> words = {"render", "--pattern", "axial", "--set", "query=3,4",
                                            "--set",  "m=7",       "--set", "rows=9"};
    const auto into = [&](const std::string& file) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"-o", file});
        run_well(all);
    };
    into("figure.svg");
    run_well({"render", "figure.svg", "-o", "again.svg"});
    EXPECT_EQ(read("again.svg"), read("figure.svg"));
    into("hops.csv");
    const std::string hops = read("hops.csv");
    EXPECT_THAT(hops, StartsWith("key,row,column,\"axial m = 7\"\n0,0,0,"));
    EXPECT_THAT(hops, HasSubstr("\n52,3,4,0\n53,3,5,1\n"));
    EXPECT_EQ(std::count(hops.begin(), hops.end(), '\n'), 1 + 9 * 16);
    into("hops.npz");
    const Case data = read_npz(read("hops.npz"), "hops.npz");
    EXPECT_EQ(data.arrays.at("out.hops").shape(), (Shape{1, 9, 16}));
    EXPECT_EQ(data.arrays.at("out.counts").values()[0], 13.0F);
    EXPECT_EQ(data.knobs.at("pattern"), Value(std::string("axial")));
    EXPECT_EQ(data.knobs.at("m"), Value(Index{7}));
}

TEST_F(Rendering, TakesKnobsThatAreLegalTogether) {
    run_well({"render", "--pattern", "neighborhood", "--set", "k=31", "--set", "query=30,2", "--set",
              "rows=32", "--set", "columns=32", "-o", "hops.csv"});
    EXPECT_THAT(read("hops.csv"), HasSubstr("\n962,30,2,0\n"));
}

TEST_F(Rendering, TakesAHeadAndTheirNumberInAnyOrder) {
    run_well({"render", "--mechanism", "xca", "--figure", "recipe", "--set", "head=2", "--set", "heads=2",
              "-o", "x.svg"});
    run_well({"render", "x.svg", "-o", "y.svg"});
    EXPECT_EQ(read("x.svg"), read("y.svg"));
}

TEST_F(Rendering, FillsTheGallery) {
    run_well({"gallery", "-o", "new/gallery"});
    const fs::path gallery = folder / "new" / "gallery";
    const std::string page = read("new/gallery/index.html");
    std::vector<std::string> names;
    for (const json& mechanism : json::parse(run_well({"list", "mechanisms", "--json"})))
        for (const json& figure : mechanism["figures"])
            names.push_back(mechanism["id"].get<std::string>() + '-' + figure.get<std::string>());
    const json patterns = json::parse(run_well({"list", "patterns", "--json"}));
    for (const json& figure : json::parse(run_well({"list", "figures", "--json"}))) {
        const std::string id = figure["id"];
        if (figure["about"] == "none") names.push_back(id);
        if (figure["about"] != "pattern") continue;
        for (const json& pattern : patterns) names.push_back(id + '-' + pattern["id"].get<std::string>());
    }
    std::size_t expected = 1;  // the page itself
    for (const std::string& name : names)
        for (const std::string format : {".png", ".svg", ".pdf"}) {
            EXPECT_TRUE(fs::exists(gallery / (name + format))) << name;
            EXPECT_THAT(page, HasSubstr('"' + name + format + '"'));
            ++expected;
        }
    EXPECT_EQ(
        static_cast<std::size_t>(std::distance(fs::directory_iterator(gallery), fs::directory_iterator())),
        expected);
    EXPECT_THAT(page, StartsWith("<!doctype html>"));
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
    const std::string before = page + read("new/gallery/se-gate.svg");
    run_well({"gallery", "-o", "new/gallery"});
    EXPECT_EQ(read("new/gallery/index.html") + read("new/gallery/se-gate.svg"), before);
}

}  // namespace
}  // namespace attn
