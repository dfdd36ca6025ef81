#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/scene.h"

namespace attn {
struct WindowOptions;
struct Trace;
}  // namespace attn

namespace attn::cli {

/// What every command that shows or computes a scene takes.
struct SceneOptions {
    std::string file;  ///< any file that open_file opens; empty: the toy
    std::string mechanism, pattern, figure, image;
    std::vector<std::string> set;  ///< "tau=0.15"
};

struct List {
    std::string what;  ///< mechanisms, patterns, figures; empty: all
    bool json = false, markdown = false;
};
struct Describe {
    std::string id;  ///< "axial", "pattern:axial" where several have that id, or "all"
    bool json = false, markdown = false;
};
struct Compute {
    SceneOptions scene;
    std::string in, out, array;
};
struct Verify {
    std::vector<std::string> cases;
    std::string mechanism;
};
struct ReachQuestion {
    std::string pattern, stack;  ///< one of them may be empty
    std::string grid = "16x16";
    std::string query, at;         ///< "121" or "7,9"; both empty: the window's
    std::optional<Index> layers;   ///< when absent: two, or all of a longer stack
    std::vector<std::string> set;  ///< of every layer that has the knob
    bool json = false;
    std::string mask;  ///< OUT.npy
};
struct CostQuestion {
    std::string id;    ///< a pattern, mechanism or preset
    std::string grid;  ///< empty: 224x224, or the preset's
    std::vector<std::string> set;
    bool json = false;
};
struct Render {
    SceneOptions scene;
    std::string out, size, theme = "light";
    double scale = 2.0;
};
struct Gallery {
    std::string folder;
};
struct Window {
    SceneOptions scene;
    std::vector<std::string> files;
    std::string size, theme, report;
    double zoom = 0.0;
};
using Command =
    std::variant<List, Describe, Compute, Verify, ReachQuestion, CostQuestion, Render, Gallery, Window>;

/// The scene that the options ask for. Throws UsageError for what the options say, Error for what the files
/// hold.
Scene scene_of(const SceneOptions& options);
/// The options other than the file, applied to a scene that is open.
Scene changed(Scene scene, const SceneOptions& options);

/// Every `out.*` array of a trace.
Arrays outputs_of(const Trace& trace);
/// The knobs of the scene's mechanism, all of them, and its id: what a case calls `p.*`.
Values case_knobs_of(const Scene& scene);

// Each does one command and throws Error (or UsageError) when it cannot. What they print goes to standard
// output.
void run(const List& command);
void run(const Describe& command);
void run(const Compute& command);
void run(const Verify& command);
void run(const ReachQuestion& command);
void run(const CostQuestion& command);
void run(const Render& command);
void run(const Gallery& command);

/// What the window starts with. A file that cannot be opened is told in the window; wrong options throw
/// UsageError.
WindowOptions window_options(const Window& command);

}  // namespace attn::cli
