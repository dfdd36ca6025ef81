#include <cctype>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/id_list.h"
#include "core/pattern_layer.h"

namespace attn {

namespace {

bool blank(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool mark(char c) {
    return c == ';' || c == '(' || c == ')' || c == '=';
}
bool quote(char c) {
    return c == '"' || c == '\'';
}

struct Token {
    enum class Kind { word, quoted, mark, end };
    Kind kind = Kind::end;
    std::string text;
};

/// Words, quoted text and the marks ; ( ) =.
std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (blank(c)) {
            ++i;
        } else if (mark(c)) {
            tokens.push_back({Token::Kind::mark, std::string(1, c)});
            ++i;
        } else if (quote(c)) {
            Token token{Token::Kind::quoted, {}};
            for (++i; i < text.size() && text[i] != c; ++i) {
                if (text[i] == '\\' && i + 1 < text.size()) ++i;
                token.text += text[i];
            }
            if (i == text.size())
                throw UsageError("expected a closing " + std::string(1, c) + " after " + token.text);
            ++i;
            tokens.push_back(std::move(token));
        } else {
            Token token{Token::Kind::word, {}};
            for (; i < text.size() && !blank(text[i]) && !mark(text[i]) && !quote(text[i]); ++i)
                token.text += text[i];
            tokens.push_back(std::move(token));
        }
    }
    tokens.emplace_back();
    return tokens;
}

/// stack := either { ';' either };  either := both { 'or' both };  both := part { 'and' part };
/// part := 'not' part | '(' either ')' | id { name '=' value }.
class StackReader {
  public:
    explicit StackReader(std::string_view text) : tokens_(tokens_of(text)) {}

    std::vector<Layer> stack() {
        std::vector<Layer> layers = {either()};
        while (take(";")) layers.push_back(either());
        if (now().kind != Token::Kind::end) refuse("a ; before the next layer");
        return layers;
    }

  private:
    [[nodiscard]] const Token& now() const { return tokens_[next_]; }
    [[nodiscard]] bool is(std::string_view text) const {
        return now().kind != Token::Kind::quoted && now().kind != Token::Kind::end && now().text == text;
    }
    bool take(std::string_view text) {
        const bool found = is(text);
        if (found) ++next_;
        return found;
    }
    [[noreturn]] void refuse(const std::string& expected) const {
        throw UsageError("in the stack: expected " + expected + ", got " +
                         (now().kind == Token::Kind::end ? "its end" : "'" + now().text + "'"));
    }

    Layer either() { return joined("or", Layer::Kind::either, &StackReader::both); }
    Layer both() { return joined("and", Layer::Kind::both, &StackReader::part); }

    Layer joined(std::string_view word, Layer::Kind kind, Layer (StackReader::*operand)()) {
        Layer first = (this->*operand)();
        if (!is(word)) return first;
        Layer layer{kind, {}, {}, {std::move(first)}};
        while (take(word)) layer.parts.push_back((this->*operand)());
        return layer;
    }

    Layer part() {
        if (++depth_ > 100) throw UsageError("in the stack: expected at most 100 parts inside each other");
        Layer layer;
        if (take("not")) {
            layer = {Layer::Kind::none, {}, {}, {part()}};
        } else if (take("(")) {
            layer = either();
            if (!take(")")) refuse("and, or or )");
        } else {
            layer = single();
        }
        --depth_;
        return layer;
    }

    Layer single() {
        if (now().kind != Token::Kind::word || is("and") || is("or")) refuse("a pattern");
        Layer layer{Layer::Kind::pattern, tokens_[next_++].text, {}, {}};
        const Pattern& made_of = pattern(layer.id);
        while (now().kind == Token::Kind::word && tokens_[next_ + 1].text == "=" &&
               tokens_[next_ + 1].kind == Token::Kind::mark)
            knob(made_of, layer);
        if (is("=")) refuse("a knob's name before =");
        return layer;
    }

    void knob(const Pattern& made_of, Layer& layer) {
        const std::string id = now().text;
        const Parameter* parameter = find(made_of.parameters, id);
        if (parameter == nullptr)
            refuse("a knob of " + layer.id + " (" + id_list(made_of.parameters, "it has none") + ")");
        next_ += 2;
        if (now().kind != Token::Kind::word && now().kind != Token::Kind::quoted) refuse("a value for " + id);
        layer.set[id] = parse(*parameter, tokens_[next_++].text);
    }

    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    int depth_ = 0;
};

std::string quoted_if_needed(const std::string& text) {
    bool plain = !text.empty();
    for (const char c : text) plain = plain && !blank(c) && !mark(c) && !quote(c);
    if (plain) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

std::string format_layer(const Layer& layer) {
    if (layer.kind == Layer::Kind::pattern) {
        std::string text = layer.id;
        for (const auto& [id, value] : layer.set) text += " " + id + "=" + quoted_if_needed(format(value));
        return text;
    }
    const auto operand = [](const Layer& part) {
        const bool bare = part.kind == Layer::Kind::pattern || part.kind == Layer::Kind::none;
        std::string text = bare ? "" : "(";
        text += format_layer(part);
        return bare ? text : text + ")";
    };
    if (layer.kind == Layer::Kind::none) return "not " + operand(layer.parts.front());
    std::string text;
    for (const Layer& part : layer.parts)
        text += (text.empty() ? "" : layer.kind == Layer::Kind::both ? " and " : " or ") + operand(part);
    return text;
}

}  // namespace

std::vector<Layer> parse_stack(std::string_view text) {
    return StackReader(text).stack();
}

std::string format_stack(std::span<const Layer> stack) {
    std::string text;
    for (const Layer& layer : stack) text += (text.empty() ? "" : "; ") + format_layer(layer);
    return text;
}

}  // namespace attn
