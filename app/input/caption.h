#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"

namespace attn {

/// Words and the cells of a picture in one space, made by hand: a cell points to the colours it shows and to
/// where it lies, a word to what it names ("sky": pale blue, above).

/// What the toy picture is described by.
extern const std::string_view toy_caption;

/// [H·W, d], unit vectors, of colours [3, H, W], sRGB in 0…1; each concept is a seeded random direction. Only
/// the toy's balls are known as balls.
Array embed_cells(const Array& colours, bool toy, Index d, std::uint64_t seed);

/// [T, d], unit vectors, each a decoder's state before its word: a colour's word colours the next one too,
/// and a word that names nothing visible has a seeded random direction that no cell has a part in.
Array embed_caption(const std::vector<std::string>& words, Index d, std::uint64_t seed);

/// "words and cells described by hand …": which of these words name something, and which do not.
std::string about_caption(const std::vector<std::string>& words, bool toy, std::uint64_t seed);

}  // namespace attn
