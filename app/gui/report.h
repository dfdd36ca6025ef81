#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "app/figure.h"
#include "app/gui/workbench.h"

namespace attn {

/// What a frame was like, for tests that drive the window from outside: they find widgets and parts of the
/// figure in it and measure frames. One JSON object a line; what did not change since the last line is left
/// out.
class Report {
  public:
    /// An empty path reports nothing. Throws Error when the file cannot be written.
    explicit Report(const std::string& path);

    struct Frame {
        const Workbench& bench;
        const std::vector<Hit>& hits;
        const std::map<std::string, Rect>& widgets;  ///< pixels
        double scale = 1.0;                          ///< pixels per point
        double milliseconds = 0.0;                   ///< from input to the end of the swap
    };
    void add(const Frame& frame);

  private:
    bool changed(const std::string& name, const std::string& text);

    std::ofstream file_;
    long frames_ = 0;
    std::map<std::string, std::string> last_;
};

}  // namespace attn
