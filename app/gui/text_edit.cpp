#include "app/gui/text_edit.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

#include "core/utf8.h"

namespace attn {
TextEdit::TextEdit(std::string text) : text_(std::move(text)), caret_(text_.size()) {}

void TextEdit::select_all() {
    anchor_ = 0;
    caret_ = text_.size();
}

void TextEdit::place(std::size_t caret, bool select) {
    caret_ = std::min(caret, text_.size());
    if (!select) anchor_ = caret_;
}

void TextEdit::erase(std::size_t begin, std::size_t end) {
    text_.erase(begin, end - begin);
    caret_ = anchor_ = begin;
}

void TextEdit::insert(std::string_view utf8) {
    erase(selection_begin(), selection_end());
    std::string clean;
    for (const char byte : utf8) {
        if (static_cast<unsigned char>(byte) >= 0x20 && byte != 0x7F) clean += byte;
    }
    text_.insert(caret_, clean);
    caret_ = anchor_ = caret_ + clean.size();
}

/// Where the caret would be one code point or one word further.
std::size_t TextEdit::step(int direction, bool word) const {
    std::size_t at = caret_;
    const auto move = [&] {
        if (direction < 0) {
            while (at > 0 && continues_utf8(text_[--at])) continue;
        } else if (at < text_.size()) {
            while (++at < text_.size() && continues_utf8(text_[at])) continue;
        }
    };
    const auto at_end = [&] { return direction < 0 ? at == 0 : at == text_.size(); };
    const auto space_ahead = [&] { return !at_end() && text_[direction < 0 ? at - 1 : at] == ' '; };
    if (!word) {
        move();
        return at;
    }
    while (space_ahead()) move();
    while (!at_end() && !space_ahead()) move();
    return at;
}

bool TextEdit::move(const Keystroke& stroke) {
    const bool shift = (stroke.mods & GLFW_MOD_SHIFT) != 0;
    const bool word = (stroke.mods & GLFW_MOD_CONTROL) != 0;
    switch (stroke.key) {
        case GLFW_KEY_LEFT:
            place(step(-1, word), shift);
            return true;
        case GLFW_KEY_RIGHT:
            place(step(1, word), shift);
            return true;
        case GLFW_KEY_HOME:
            place(0, shift);
            return true;
        case GLFW_KEY_END:
            place(text_.size(), shift);
            return true;
        default:
            return false;
    }
}

bool TextEdit::handle(const Keystroke& stroke) {
    if (stroke.character != 0) {
        insert(to_utf8(stroke.character));
        return true;
    }
    const bool control = (stroke.mods & GLFW_MOD_CONTROL) != 0;
    if (stroke.key == GLFW_KEY_BACKSPACE || stroke.key == GLFW_KEY_DELETE) {
        if (selected().empty()) {
            const std::size_t to = step(stroke.key == GLFW_KEY_DELETE ? 1 : -1, control);
            erase(std::min(caret_, to), std::max(caret_, to));
        } else {
            erase(selection_begin(), selection_end());
        }
        return true;
    }
    if (control && stroke.key == GLFW_KEY_A) {
        select_all();
        return true;
    }
    return move(stroke);
}

std::string to_utf8(std::uint32_t code_point) {
    std::string text;
    append_utf8(text, code_point);
    return text;
}

}  // namespace attn
