#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "app/export/embedding.h"
#include "app/export/export.h"
#include "core/error.h"
#include "core/io/picture.h"
#include "tests/figures/pixels.h"

namespace attn {
namespace {

using namespace std::string_view_literals;
using ::testing::HasSubstr;

constexpr const char* formats[] = {"png", "svg", "pdf"};

/// A scene that is heavy (a noisy photograph) and has a name that no Latin alphabet holds.
Scene heavy_scene() {
    std::mt19937 random(7);
    Picture noise{256, 256, {}};
    for (int i = 0; i < 256 * 256 * 3; ++i) noise.rgb.push_back(static_cast<std::uint8_t>(random()));
    EncodedPicture encoded = encode_for_scene(noise);
    Scene scene;
    scene.input = {"naïve ∈ 𝔸 (1)\\]]>.jpg", encoded.type,
                   std::make_shared<const std::string>(std::move(encoded.bytes))};
    return scene;
}

struct Exported {
    Fonts fonts;
    Scene scene = heavy_scene();
    std::shared_ptr<const Result> result = Evaluator().evaluate(scene);

    [[nodiscard]] std::string as(std::string format, double scale = 1.0) const {
        ExportOptions options;
        options.format = std::move(format);
        options.scale = scale;
        return export_figure(scene, *result, fonts, options);
    }
};

const Exported& exported() {
    static const Exported shared;
    return shared;
}

TEST(Recipe, ComesBackFromEveryKindOfFile) {
    EXPECT_GT(to_json(exported().scene).size(), 100000U);
    for (const char* format : formats) {
        const auto recipe = embedded_recipe(exported().as(format));
        ASSERT_TRUE(recipe) << format;
        EXPECT_TRUE(scene_from_json(*recipe) == exported().scene) << format;
    }
}

TEST(Recipe, SameSceneSameBytes) {
    for (const char* format : formats) EXPECT_EQ(exported().as(format), exported().as(format)) << format;
}

TEST(Recipe, LeavesThePictureAsItWas) {
    const std::string png = exported().as("png", 2.0);
    const Picture picture = decode_picture(png, "figure.png");
    const Size natural = figure(exported().scene.figure).natural;
    EXPECT_EQ(static_cast<double>(picture.width), natural.width * 2);
    EXPECT_EQ(static_cast<double>(picture.height), natural.height * 2);
}

TEST(Recipe, ReadersOfPdfFindIt) {
    const auto info = view("pdfinfo", "%", exported().as("pdf"));
    if (!info) GTEST_SKIP() << "pdfinfo is not installed";
    EXPECT_THAT(*info, HasSubstr("{\"attnscope\":1"));
    EXPECT_THAT(*info, HasSubstr("attnscope\n"));
}

TEST(Recipe, OtherFilesHaveNone) {
    for (const std::string_view bytes :
         {""sv, "words"sv, "\x89PNG\r\n\x1A\n"sv, "%PDF-1.5 /Keywords (attention, vision) trailer"sv,
          "%PDF-1.5 /Keywords"sv, "%PDF-1.5 /Keywords (never closed"sv, "%PDF-1.5 /Keywords <FEFF00"sv,
          "<svg xmlns='http://www.w3.org/2000/svg'><metadata id='metadata5'><rdf:RDF/></metadata></svg>"sv,
          "<svg><metadata"sv})
        EXPECT_EQ(embedded_recipe(bytes), std::nullopt) << bytes;
}

TEST(Recipe, ReadsBothFormsOfPdfStrings) {
    const std::string text = R"json({"attnscope":1,"name":"a (b) \\ c"})json";
    EXPECT_EQ(embedded_recipe(R"pdf(%PDF-1.5 /Keywords ({"attnscope":1,"name":"a (b) \\\\ \143"}) >>)pdf"),
              text);
    EXPECT_EQ(
        embedded_recipe("%PDF-1.5 /Keywords({\"attnscope\"\\072\\\r\n1,\"name\":\"a \\(b\\) \\\\\\\\ c\"})"),
        text);
    // {"attnscope":"∈𝔸"} as UTF-16BE, white space between the digits
    EXPECT_EQ(embedded_recipe("%PDF-1.5 /Keywords <FEFF 007B0022006100740074006E00730063006F00700065\n"
                              "0022003A00222208 D835DD380022007D>"),
              "{\"attnscope\":\"∈𝔸\"}");
    // The word in a page behind it does not hide the recipe, nor does the word inside the recipe.
    const std::string nested = R"json({"attnscope":1,"name":"/Keywords (x)"})json";
    EXPECT_EQ(embedded_recipe("%PDF-1.5 /Keywords (" + nested + ") /Keywords (other)"), nested);
}

TEST(Recipe, SaysWhenItIsDamaged) {
    const std::string png = exported().as("png");
    std::string flipped = png;
    flipped[200] = static_cast<char>(flipped[200] ^ 1);
    EXPECT_THROW((void)embedded_recipe(flipped), Error);
    for (const char* format : formats) {
        const std::string whole = exported().as(format);
        const bool packed = std::string_view(format) == "pdf";
        const std::size_t start = packed ? whole.rfind("/Keywords") : whole.find("attnscope");
        EXPECT_THROW((void)embedded_recipe(whole.substr(0, start + 1000)), Error) << format;
    }
    EXPECT_THROW((void)embedded_recipe("<svg><metadata id=\"attnscope\">nonsense</metadata></svg>"), Error);
}

/// A recipe, none, or an Error: never anything else.
void read_garbage(std::string_view bytes) {
    try {
        (void)embedded_recipe(bytes);
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("expected"));
    }
}

TEST(Recipe, NoGarbageCrashesTheReaders) {
    std::mt19937 random(7);
    for (const char* format : formats) {
        const std::string whole = exported().as(format);
        for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 80)
            read_garbage(std::string_view(whole).substr(0, length));
        for (std::size_t length = 0; length < 200; ++length)
            read_garbage(std::string_view(whole).substr(0, length));
        // Bytes are flipped where the readers look: at the start, at the end, at the recipe's own marks.
        for (int round = 0; round < 80; ++round) {
            std::string damaged = whole;
            const std::size_t mark = std::min(whole.rfind("/Keywords"), whole.find("attnscope"));
            for (const std::size_t from : {std::size_t{0}, mark, whole.size() - 300})
                damaged[from + random() % 300] = static_cast<char>(random());
            read_garbage(damaged);
        }
    }
}

TEST(Export, RefusesWhatItCannotMake) {
    const auto with = [](auto change) {
        ExportOptions options;
        change(options);
        return export_figure(exported().scene, *exported().result, exported().fonts, options);
    };
    EXPECT_THROW(with([](ExportOptions& o) { o.format = "gif"; }), UsageError);
    EXPECT_THROW(with([](ExportOptions& o) { o.theme = "sepia"; }), UsageError);
    EXPECT_THROW(with([](ExportOptions& o) {
                     o.size = {60, 400};
                     o.scale = 1;
                 }),
                 Error);
    EXPECT_THROW(with([](ExportOptions& o) {
                     o.size = {400, 12000};
                     o.scale = 2;
                 }),
                 Error);
    EXPECT_THROW(with([](ExportOptions& o) { o.scale = std::numeric_limits<double>::quiet_NaN(); }), Error);
    EXPECT_THROW(with([](ExportOptions& o) { o.scale = -1.0; }), Error);
}

}  // namespace
}  // namespace attn
