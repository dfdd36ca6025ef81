#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// One published number, or the range that a paper gives.
struct PublishedValue {
    std::string label;
    double low = 0.0, high = 0.0;  ///< equal where it is one number
    std::optional<double> from{};  ///< what it is compared with in the same row
    bool own = false;              ///< the mechanism that the page is about, or the paper's own choice
    std::string metric, unit;      ///< "ImageNet top-1", "%"
    bool higher_is_better = true;
    int decimals = 0;  ///< as the paper prints it
    bool with_sign = false;
    std::string source;

    [[nodiscard]] bool range() const { return low != high; }
    /// "72.5", "79.6–79.9", "38.0 → 39.0", "+0.9".
    [[nodiscard]] std::string text() const;
    /// A number of this row with its decimals and the true minus sign.
    [[nodiscard]] std::string text(double number, bool sign) const;
};

/// Published numbers that belong in one small picture.
struct PublishedChart {
    enum class Form {
        dots,    ///< on an axis that need not start at 0
        bars,    ///< from 0
        shares,  ///< pairs of bars from 0, each pair on a scale of its own
        figures  ///< the numbers themselves
    };
    std::string title;
    Form form = Form::dots;
    std::string metric, unit;  ///< of all rows; empty where each has its own
    bool higher_is_better = true;
    std::string note;
    std::string from, to;  ///< of `shares`: whose bars they are
    std::vector<PublishedValue> rows;
    std::optional<std::size_t> against{};  ///< the row that differences are from

    /// "+0.2" from the row that differences are from, or from the row's own `from`; a share where bars stand
    /// for amounts. Empty where there is none.
    [[nodiscard]] std::string difference(std::size_t row) const;
};

/// What was published about one mechanism, or about several of one paper: assets/numbers/.
struct PublishedNumbers {
    std::vector<std::string> mechanisms;
    std::string source, lead, note;
    std::vector<PublishedChart> charts;
};

/// All there are, read once from the program itself.
const std::vector<PublishedNumbers>& published_numbers();
/// Of a mechanism; null where nothing was published that is told here.
const PublishedNumbers* published_numbers(std::string_view mechanism);

}  // namespace attn
