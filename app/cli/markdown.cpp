#include "app/cli/markdown.h"

#include <array>
#include <vector>

#include "app/cli/names.h"
#include "app/cli/print.h"
#include "core/catalog.h"

namespace attn::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Text that stands as it is in a paragraph and in a cell of a table.
std::string cell(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '|' || c == '*' || c == '_' || c == '<' || c == '[' || c == '`') safe += '\\';
        safe += c == '\n' ? ' ' : c;
    }
    return safe;
}

std::string markdown_table(const Rows& rows) {
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        text += '|';
        for (const std::string& content : rows[r]) text += ' ' + content + " |";
        text += '\n';
        if (r > 0) continue;
        text += '|';
        for (std::size_t c = 0; c < rows[r].size(); ++c) text += "---|";
        text += '\n';
    }
    return text + '\n';
}

std::string code(std::string_view text) {
    return '`' + std::string(text) + '`';
}

std::string heading(int level, std::string_view text) {
    return std::string(static_cast<std::size_t>(level), '#') + ' ' + std::string(text) + "\n\n";
}

/// Mechanisms and patterns share some ids.
std::string anchor(std::string_view kind, std::string_view id) {
    return std::string(kind) + '-' + std::string(id);
}

std::string link(std::string_view kind, std::string_view id) {
    return '[' + code(id) + "](#" + anchor(kind, id) + ')';
}

std::string markdown(const std::vector<Parameter>& knobs) {
    Rows rows{{"knob", "symbol", "values", "default", "meaning"}};
    for (const Parameter& knob : knobs)
        rows.push_back({code(knob.id), cell(knob.symbol), cell(legal_values(knob)), cell(initial_of(knob)),
                        cell(meaning_of(knob))});
    return markdown_table(rows);
}

std::string markdown(const std::vector<ArraySpec>& arrays) {
    Rows rows{{"array", "shape", "meaning"}};
    for (const ArraySpec& array : arrays)
        rows.push_back({code(array.name), cell(array.shape), cell(array.meaning) + shape_note(array)});
    return markdown_table(rows);
}

constexpr std::array all_families = {Family::sequences, Family::pixels, Family::channels};

}  // namespace

std::string markdown(const Mechanism& m, int level) {
    std::string text = heading(level, m.title) + code(m.id) + " · " + cell(m.source) + "\n\n```text\n";
    text += table({{"score", std::string(m.score)},
                   {"squash", std::string(m.squash)},
                   {"multiply", std::string(m.multiply)}},
                  "ll", "");
    text += "```\n\n";
    for (const auto& [name, sentence] : lessons(m))
        if (!sentence.empty()) text += "- **" + std::string(name) + "**: " + cell(sentence) + '\n';
    text += '\n' + heading(level + 1, "Knobs") + markdown(knobs_of(m));
    text += heading(level + 1, "Input arrays") + markdown(m.inputs);
    text += heading(level + 1, "Output arrays") + markdown(m.outputs);
    return text + "Figures: " + joined(m.figures) + '\n';
}

std::string markdown(const Pattern& p, int level) {
    std::string text = heading(level, p.title) + code(p.id) + " · " + cell(p.source) + "\n\n";
    if (!p.see.empty()) text += "- **what to see**: " + cell(p.see) + '\n';
    if (!p.formula.empty()) text += "- **entries of one head**: " + cell(p.formula) + '\n';
    if (!p.parameters.empty()) text += '\n' + heading(level + 1, "Knobs") + markdown(p.parameters);
    return text;
}

std::string markdown(const Figure& f) {
    return heading(1, f.title) + code(f.id) + " · " + cell(f.help) + "\n\n" +
           (f.parameters.empty() ? "" : heading(2, "Knobs") + markdown(f.parameters));
}

std::string mechanism_table(Family family, bool linked) {
    Rows rows{
        {"mechanism", "what is scored", "the score is a function of", "squash", "multiply", "where it sits"}};
    for (const Mechanism& m : mechanisms()) {
        if (m.family != family) continue;
        std::vector<std::string> row = {linked ? link("mechanism", m.id) : code(m.id)};
        for (const std::string_view text : {m.teaching.pieces, m.teaching.depends_on, m.teaching.squash,
                                            m.teaching.multiply, m.teaching.sits})
            row.push_back(cell(text));
        rows.push_back(std::move(row));
    }
    return markdown_table(rows);
}

std::string pattern_table(bool linked) {
    Rows rows{{"pattern", "title", "entries of one head", "source"}};
    for (const Pattern& p : patterns())
        rows.push_back(
            {linked ? link("pattern", p.id) : code(p.id), cell(p.title), cell(p.formula), cell(p.source)});
    return markdown_table(rows);
}

std::string figure_table() {
    Rows rows{{"figure", "title", "what it shows"}};
    for (const Figure& f : figures()) rows.push_back({code(f.id), cell(f.title), cell(f.help)});
    return markdown_table(rows);
}

std::string catalogue() {
    std::string text = heading(1, "The catalogue");
    text +=
        "Every attention mechanism scores pieces, squashes the scores into weights, and multiplies the "
        "weights back "
        "into\nthe features. What changes is what gets scored, what the score is a function of, and which "
        "keys one "
        "query may\nlook at. The build writes this page from the program: `attnscope describe all "
        "--markdown`.\n\n";
    for (const Family family : all_families)
        text +=
            heading(2, "What gets scored: " + std::string(name_of(family))) + mechanism_table(family, true);
    text += heading(2, "Which keys: the patterns") + pattern_table(true);
    text += heading(2, "The mechanisms");
    for (const Mechanism& m : mechanisms())
        text += "<a id=\"" + anchor("mechanism", m.id) + "\"></a>\n\n" + markdown(m, 3) + '\n';
    text += heading(2, "The patterns");
    for (const Pattern& p : patterns())
        text += "<a id=\"" + anchor("pattern", p.id) + "\"></a>\n\n" + markdown(p, 3) + '\n';
    text.pop_back();
    return text;
}

}  // namespace attn::cli
