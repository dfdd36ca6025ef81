#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

/// A key of the keyboard or a character that was typed, in the order in which they came.
struct Keystroke {
    int key = 0;   ///< GLFW_KEY_…, 0 for a character
    int mods = 0;  ///< GLFW_MOD_…
    std::uint32_t character = 0;
    bool repeat = false;  ///< the key is being held down
};

/// The text of a single-line field, its caret and selection. Positions are byte offsets at code point
/// borders.
class TextEdit {
  public:
    TextEdit() = default;
    /// Everything selected, as after a click on a value.
    explicit TextEdit(std::string text);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t caret() const { return caret_; }
    [[nodiscard]] std::size_t selection_begin() const { return caret_ < anchor_ ? caret_ : anchor_; }
    [[nodiscard]] std::size_t selection_end() const { return caret_ < anchor_ ? anchor_ : caret_; }
    [[nodiscard]] std::string_view selected() const {
        return std::string_view(text_).substr(selection_begin(), selection_end() - selection_begin());
    }

    /// Typing, deleting, moving and selecting; false for a key that means nothing here. Copy and paste are
    /// the caller's.
    bool handle(const Keystroke& stroke);
    void insert(std::string_view utf8);  ///< in place of the selection; control characters are dropped
    void place(std::size_t caret, bool select);
    void select_all();

  private:
    void erase(std::size_t begin, std::size_t end);
    [[nodiscard]] std::size_t step(int direction, bool word) const;
    bool move(const Keystroke& stroke);

    std::string text_;
    std::size_t caret_ = 0;
    std::size_t anchor_ = 0;
};

/// One code point as UTF-8.
std::string to_utf8(std::uint32_t code_point);

}  // namespace attn
