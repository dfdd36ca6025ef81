#include "app/input/caption.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "app/input/toy_picture.h"
#include "app/input/words.h"
#include "core/utf8.h"

namespace attn {

const std::string_view toy_caption = "two red balls and a blue ball on a green hill under the sun";

namespace {

struct Shade {
    std::string_view concept_name;
    double red, green, blue;
};

// Several shades of a colour are one concept.
constexpr std::array shades = {
    Shade{"red", 0.88, 0.30, 0.20},    Shade{"red", 0.62, 0.14, 0.13},   Shade{"orange", 0.95, 0.55, 0.15},
    Shade{"yellow", 0.95, 0.85, 0.25}, Shade{"green", 0.36, 0.48, 0.28}, Shade{"green", 0.22, 0.33, 0.25},
    Shade{"green", 0.25, 0.65, 0.25},  Shade{"blue", 0.22, 0.48, 0.85},  Shade{"blue", 0.10, 0.22, 0.52},
    Shade{"pale", 0.30, 0.42, 0.56},   Shade{"pale", 0.58, 0.63, 0.66},  Shade{"pale", 0.55, 0.75, 0.95},
    Shade{"bright", 1.00, 0.97, 0.82}, Shade{"white", 1.00, 1.00, 1.00}, Shade{"grey", 0.50, 0.50, 0.50},
    Shade{"black", 0.06, 0.06, 0.07},  Shade{"brown", 0.42, 0.27, 0.16}, Shade{"sand", 0.85, 0.74, 0.55},
    Shade{"pink", 0.95, 0.60, 0.70},   Shade{"purple", 0.48, 0.22, 0.58}};
constexpr double shade_width = 0.13;  ///< in sRGB: at this distance a colour still is 0.6 of the shade

struct Name {
    std::string_view word, concept_name;
    double weight = 1.0;
};

constexpr std::array colour_words = {
    Name{"red", "red"},       Name{"rouge", "red"},     Name{"rouges", "red"},  Name{"orange", "orange"},
    Name{"yellow", "yellow"}, Name{"jaune", "yellow"},  Name{"green", "green"}, Name{"vert", "green"},
    Name{"verte", "green"},   Name{"blue", "blue"},     Name{"bleu", "blue"},   Name{"bleue", "blue"},
    Name{"white", "white"},   Name{"blanc", "white"},   Name{"grey", "grey"},   Name{"gray", "grey"},
    Name{"black", "black"},   Name{"noir", "black"},    Name{"brown", "brown"}, Name{"pink", "pink"},
    Name{"purple", "purple"}, Name{"bright", "bright"}, Name{"dark", "black"}};

// What has a colour, or a place.
constexpr std::array thing_words = {
    Name{"sun", "bright"},       Name{"sun", "above", 0.3}, Name{"soleil", "bright"},
    Name{"sky", "pale"},         Name{"sky", "above", 0.6}, Name{"ciel", "pale"},
    Name{"ciel", "above", 0.6},  Name{"cloud", "white"},    Name{"clouds", "white"},
    Name{"snow", "white"},       Name{"night", "black"},    Name{"hill", "green"},
    Name{"hill", "below", 0.4},  Name{"colline", "green"},  Name{"grass", "green"},
    Name{"grass", "below", 0.4}, Name{"field", "green"},    Name{"field", "below", 0.4},
    Name{"tree", "green"},       Name{"trees", "green"},    Name{"forest", "green"},
    Name{"sea", "blue"},         Name{"sea", "below", 0.4}, Name{"water", "blue"},
    Name{"sand", "sand"},        Name{"beach", "sand"},     Name{"earth", "brown"},
    Name{"ball", "ball"},        Name{"balls", "ball"},     Name{"balle", "ball"},
    Name{"balles", "ball"},      Name{"above", "above"},    Name{"below", "below"},
    Name{"left", "left"},        Name{"right", "right"}};
constexpr double place_weight = 0.45;  ///< of where a cell lies beside what it shows
constexpr double carried = 0.7;        ///< of a colour's word in the state before the next word

bool names_colour(std::string_view word) {
    return std::any_of(colour_words.begin(), colour_words.end(),
                       [&](const Name& name) { return name.word == word; });
}

bool names_thing(std::string_view word, bool toy) {
    return std::any_of(thing_words.begin(), thing_words.end(), [&](const Name& name) {
        return name.word == word && (toy || name.concept_name != "ball");
    });
}

/// The dimensions of what can be seen; the rest is for words that name nothing.
std::span<float> visible(std::span<float> row) {
    return row.first(row.size() - row.size() / 4);
}

void embed_word(const std::string& word, std::span<float> row, std::uint64_t seed) {
    bool known = false;
    const auto add = [&](const Name& name) {
        if (name.word != word) return;
        add_concept(visible(row), name.concept_name, name.weight, seed);
        known = true;
    };
    std::for_each(colour_words.begin(), colour_words.end(), add);
    std::for_each(thing_words.begin(), thing_words.end(), add);
    if (!known) add_concept(row.last(row.size() / 4), "word " + word, 1.0, seed);
    normalise(row, 1.0);
}

/// How much of each concept of colour a colour is, by its distance from the concept's nearest shade; 1 for
/// the nearest of all.
std::map<std::string_view, double> shown_in(double red, double green, double blue) {
    std::map<std::string_view, double> shown;  // squared distances first
    double nearest = std::numeric_limits<double>::infinity();
    for (const Shade& shade : shades) {
        const double away = std::hypot(red - shade.red, green - shade.green, blue - shade.blue) / shade_width;
        const double squared = away * away;
        const auto [concept_of, first] = shown.emplace(shade.concept_name, squared);
        if (!first) concept_of->second = std::min(concept_of->second, squared);
        nearest = std::min(nearest, squared);
    }
    for (auto& [name, value] : shown) value = std::exp((nearest - value) / 2);
    return shown;
}

/// A concept's direction, made once for all cells.
class Directions {
  public:
    Directions(Index d, std::uint64_t seed) : d_(d), seed_(seed) {}
    void add(std::span<float> row, std::string_view name, double weight) {
        std::vector<float>& one = made_[name];
        if (one.empty()) {
            one.resize(static_cast<std::size_t>(d_));
            add_concept(visible(one), name, 1.0, seed_);
            normalise(one, 1.0);
        }
        for (std::size_t i = 0; i < one.size(); ++i) row[i] += static_cast<float>(weight) * one[i];
    }

