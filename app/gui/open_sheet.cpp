#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "app/gui/sheets.h"
#include "core/utf8.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::array extensions = {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tga",  ".psd",
                                   ".ppm", ".pgm", ".pnm",  ".svg", ".pdf", ".json", ".npz"};

/// A typed path, relative to the folder that is shown; ~ is the home folder.
fs::path typed_path(const fs::path& folder, const std::string& text) {
    const char* home = std::getenv("HOME");
    if (home != nullptr && (text == "~" || text.starts_with("~/")))
        return fs::path(home) / text.substr(std::min<std::size_t>(2, text.size()));
    return folder / text;
}

void enter(SheetState& state, const fs::path& folder) {
    state.folder = folder.lexically_normal();
    state.entries = openable(state.folder);
    state.text.clear();
    state.marked = 0;
    state.scroll = 0.0;
}

void take(Ui& ui, Workbench& bench, SheetState& state, const fs::path& path) {
    std::error_code failure;
    if (fs::is_directory(path, failure)) {
        enter(state, path);
        ui.state().focus_on("sheet.text", "");
        return;
    }
    bench.sheet = Sheet::none;
    bench.open(path.string());
}

}  // namespace

std::vector<FileEntry> openable(const fs::path& folder) {
    std::vector<FileEntry> entries;
    std::error_code failure;
    for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, failure), end;
         !failure && at != end; at.increment(failure)) {
        std::error_code unreadable;
        const std::string name = at->path().filename().string();
        const bool is_folder = at->is_directory(unreadable);
        const bool wanted = std::find(extensions.begin(), extensions.end(),
                                      lower_ascii(at->path().extension().string())) != extensions.end();
        if (!name.starts_with('.') && (is_folder || wanted)) entries.push_back({name, is_folder});
    }
    std::sort(entries.begin(), entries.end(), [](const FileEntry& a, const FileEntry& b) {
        return a.folder != b.folder ? a.folder : lower_ascii(a.name) < lower_ascii(b.name);
    });
    if (folder.has_relative_path()) entries.insert(entries.begin(), {"..", true});
    return entries;
}

void draw_open(Ui& ui, Workbench& bench, SheetState& state, Rect card) {
    draw_prompt(ui, state, {card.x + 12, card.y + 12, card.width - 24, 34}, "filter, or a path");
    ui.text(card.x + 20, card.y + 64, ui.fonts().fit(state.folder.string(), Type::caption, card.width - 40),
            Type::caption, ui.theme().muted);
    if (state.text.find('/') != std::string::npos || state.text == "~") {  // a path: Enter takes it
        ui.text(card.x + 20, card.y + 100, "Enter opens this path", Type::body, ui.theme().muted);
        if (std::exchange(state.accepted, false))
            take(ui, bench, state, typed_path(state.folder, state.text));
        return;
    }
    std::vector<ListLine> lines;
    std::vector<std::string> names;
    for (const FileEntry& entry : state.entries) {
        if (lower_ascii(entry.name).find(lower_ascii(state.text)) == std::string::npos) continue;
        lines.push_back({entry.name + (entry.folder ? "/" : ""), entry.folder ? "folder" : ""});
        names.push_back(entry.name);
    }
    const Rect list{card.x + 1, card.y + 80, card.width - 2, card.height - 88};
    if (const auto chosen = draw_list(ui, state, list, lines))
        take(ui, bench, state, state.folder / names[*chosen]);
}

}  // namespace attn
