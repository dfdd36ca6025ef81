#pragma once

namespace attn {

struct WindowOptions;

/// Does what the command line says and returns the exit code: 0 fine, 1 failure, 2 wrong usage, with one line
/// on standard error when it is not 0. Only the form without a command calls `window`; the others need no
/// display.
int run_command_line(int argc, const char* const* argv, int (*window)(const WindowOptions&));

}  // namespace attn
