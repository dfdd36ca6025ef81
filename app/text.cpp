#include "app/text.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"

namespace attn {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

struct ReleaseConfig {
    void operator()(FcConfig* config) const { FcConfigDestroy(config); }
};
struct ReleasePattern {
    void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
struct ReleaseObjects {
    void operator()(FcObjectSet* objects) const { FcObjectSetDestroy(objects); }
};
struct ReleaseFontSet {
    void operator()(FcFontSet* set) const { FcFontSetDestroy(set); }
};
struct ReleaseLibrary {
    void operator()(FT_Library library) const { FT_Done_FreeType(library); }
};
struct ReleaseFace {
    void operator()(FT_Face face) const { FT_Done_Face(face); }
};
using Config = std::unique_ptr<FcConfig, ReleaseConfig>;
using Library = std::unique_ptr<FT_LibraryRec_, ReleaseLibrary>;

/// A code point that a face has; the advance is in ems, unhinted.
struct Metric {
    std::uint32_t code_point = 0;
    std::uint32_t glyph = 0;
    double advance = 0.0;
};

/// What the layout needs of a face, read once, so that any thread may use it.
struct Face {
    std::vector<Metric> metrics;  ///< in order of code point
    double digit_cell = 0.0;      ///< ems
    double em_to_pixels = 1.0;

    [[nodiscard]] const Metric* find(std::uint32_t code_point) const {
        const auto at =
            std::lower_bound(metrics.begin(), metrics.end(), code_point,
                             [](const Metric& metric, std::uint32_t cp) { return metric.code_point < cp; });
        return at != metrics.end() && at->code_point == code_point ? &*at : nullptr;
    }
};

bool is_digit(std::uint32_t code_point) {
    return code_point >= '0' && code_point <= '9';
}

Face read_face(FT_Library library, const std::string& path) {
    FT_Face opened = nullptr;
    if (FT_New_Face(library, path.c_str(), 0, &opened) != 0)
        throw Error("expected a font in " + path + ", found a file that FreeType cannot read");
    const std::unique_ptr<FT_FaceRec_, ReleaseFace> face(opened);
    const double em = face->units_per_EM;
    if (em <= 0) throw Error("expected a scalable font in " + path + ", found one of fixed sizes");

    Face result;
    result.em_to_pixels = (face->ascender - face->descender) / em;
    FT_UInt glyph = 0;
    for (FT_ULong cp = FT_Get_First_Char(face.get(), &glyph); glyph != 0;
         cp = FT_Get_Next_Char(face.get(), cp, &glyph)) {
        FT_Fixed advance = 0;
        if (FT_Get_Advance(face.get(), glyph, FT_LOAD_NO_SCALE, &advance) != 0) continue;
        const auto code_point = static_cast<std::uint32_t>(cp);
        result.metrics.push_back({code_point, glyph, static_cast<double>(advance) / em});
        if (is_digit(code_point))
            result.digit_cell = std::max(result.digit_cell, result.metrics.back().advance);
    }
    return result;
}

/// The file of the upright font of exactly this family whose weight is nearest to `weight` (fontconfig's
/// scale). Listing, unlike matching, never puts another family in place of a missing one. Only a file's first
/// face counts, since every canvas opens files by path alone.
std::optional<std::string> find_file(FcConfig* config, const char* family, int weight) {
    const std::unique_ptr<FcPattern, ReleasePattern> wanted(
        FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family, FC_SLANT, FcTypeInteger, FC_SLANT_ROMAN,
                       FC_WIDTH, FcTypeInteger, FC_WIDTH_NORMAL, FC_SCALABLE, FcTypeBool, FcTrue, FC_VARIABLE,
                       FcTypeBool, FcFalse, FC_INDEX, FcTypeInteger, 0, nullptr));
    const std::unique_ptr<FcObjectSet, ReleaseObjects> objects(FcObjectSetBuild(FC_FILE, FC_WEIGHT, nullptr));
    const std::unique_ptr<FcFontSet, ReleaseFontSet> found(FcFontList(config, wanted.get(), objects.get()));
    if (!found) return std::nullopt;

