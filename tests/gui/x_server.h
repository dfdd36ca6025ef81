#pragma once

#include <sys/types.h>

#include <string>

namespace attn::test {

/// A virtual X server of its own, as large as asked for; it ends with this value. Throws std::runtime_error
/// when Xvfb cannot be started.
class XServer {
  public:
    XServer(int width, int height);
    ~XServer();
    XServer(const XServer&) = delete;
    XServer& operator=(const XServer&) = delete;

    /// ":7"
    [[nodiscard]] const std::string& display() const { return display_; }

  private:
    pid_t pid_ = -1;
    std::string display_;
};

}  // namespace attn::test