  private:
    Index d_;
    std::uint64_t seed_;
    std::map<std::string_view, std::vector<float>> made_;
};

}  // namespace

Array embed_cells(const Array& colours, bool toy, Index d, std::uint64_t seed) {
    const Index height = colours.extent(1);
    const Index width = colours.extent(2);
    const Index cells = height * width;
    Array rows({cells, d});
    Directions directions(d, seed);
    const auto place = [](Index at, Index side) {
        return (static_cast<double>(at) + 0.5) / static_cast<double>(side);
    };
    for (Index cell = 0; cell < cells; ++cell) {
        const auto row =
            rows.values().subspan(static_cast<std::size_t>(cell * d), static_cast<std::size_t>(d));
        const auto colour = [&](Index channel) {
            return static_cast<double>(colours.values()[static_cast<std::size_t>(channel * cells + cell)]);
        };
        for (const auto& [name, share] : shown_in(colour(0), colour(1), colour(2)))
            directions.add(row, name, share);
        const double down = place(cell / width, height);
        const double across = place(cell % width, width);
        directions.add(row, "above", place_weight * (1.0 - down));
        directions.add(row, "below", place_weight * down);
        directions.add(row, "left", place_weight * (1.0 - across));
        directions.add(row, "right", place_weight * across);
        if (toy) directions.add(row, "ball", toy_ball_cover(down, across));
        normalise(row, 1.0);
    }
    return rows;
}

Array embed_caption(const std::vector<std::string>& words, Index d, std::uint64_t seed) {
    Array rows({static_cast<Index>(words.size()), d});
    std::vector<float> before;  // a colour's word
    for (std::size_t t = 0; t < words.size(); ++t) {
        const auto row = rows.values().subspan(t * static_cast<std::size_t>(d), static_cast<std::size_t>(d));
        const std::string word = lower_ascii(words[t]);
        embed_word(word, row, seed);
        const std::vector<float> own(row.begin(), row.end());
        for (std::size_t i = 0; i < before.size(); ++i) row[i] += static_cast<float>(carried) * before[i];
        normalise(row, 1.0);
        before = names_colour(word) ? own : std::vector<float>();
    }
    return rows;
}

std::string about_caption(const std::vector<std::string>& words, bool toy, std::uint64_t seed) {
    std::vector<std::string> unknown;
    for (const std::string& word : words) {
        const std::string key = lower_ascii(word);
        if (!names_colour(key) && !names_thing(key, toy) &&
            std::find(unknown.begin(), unknown.end(), key) == unknown.end())
            unknown.push_back(key);
    }
    std::string text = "words and cells described by hand, by colour and place";
    if (unknown.empty()) return text;
    text += "; random directions, seed " + std::to_string(seed) + ", for words that name nothing here: ";
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(unknown.size(), most); ++i) text += (i > 0 ? ", " : "") + unknown[i];
    if (unknown.size() > most) text += " and " + std::to_string(unknown.size() - most) + " more";
    return text;
}

}  // namespace attn
