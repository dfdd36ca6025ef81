#include <cmath>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/evaluate.h"
#include "app/export/export.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"

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
the features. Here is each of them with its figures, as they open.</p>
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

std::string file_name(const Mechanism& mechanism, std::string_view figure) {
    return std::string(mechanism.id) + '-' + std::string(figure);
}

std::string card(const Mechanism& mechanism, const Figure& figure) {
    const std::string name = file_name(mechanism, figure.id);
    const auto points = [](double length) { return std::to_string(std::lround(length)); };
    std::string text = "<figure>\n<a href=\"" + name + ".svg\"><img src=\"" + name + ".png\" width=\"" +
                       points(figure.natural.width) + "\" height=\"" + points(figure.natural.height) +
                       R"(" loading="lazy" alt=")" + escaped(mechanism.title) + ": " + escaped(figure.title) +
                       "\"></a>\n";
    text += "<figcaption><b>" + escaped(figure.title) + "</b><span>";
    for (const std::string_view format : {"svg", "pdf", "png"})
        text += "<a href=\"" + name + '.' + std::string(format) + "\">" + std::string(format) + "</a>";
    return text + "</span></figcaption>\n</figure>\n";
}

std::string section(const Mechanism& m) {
    std::string text = "<section id=\"" + std::string(m.id) + "\">\n<h2>" + escaped(m.title) + "</h2>\n";
    text += "<p>" + escaped(m.teaching.see) + "</p>\n<p class=\"equation\">";
    for (const std::string_view step : {m.score, m.squash, m.multiply})
        text += "<span>" + escaped(step) + "</span> ";
    text += "</p>\n<p class=\"source\">" + escaped(m.source) + "</p>\n<div class=\"grid\">\n";
    for (const std::string_view id : m.figures) text += card(m, figure(id));
    return text + "</div>\n</section>\n";
}

std::string index_page() {
    std::string text = std::string(page_head) + "<nav>\n";
    for (const Mechanism& m : mechanisms())
        text += "<a href=\"#" + std::string(m.id) + "\">" + escaped(m.title) + "</a>\n";
    text += "</nav>\n</header>\n<main>\n";
    for (const Mechanism& m : mechanisms()) text += section(m);
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
    for (const Mechanism& m : mechanisms()) {
        for (const std::string_view id : m.figures) {
            const Scene scene = with_figure(with_mechanism({}, m.id), id);
            const auto result = evaluator.evaluate(scene);
            for (const std::string format : {"png", "svg", "pdf"}) {
                const ExportOptions options{.format = format, .size = {}, .scale = 2.0, .theme = "light"};
                write_file(folder / (file_name(m, id) + '.' + format),
                           export_figure(scene, *result, fonts, options));
            }
            ++written;
        }
    }
    write_file(folder / "index.html", index_page());
    print("wrote " + std::to_string(written) + " figures; open " +
          shown_name((folder / "index.html").native()) + '\n');
}

}  // namespace attn::cli
