#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"

namespace attn {

/// The words of a sentence: split at spaces, with a mark at the end of a word (. , ; : ! ?) as a word of its
/// own. Throws Error when there is none or there are more than 200.
std::vector<std::string> split_words(std::string_view sentence);

/// Embeddings made by hand, [T, d]: each word is a unit vector of the concepts it stands for, the same for a
/// word and its translation (a small French–English vocabulary; any other word is a concept of its own),
/// beside a weaker part that tells where in the sentence it stands, so that repeated words stay apart. d is
/// at least 8.
Array embed_words(const std::vector<std::string>& words, Index d, std::uint64_t seed);

/// What embeddings are made from. Adds a concept's random direction, about `weight` long.
void add_concept(std::span<float> row, std::string_view name, double weight, std::uint64_t seed);
/// To this length.
void normalise(std::span<float> row, double length);
/// The two toy sentences.
extern const std::string_view toy_source;
extern const std::string_view toy_target;

}  // namespace attn
