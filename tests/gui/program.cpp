#include "tests/gui/program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <sstream>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace attn::test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto patience = 20s;

}  // namespace

Program::Program(const std::string& display, const std::filesystem::path& folder,
                 std::vector<std::string> arguments)
    : report_(folder / "report.jsonl") {
    std::filesystem::remove(report_);
    std::ofstream(report_).close();
    std::vector<std::string> words = {ATTNSCOPE_BUILD "/attnscope", "--report", report_.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::vector<std::string> variables = {"DISPLAY=" + display};
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (!std::string(*variable).starts_with("DISPLAY=")) variables.emplace_back(*variable);
    }
    std::vector<char*> environment;
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    const int failure =
        posix_spawn(&pid_, words[0].c_str(), &actions, nullptr, pointers.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error("cannot start " + words[0]);
    stream_.open(report_);
}

Program::~Program() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Program::read_report() {
    stream_.clear();
    std::string more((std::istreambuf_iterator<char>(stream_)), {});
    partial_ += more;
    std::size_t end = 0;
    while ((end = partial_.find('\n')) != std::string::npos) {
        frames_.push_back(Json::parse(partial_.substr(0, end)));
        state_.update(frames_.back());
        partial_.erase(0, end + 1);
    }
}

const Json& Program::state() {
    read_report();
    return state_;
}

const std::vector<Json>& Program::frames() {
    read_report();
    return frames_;
}

bool Program::wait_for(const std::function<bool(const Json&)>& wanted) {
    for (const auto end = Clock::now() + patience; Clock::now() < end; std::this_thread::sleep_for(10ms)) {
        if (!state().empty() && wanted(state_)) return true;
    }
    return false;
}

void Program::wait_until_still() {
    std::size_t seen = frames().size();
    auto since = Clock::now();
    for (const auto end = since + patience; Clock::now() < end; std::this_thread::sleep_for(10ms)) {
        if (frames().size() != seen || seen == 0) {
            seen = frames_.size();
            since = Clock::now();
        } else if (Clock::now() - since > 200ms) {
            return;
        }
    }
}

Json Program::knob(const std::string& id) {
    const Json& set = state().at("scene").at("set");
    return set.contains(id) ? set.at(id) : Json();
}

int Program::exit_code() {
    for (const auto end = Clock::now() + patience; Clock::now() < end; std::this_thread::sleep_for(10ms)) {
        int status = 0;
        if (waitpid(pid_, &status, WNOHANG) != pid_) continue;
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return -1;
}

double Program::cpu_seconds() const {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
    std::string text;
    std::getline(stat, text);
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string field;
    double ticks = 0.0;
    for (int i = 3; i <= 15 && fields >> field; ++i) {
        if (i >= 14) ticks += std::stod(field);  // fields 14 and 15: user and system time
    }
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace attn::test
