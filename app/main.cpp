#include "app/cli/cli.h"
#include "app/gui/window.h"

int main(int argc, char** argv) {
    return attn::run_command_line(argc, argv, attn::run_window);
}
