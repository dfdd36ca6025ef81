#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"

namespace attn::cli {

/// Rows of cells under each other, two spaces apart, each line after `indent`. A column whose letter in
/// `columns` is 'r' is set to the right, the others to the left; nothing trails.
std::string table(const std::vector<std::vector<std::string>>& rows, std::string_view columns,
                  std::string_view indent = "  ");

/// "0.0417", "1.2e-07": four significant digits.
std::string number(double value);

/// Writes to standard output. Throws Error when that fails (a full disk).
void print(std::string_view text);

}  // namespace attn::cli