    // Between Regular (80) and Medium (100), or DemiBold (180) and Bold (200), half-way is too far.
    constexpr int tolerance = 10;
    std::vector<std::pair<int, std::string>> candidates;
    for (int i = 0; i < found->nfont; ++i) {
        FcChar8* file = nullptr;
        int has = 0;
        if (FcPatternGetString(found->fonts[i], FC_FILE, 0, &file) != FcResultMatch ||
            FcPatternGetInteger(found->fonts[i], FC_WEIGHT, 0, &has) != FcResultMatch ||
            std::abs(has - weight) > tolerance)
            continue;
        candidates.emplace_back(std::abs(has - weight), reinterpret_cast<const char*>(file));
    }
    if (candidates.empty()) return std::nullopt;
    return std::min_element(candidates.begin(), candidates.end())->second;
}

/// Where the code point that starts at `at` ends.
std::size_t next_code_point(std::string_view text, std::size_t at) {
    return at + std::max<std::size_t>(1, utf8_length(text.substr(at)));
}

}  // namespace

struct Fonts::Faces {
    std::vector<FontFile> files;
    std::vector<Face> faces;
    std::vector<int> regular,
        semibold;  ///< indices of faces in the order in which a code point is looked for

    struct Found {
        int face = 0;
        Metric metric;
    };
    /// The first face that has the code point; control characters are spaces, unknown ones U+FFFD.
    [[nodiscard]] Found find(std::uint32_t code_point, const std::vector<int>& order) const {
        for (const std::uint32_t wanted : {code_point < 0x20 ? std::uint32_t{' '} : code_point, replacement})
            for (const int face : order)
                if (const Metric* metric = faces[static_cast<std::size_t>(face)].find(wanted))
                    return {face, *metric};
        return {order.front(), {replacement, 0, 0.6}};  // glyph 0 is every font's empty box
    }
};

Fonts::Fonts() : faces_(std::make_unique<Faces>()) {
    const Config config(FcInitLoadConfigAndFonts());
    FT_Library made = nullptr;
    if (!config || FT_Init_FreeType(&made) != 0)
        throw Error("expected fontconfig and FreeType to start, they did not");
    const Library library(made);

    struct Wish {
        const char* family;
        int weight;
        bool semibold;
    };
    for (const Wish& wish :
         {Wish{"Inter", FC_WEIGHT_REGULAR, false}, Wish{"Inter", FC_WEIGHT_DEMIBOLD, true},
          Wish{"DejaVu Sans", FC_WEIGHT_REGULAR, false}, Wish{"DejaVu Sans", FC_WEIGHT_BOLD, true}}) {
        const auto path = find_file(config.get(), wish.family, wish.weight);
        if (!path) continue;
        const int index = static_cast<int>(faces_->files.size());
        faces_->faces.push_back(read_face(library.get(), *path));
        faces_->files.push_back({*path, wish.family, wish.semibold, faces_->faces.back().em_to_pixels});
        (wish.semibold ? faces_->semibold : faces_->regular).push_back(index);
    }
    if (faces_->files.empty())
        throw Error(
            "expected the font Inter or DejaVu Sans, found neither: install the package fonts-inter or "
            "fonts-dejavu-core");
    // What one weight lacks the other may have.
    const std::vector<int> regular = faces_->regular;
    faces_->regular.insert(faces_->regular.end(), faces_->semibold.begin(), faces_->semibold.end());
    faces_->semibold.insert(faces_->semibold.end(), regular.begin(), regular.end());
}

Fonts::~Fonts() = default;

const std::vector<FontFile>& Fonts::files() const {
    return faces_->files;
}

