#include <unistd.h>

#include <cstdlib>

#include "app/cli/cli.h"
#include "app/gui/window.h"

namespace {

/// Threads of OpenMP that wait for work spin by default, and starve a software renderer of the same cores:
/// frames took several times as long. GNU's runtime reads the policy before main, so the program starts once
/// more.
void wait_without_spinning(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
    if (setenv("OMP_WAIT_POLICY", "passive", 0) == 0)
        execv("/proc/self/exe", argv);  // returns only when it fails
}

}  // namespace

int main(int argc, char** argv) {
    wait_without_spinning(argv);
    return attn::run_command_line(argc, argv, attn::run_window);
}
