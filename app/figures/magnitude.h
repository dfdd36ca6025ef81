#pragma once

#include <string>

#include "core/array.h"

namespace attn {

/// A large number in thousands, millions, …: 2458624 → "2.46 M", 2517630976 → "2.52 G", 196 → "196".
std::string magnitude(double number, int digits = 3);

/// A number of layers in words: "one layer", "two layers", "13 layers".
std::string layers_in_words(Index layers);

}  // namespace attn