double Fonts::em(Type type) {
    switch (type) {
        case Type::title:
            return 20.0;
        case Type::lead:
            return 14.0;
        case Type::body:
        case Type::strong:
            return 13.0;
        case Type::caption:
        case Type::emphasis:
            return 12.0;
        case Type::label:
            return 11.0;
        case Type::tile:
            return 21.0;
        case Type::formula:
            return 17.0;
    }
    return 13.0;
}

bool Fonts::semibold(Type type) {
    return type == Type::title || type == Type::strong || type == Type::emphasis || type == Type::tile;
}

TextLine Fonts::layout(std::string_view utf8, Type type) const {
    const std::vector<int>& order = semibold(type) ? faces_->semibold : faces_->regular;
    const double size = em(type);
    TextLine line;
    line.glyphs.reserve(utf8.size());
    for (const std::uint32_t code_point : code_points(utf8)) {
        const auto [face, metric] = faces_->find(code_point, order);
        const bool digit = is_digit(metric.code_point);
        const double cell = digit ? faces_->faces[static_cast<std::size_t>(face)].digit_cell : metric.advance;
        const double inset = (cell - metric.advance) / 2;
        line.glyphs.push_back({face, metric.glyph, metric.code_point, line.width + inset * size});
        line.width += cell * size;
    }
    return line;
}

std::vector<std::string> Fonts::wrap(std::string_view utf8, Type type, double width) const {
    const auto fits = [&](std::string_view text) { return this->width(text, type) <= width; };
    std::vector<std::string> lines;
    std::string line;
    const auto flush = [&] {
        if (!line.empty()) lines.push_back(std::exchange(line, {}));
    };
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t end = std::min(utf8.find_first_of(" \n", at), utf8.size());
        std::string_view word = utf8.substr(at, end - at);
        std::string longer = line;
        if (!line.empty() && !word.empty()) longer += ' ';
        longer += word;
        if (!line.empty() && !fits(longer)) {
            flush();
            longer = word;
        }
        // A word wider than the column is broken where it must be; at least one code point stands on a line.
        while (line.empty() && !word.empty() && !fits(word)) {
            std::size_t cut = next_code_point(word, 0);
            for (std::size_t next = cut; next < word.size() && fits(word.substr(0, next));
                 next = next_code_point(word, next))
                cut = next;
            if (cut >= word.size()) break;
            lines.emplace_back(word.substr(0, cut));
            word.remove_prefix(cut);
            longer = word;
        }
        line = longer;
        if (end < utf8.size() && utf8[end] == '\n') flush();
        at = end + 1;
    }
    flush();
    return lines;
}

std::string Fonts::fit(std::string_view utf8, Type type, double width) const {
    if (this->width(utf8, type) <= width) return std::string(utf8);
    constexpr std::string_view ellipsis = "…";
    std::string best = this->width(ellipsis, type) <= width ? std::string(ellipsis) : std::string();
    for (std::size_t end = 0; end < utf8.size();) {
        end = next_code_point(utf8, end);
        std::string_view kept = utf8.substr(0, end);
        while (!kept.empty() && kept.back() == ' ') kept.remove_suffix(1);
        std::string shortened = std::string(kept) + std::string(ellipsis);
        if (this->width(shortened, type) > width) break;
        best = std::move(shortened);
    }
    return best;
}

std::vector<std::uint32_t> code_points(std::string_view utf8) {
    std::vector<std::uint32_t> result;
    result.reserve(utf8.size());
    while (!utf8.empty()) {
        const std::size_t length = utf8_length(utf8);
        if (length == 0) {
            result.push_back(replacement);
            utf8.remove_prefix(1);
            continue;
        }
        constexpr std::array<unsigned, 5> first_bits = {0, 0x7F, 0x1F, 0x0F, 0x07};
        std::uint32_t code_point = static_cast<unsigned char>(utf8[0]) & first_bits[length];
        for (std::size_t i = 1; i < length; ++i)
            code_point = (code_point << 6U) | (static_cast<unsigned char>(utf8[i]) & 0x3FU);
        result.push_back(code_point);
        utf8.remove_prefix(length);
    }
    return result;
}

}  // namespace attn
