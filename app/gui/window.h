#pragma once

#include <string>

#include "app/scene.h"

namespace attn {

struct WindowOptions {
    Scene scene;
    std::string notice;  ///< one line for the status line: what could not be opened
    int width = 1440;    ///< points
    int height = 900;
    double zoom = 0.0;   ///< pixels per point; 0: the display's content scale
    std::string theme;   ///< "light" or "dark"; empty: light
    std::string report;  ///< for tests: a file that gets a JSON line for each frame drawn
};

/// Shows the window until it is closed. Returns the program's exit code. Throws Error when there is no
/// display.
int run_window(const WindowOptions& options);

}  // namespace attn
