#include "app/input/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/random.h"
#include "core/utf8.h"

namespace attn {

const std::string_view toy_source = "the black cat slept on the old red sofa .";
const std::string_view toy_target = "le chat noir dormait sur le vieux canapé rouge .";

namespace {

constexpr std::size_t most_words = 200;
constexpr Index position_dimensions = 4;  // the last of d: where in the sentence
constexpr double position_strength = 0.45;

struct Meaning {
    std::string_view word;
    std::string_view concept_name;
    double weight;
};

// A word may stand for several concepts: "it" and "cat" share the animal.
constexpr std::array vocabulary = {
    Meaning{"the", "the", 1.0},       Meaning{"le", "the", 1.0},        Meaning{"la", "the", 1.0},
    Meaning{"les", "the", 1.0},       Meaning{"l'", "the", 1.0},        Meaning{"a", "one", 1.0},
    Meaning{"un", "one", 1.0},        Meaning{"une", "one", 1.0},       Meaning{"cat", "cat", 1.0},
    Meaning{"cat", "animal", 0.7},    Meaning{"chat", "cat", 1.0},      Meaning{"chat", "animal", 0.7},
    Meaning{"dog", "dog", 1.0},       Meaning{"dog", "animal", 0.7},    Meaning{"chien", "dog", 1.0},
    Meaning{"chien", "animal", 0.7},  Meaning{"it", "animal", 0.7},     Meaning{"it", "it", 0.5},
    Meaning{"il", "animal", 0.7},     Meaning{"il", "it", 0.5},         Meaning{"black", "black", 1.0},
    Meaning{"black", "colour", 0.6},  Meaning{"noir", "black", 1.0},    Meaning{"noir", "colour", 0.6},
    Meaning{"noire", "black", 1.0},   Meaning{"noire", "colour", 0.6},  Meaning{"red", "red", 1.0},
    Meaning{"red", "colour", 0.6},    Meaning{"rouge", "red", 1.0},     Meaning{"rouge", "colour", 0.6},
    Meaning{"blue", "blue", 1.0},     Meaning{"blue", "colour", 0.6},   Meaning{"bleu", "blue", 1.0},
    Meaning{"bleu", "colour", 0.6},   Meaning{"white", "white", 1.0},   Meaning{"white", "colour", 0.6},
    Meaning{"blanc", "white", 1.0},   Meaning{"blanc", "colour", 0.6},  Meaning{"old", "old", 1.0},
    Meaning{"vieux", "old", 1.0},     Meaning{"vieille", "old", 1.0},   Meaning{"big", "big", 1.0},
    Meaning{"grand", "big", 1.0},     Meaning{"grande", "big", 1.0},    Meaning{"small", "small", 1.0},
    Meaning{"petit", "small", 1.0},   Meaning{"petite", "small", 1.0},  Meaning{"sofa", "sofa", 1.0},
    Meaning{"canapé", "sofa", 1.0},   Meaning{"house", "house", 1.0},   Meaning{"maison", "house", 1.0},
    Meaning{"garden", "garden", 1.0}, Meaning{"jardin", "garden", 1.0}, Meaning{"slept", "sleep", 1.0},
    Meaning{"sleeps", "sleep", 1.0},  Meaning{"dormait", "sleep", 1.0}, Meaning{"dort", "sleep", 1.0},
    Meaning{"sees", "see", 1.0},      Meaning{"voit", "see", 1.0},      Meaning{"on", "on", 1.0},
    Meaning{"sur", "on", 1.0},        Meaning{"in", "in", 1.0},         Meaning{"dans", "in", 1.0},
    Meaning{"and", "and", 1.0},       Meaning{"et", "and", 1.0},        Meaning{"is", "be", 1.0},
    Meaning{"est", "be", 1.0},        Meaning{"was", "be", 1.0},        Meaning{"était", "be", 1.0},
};

std::uint64_t hash(std::string_view text) {  // FNV-1a: the same on every system
    std::uint64_t h = 14695981039346656037ULL;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return h;
}

void embed(std::string_view word, double place, std::span<float> row, std::uint64_t seed) {
    const auto meaning = row.first(row.size() - position_dimensions);
    const std::string key = lower_ascii(word);
    bool known = false;
    for (const Meaning& m : vocabulary) {
        if (m.word != key) continue;
        add_concept(meaning, m.concept_name, m.weight, seed);
        known = true;
    }
    if (!known) add_concept(meaning, "word " + key, 1.0, seed);
    normalise(meaning, 1.0);
    const double turn =
        std::numbers::pi * place;  // half a turn over the sentence: neighbours are near, ends far
    const std::array where = {std::cos(turn), std::sin(turn), std::cos(2 * turn), std::sin(2 * turn)};
    for (std::size_t i = 0; i < where.size(); ++i)
        row[meaning.size() + i] = static_cast<float>(position_strength * where[i] / std::numbers::sqrt2);
}

}  // namespace

void add_concept(std::span<float> row, std::string_view name, double weight, std::uint64_t seed) {
    Random random(seed ^ hash(name));
    const double scale = weight / std::sqrt(static_cast<double>(row.size()));
    for (float& x : row) x += static_cast<float>(scale * random.normal());
}

void normalise(std::span<float> row, double length) {
    double sum = 0.0;
    for (const float x : row) sum += static_cast<double>(x) * static_cast<double>(x);
    for (float& x : row) x = static_cast<float>(x * length / std::sqrt(sum));
}

std::vector<std::string> split_words(std::string_view sentence) {
    std::vector<std::string> words;
    const std::string_view spaces = " \t\r\n";
    for (std::size_t begin = sentence.find_first_not_of(spaces); begin != std::string_view::npos;) {
        const std::size_t end = std::min(sentence.find_first_of(spaces, begin), sentence.size());
        std::string_view word = sentence.substr(begin, end - begin);
        const bool marked =
            word.size() > 1 && std::string_view(".,;:!?").find(word.back()) != std::string_view::npos;
        if (marked) word.remove_suffix(1);
        words.emplace_back(word);
        if (marked) words.emplace_back(1, sentence[end - 1]);
        begin = sentence.find_first_not_of(spaces, end);
    }
    if (words.empty()) throw Error("expected a sentence of at least one word, got none");
    if (words.size() > most_words)
        throw Error("expected at most " + std::to_string(most_words) + " words, got " +
                    std::to_string(words.size()));
    return words;
}

Array embed_words(const std::vector<std::string>& words, Index d, std::uint64_t seed) {
    const auto count = static_cast<Index>(words.size());
    Array rows({count, d});
    for (Index t = 0; t < count; ++t) {
        const double place = count > 1 ? static_cast<double>(t) / static_cast<double>(count - 1) : 0.0;
        embed(words[static_cast<std::size_t>(t)], place,
              rows.values().subspan(static_cast<std::size_t>(t * d), static_cast<std::size_t>(d)), seed);
    }
    return rows;
}

}  // namespace attn
