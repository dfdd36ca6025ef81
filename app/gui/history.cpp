#include "app/gui/history.h"

#include <utility>

namespace attn {
namespace {

constexpr std::size_t most_steps =
    500;  // scenes share their picture, so that a step costs some hundred bytes

std::optional<Scene> step(const Scene& now, std::vector<Scene>& from, std::vector<Scene>& to) {
    if (from.empty()) return std::nullopt;
    Scene scene = std::move(from.back());
    from.pop_back();
    to.push_back(now);
    return scene;
}

}  // namespace

void History::record(const Scene& before, const std::string& gesture) {
    future_.clear();
    const bool goes_on = !gesture.empty() && gesture == gesture_;
    gesture_ = gesture;
    if (goes_on) return;
    past_.push_back(before);
    if (past_.size() > most_steps) past_.erase(past_.begin());
}

std::optional<Scene> History::undo(const Scene& now) {
    close();
    return step(now, past_, future_);
}

std::optional<Scene> History::redo(const Scene& now) {
    close();
    return step(now, future_, past_);
}

}  // namespace attn
