#include "app/cli/print.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/text.h"
#include "core/error.h"

namespace attn::cli {

std::string table(const std::vector<std::vector<std::string>>& rows, std::string_view columns,
                  std::string_view indent) {
    const auto width = [](std::string_view text) { return code_points(text).size(); };
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line(indent);
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string space(widths[c] - width(row[c]), ' ');
            const bool right = c < columns.size() && columns[c] == 'r';
            if (c > 0) line += "  ";
            line += right ? space + row[c] : row[c] + space;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

void print(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!written || std::fflush(stdout) != 0) throw Error("cannot write to the standard output");
}

}  // namespace attn::cli
