#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace attn {

/// What one run of the program did.
struct Outcome {
    int code = -1;  ///< exit code; -1 when a signal ended it
    std::string out, err;
};

/// Each test has a folder of its own, in which the program runs, with no display to be had.
class Program : public ::testing::Test {
  protected:
    Program();
    ~Program() override;

    /// Runs the built program with these arguments.
    [[nodiscard]] Outcome run(const std::vector<std::string>& arguments) const;
    /// The same; fails the test unless it ended with 0 and nothing on standard error.
    std::string run_well(const std::vector<std::string>& arguments) const;
    /// Fails the test unless it ended with this code and one line `attnscope: error: …`, which is returned.
    std::string run_badly(int code, const std::vector<std::string>& arguments) const;

    [[nodiscard]] std::string read(const std::string& name) const;
    void write(const std::string& name, std::string_view bytes) const;

    std::filesystem::path folder;
};

/// A case of tests/golden.
std::string golden(const std::string& name);

}  // namespace attn
