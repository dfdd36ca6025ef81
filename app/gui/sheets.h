#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/gui/ui.h"
#include "app/gui/workbench.h"

namespace attn {

/// A file or folder that can be chosen in the open sheet.
struct FileEntry {
    std::string name;
    bool folder = false;
};

/// What the sheets that lie over the window remember.
struct SheetState {
    Sheet shown = Sheet::none;  ///< as of the last frame
    std::string text;           ///< typed: what to find, a path, a file's name
    std::size_t marked = 0;     ///< line of a list
    double scroll = 0.0;
    bool follow = false;    ///< the list has to show the marked line
    bool accepted = false;  ///< Enter was pressed
    std::filesystem::path folder;
    std::vector<FileEntry> entries;
    // Of the export sheet; kept while the window lives.
    std::size_t format = 0, size = 0, scale = 1, theme = 0;
    std::string replacing;  ///< the file that may be replaced: it was asked about
};

/// Arrow keys, Enter and Escape of a sheet; false where the keystroke is somebody else's.
bool handle_in_sheet(const Keystroke& stroke, Workbench& bench, SheetState& state);

/// Draws the sheet that is open, if one is, over everything else.
void draw_sheet(Workbench& bench, SheetState& state, UiState& ui_state, DrawStore& store, Size window,
                double scale);

/// A line of a list in a sheet.
struct ListLine {
    std::string name;
    std::string detail;  ///< muted, at the right
};
/// A list that scrolls and has one marked line; returns the line that was clicked, or accepted by Enter.
std::optional<std::size_t> draw_list(Ui& ui, SheetState& state, Rect area,
                                     const std::vector<ListLine>& lines);

/// The field at the top of a sheet, which has the keyboard; true when its text changed.
bool draw_prompt(Ui& ui, SheetState& state, Rect area, std::string_view hint);

void draw_palette(Ui& ui, Workbench& bench, SheetState& state, Rect card);
void draw_help(Ui& ui, Rect card);
void draw_open(Ui& ui, Workbench& bench, SheetState& state, Rect card);
void draw_export(Ui& ui, Workbench& bench, SheetState& state, Rect card);

/// Reads a folder for the open sheet: folders first, then the files that can be opened, by name.
std::vector<FileEntry> openable(const std::filesystem::path& folder);
/// What figures are exported as.
const std::vector<std::string>& export_formats();
/// "non-local-overlay.svg".
std::string export_name(const Scene& scene, std::string_view format);

}  // namespace attn
