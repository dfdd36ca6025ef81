#pragma once

#include <stdexcept>

namespace attn {

/// Anything a user can mend. what() is one sentence without a final full stop: what was expected, what came,
/// and what to do where that is not plain. The window shows it as one quiet line; the command line prints it
/// after `attnscope: error: ` and exits 1.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Wrong words on the command line (exit 2): an unknown id, knob or option, a value that cannot be read.
struct UsageError : Error {
    using Error::Error;
};

}  // namespace attn
