#include <array>
#include <cmath>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/evaluate.h"
#include "app/export/export.h"
#include "app/figure.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/pattern.h"

namespace attn::cli {
namespace {

constexpr std::string_view page_head = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>attnscope: the figures</title>
<style>
:root { --ground: #fbfbfa; --card: #fff; --ink: #1d1f22; --muted: #63676d; --line: #e3e3e0; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16181b; --card: #1e2125; --ink: #e8e8e6; --muted: #a0a4aa; --line: #33373c; --link: #7db7f0; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 92rem; padding: 3rem clamp(1rem, 4vw, 4rem) 5rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.55 Inter, system-ui, "DejaVu Sans", sans-serif; }
h1 { margin: 0; font-size: 2rem; font-weight: 600; letter-spacing: -0.02em; }
h2 { margin: 0; font-size: 1.3rem; font-weight: 600; letter-spacing: -0.01em; }
p { margin: 0.4rem 0; max-width: 46rem; }
header { margin-bottom: 3rem; }
nav { margin-top: 1rem; display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
section { margin-top: 3.5rem; padding-top: 1.6rem; border-top: 1px solid var(--line); }
.source, .equation, figcaption { color: var(--muted); font-size: 0.9rem; }
.equation { font-family: "DejaVu Sans", Inter, system-ui, sans-serif; }
.equation span { display: inline-block; margin-right: 1.6rem; }
.grid { margin-top: 1.4rem; display: grid; gap: 1.6rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
figure img { display: block; width: 100%; height: auto; background: #fff; }
figcaption { display: flex; justify-content: space-between; gap: 1rem; padding: 0.6rem 1rem; border-top: 1px solid var(--line); }
figcaption b { color: var(--ink); font-weight: 600; }
figcaption span a { margin-left: 0.8rem; }
</style>
</head>
<body>
<header>
<h1>attnscope</h1>
<p>Every attention mechanism scores the pieces, squashes the scores into weights, and multiplies the weights back into
the features. Here is each of them with its figures, as they open, and which keys each pattern lets one query look at.</p>
)html";

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

constexpr auto formats = std::to_array<std::string_view>({"svg", "pdf", "png"});

/// One figure of the gallery: its scene, the name of its files and its caption.
struct Card {
    std::string name, caption;
    Scene scene;
};

/// A heading, what is said under it, and figures.
struct Section {
    std::string id, title;
    std::string text;  ///< paragraphs
    std::vector<Card> cards;
};

std::string paragraph(std::string_view text, std::string_view kind = {}) {
    return "<p" + (kind.empty() ? "" : " class=\"" + std::string(kind) + '"') + '>' + escaped(text) +
           "</p>\n";
}

Section of_mechanism(const Mechanism& m) {
    Section section{std::string(m.id), std::string(m.title), paragraph(m.teaching.see), {}};
    section.text += "<p class=\"equation\">";
    for (const std::string_view step : {m.score, m.squash, m.multiply})
        section.text += "<span>" + escaped(step) + "</span> ";
    section.text += "</p>\n" + paragraph(m.source, "source");
    for (const std::string_view id : m.figures)
        section.cards.push_back({section.id + '-' + std::string(id), std::string(figure(id).title),
                                 with_figure(with_mechanism({}, m.id), id)});
    return section;
}

/// A figure that is about no mechanism: once for every pattern where it shows one, else once.
Section of_figure(const Figure& f) {
    Section section{"figure-" + std::string(f.id), std::string(f.title), paragraph(f.help), {}};
    const Scene scene = with_figure({}, f.id);
    if (f.subject == Subject::none) section.cards.push_back({std::string(f.id), section.title, scene});
    if (f.subject != Subject::pattern) return section;
    for (const Pattern& p : patterns())
        section.cards.push_back(
            {std::string(f.id) + '-' + std::string(p.id), std::string(p.title), with_pattern(scene, p.id)});
    return section;
}

std::vector<Section> sections() {
    std::vector<Section> all;
    for (const Mechanism& m : mechanisms()) all.push_back(of_mechanism(m));
    for (const Figure& f : figures())
        if (f.subject != Subject::mechanism) all.push_back(of_figure(f));
    return all;
}

std::string html(const Card& card, const std::string& heading) {
    const Size size = figure(card.scene.figure).natural;
    const auto points = [](double length) { return std::to_string(std::lround(length)); };
    std::string text = "<figure>\n<a href=\"" + card.name + ".svg\"><img src=\"" + card.name +
                       ".png\" width=\"" + points(size.width) + "\" height=\"" + points(size.height) +
                       R"(" loading="lazy" alt=")" + escaped(heading + ": " + card.caption) + "\"></a>\n";
    text += "<figcaption><b>" + escaped(card.caption) + "</b><span>";
    for (const std::string_view format : formats)
        text += "<a href=\"" + card.name + '.' + std::string(format) + "\">" + std::string(format) + "</a>";
    return text + "</span></figcaption>\n</figure>\n";
}

std::string html(const Section& section) {
    std::string text = "<section id=\"" + section.id + "\">\n<h2>" + escaped(section.title) + "</h2>\n" +
                       section.text + "<div class=\"grid\">\n";
    for (const Card& card : section.cards) text += html(card, section.title);
    return text + "</div>\n</section>\n";
}

std::string index_page(const std::vector<Section>& all) {
    std::string text = std::string(page_head) + "<nav>\n";
    for (const Section& section : all)
        text += "<a href=\"#" + section.id + "\">" + escaped(section.title) + "</a>\n";
    text += "</nav>\n</header>\n<main>\n";
    for (const Section& section : all) text += html(section);
    return text + "</main>\n</body>\n</html>\n";
}

}  // namespace

void run(const Gallery& command) {
    const std::filesystem::path folder(command.folder);
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (!std::filesystem::is_directory(folder))
        throw Error("cannot make the folder " + shown_name(command.folder) +
                    (failure ? ": " + failure.message() : ""));
    const Fonts fonts;
    Evaluator evaluator;
    std::size_t written = 0;
    const std::vector<Section> all = sections();
    for (const Section& section : all)
        for (const Card& card : section.cards) {
            const auto result = evaluator.evaluate(card.scene);
            for (const std::string_view format : formats) {
                const ExportOptions options{
                    .format = std::string(format), .size = {}, .scale = 2.0, .theme = "light"};
                write_file(folder / (card.name + '.' + options.format),
                           export_figure(card.scene, *result, fonts, options));
            }
            ++written;
        }
    write_file(folder / "index.html", index_page(all));
    print("wrote " + std::to_string(written) + " figures; open " +
          shown_name((folder / "index.html").native()) + '\n');
}

}  // namespace attn::cli
