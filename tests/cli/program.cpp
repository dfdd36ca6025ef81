#include "tests/cli/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "core/io/file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

/// The environment without what leads to a display.
std::vector<char*> surroundings() {
    std::vector<char*> kept;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        if (!text.starts_with("DISPLAY=") && !text.starts_with("WAYLAND_DISPLAY=")) kept.push_back(*variable);
    }
    kept.push_back(nullptr);
    return kept;
}

/// Runs with the output in two files and returns the exit code, -1 after a signal.
int spawn(std::vector<std::string> words, const fs::path& folder, const fs::path& out, const fs::path& err) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<char*> environment = surroundings();
    pid_t child = 0;
    const int failure = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error("cannot start " + words.front());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string said(const std::vector<std::string>& arguments) {
    std::string text = "attnscope";
    for (const std::string& word : arguments) text += ' ' + word;
    return text;
}

}  // namespace

Program::Program() {
    std::string name = (fs::temp_directory_path() / "attnscope-cli-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = fs::path(name) / "here";
    fs::create_directory(folder);
}

Program::~Program() {
    fs::remove_all(folder.parent_path());
}

Outcome Program::run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {ATTNSCOPE_BUILD "/attnscope"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const fs::path out = folder.parent_path() / "out";
    const fs::path err = folder.parent_path() / "err";
    const int code = spawn(std::move(words), folder, out, err);
    return {code, read_file(out), read_file(err)};
}

std::string Program::run_well(const std::vector<std::string>& arguments) const {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << said(arguments);
    EXPECT_EQ(outcome.err, "") << said(arguments);
    return std::move(outcome.out);
}

std::string Program::run_badly(int code, const std::vector<std::string>& arguments) const {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << said(arguments) << '\n' << outcome.out;
    EXPECT_TRUE(outcome.err.starts_with("attnscope: error: ")) << said(arguments) << '\n' << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << said(arguments) << '\n'
                                                                           << outcome.err;
    EXPECT_TRUE(outcome.err.ends_with('\n'));
    return std::move(outcome.err);
}

std::string Program::read(const std::string& name) const {
    return read_file(folder / name);
}

void Program::write(const std::string& name, std::string_view bytes) const {
    write_file(folder / name, bytes);
}

std::string golden(const std::string& name) {
    return std::string(ATTNSCOPE_TESTS "/golden/") + name;
}

}  // namespace attn
