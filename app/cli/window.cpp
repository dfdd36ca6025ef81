#include "app/gui/window.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/open.h"
#include "core/error.h"
#include "core/io/file.h"

namespace attn::cli {
namespace {

/// A mistyped command must not open a window on a file of that name, which is not there.
void refuse_lost_command(const std::string& word) {
    std::error_code ignored;
    if (word.find_first_of("./") == std::string::npos && !std::filesystem::exists(word, ignored))
        throw UsageError("'" + word +
                         "' is neither a file nor a command (list, describe, compute, verify, reach, "
                         "cost, render, gallery)");
}

/// Opens the first of the files that can be opened; `notice` says in one line what was not shown.
Scene open_first(const std::vector<std::string>& files, std::string& opened, std::string& notice) {
    for (const std::string& file : files) {
        try {
            Scene scene = open_file({}, file);
            opened = file;
            if (notice.empty() && files.size() > 1)
                notice = "one file is shown at a time: this is " +
                         shown_name(std::filesystem::path(file).filename().native());
            return scene;
        } catch (const Error& error) {
            if (notice.empty()) notice = error.what();
        }
    }
    return {};
}

}  // namespace

WindowOptions window_options(const Window& command) {
    std::for_each(command.files.begin(), command.files.end(), refuse_lost_command);
    if (!command.theme.empty() && command.theme != "light" && command.theme != "dark")
        throw UsageError("the window's --theme is light or dark, not '" + command.theme + "'");
    WindowOptions options;
    SceneOptions wishes = command.scene;
    options.scene = changed(open_first(command.files, wishes.file, options.notice), wishes);
    if (!command.size.empty()) {
        const PageSize size = page_size(command.size);
        options.width = size.width;
        options.height = size.height;
    }
    options.zoom = command.zoom;
    options.theme = command.theme;
    options.report = command.report;
    return options;
}

}  // namespace attn::cli
