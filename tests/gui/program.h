#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace attn::test {

using Json = nlohmann::json;

/// The built program, running with --report, and what its report says so far.
class Program {
  public:
    /// Starts it in `folder` on that display.
    Program(const std::string& display, const std::filesystem::path& folder,
            std::vector<std::string> arguments = {});
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    [[nodiscard]] pid_t pid() const { return pid_; }

    /// The newest value of every field that was ever reported.
    const Json& state();
    /// All frames so far, each as its line.
    const std::vector<Json>& frames();
    /// Waits until the state has it; false after 20 seconds.
    bool wait_for(const std::function<bool(const Json&)>& wanted);
    /// Waits until no frame was drawn for a fifth of a second.
    void wait_until_still();

    /// The scene's knob, null where it has its default.
    Json knob(const std::string& id);

    /// Waits for the program's end (20 seconds) and returns its exit code; -1 when it goes on or crashed.
    int exit_code();
    /// Seconds of processor time it has used.
    [[nodiscard]] double cpu_seconds() const;

  private:
    void read_report();

    pid_t pid_ = -1;
    std::filesystem::path report_;
    std::ifstream stream_;
    std::string partial_;
    std::vector<Json> frames_;
    Json state_ = Json::object();
};

}  // namespace attn::test
