#include "tests/gui/x_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <array>
#include <stdexcept>

namespace attn::test {

XServer::XServer(int width, int height) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe for Xvfb");
    const std::string screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
    const std::string fd = std::to_string(ends[1]);
    // -noreset: the server would forget its resources whenever its last client leaves.
    std::array<const char*, 10> words = {"Xvfb", "-noreset",     "-displayfd", fd.c_str(), "-screen",
                                         "0",    screen.c_str(), "-nolisten",  "tcp",      nullptr};
    pid_ = fork();
    if (pid_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);  // a test that crashes must not leave a server behind
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execvp("Xvfb", const_cast<char**>(words.data()));
        _exit(127);
    }
    close(ends[1]);
    std::string number;
    pollfd ready{ends[0], POLLIN, 0};
    while (pid_ > 0 && poll(&ready, 1, 20000) > 0) {
        char digit = 0;
        if (read(ends[0], &digit, 1) != 1 || digit == '\n') break;
        number += digit;
    }
    close(ends[0]);
    if (number.empty()) throw std::runtime_error("Xvfb did not start (package xvfb)");
    display_ = ":" + number;
}

XServer::~XServer() {
    if (pid_ <= 0) return;
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
}

}  // namespace attn::test
