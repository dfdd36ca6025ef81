#pragma once

#include <string>
#include <vector>

struct _XDisplay;

namespace attn::test {

/// Drops files on a window as a file manager does (XDND version 5, text/uri-list). True when the window took
/// them.
bool drop_files(_XDisplay* display, unsigned long target, const std::vector<std::string>& paths);

}  // namespace attn::test
