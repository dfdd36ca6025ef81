#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "app/evaluate.h"
#include "app/scene.h"

namespace attn {

/// A scene and what came of it.
struct Answer {
    Scene scene;
    std::shared_ptr<const Result> result;  ///< null when it failed
    std::string error;                     ///< why, in one sentence
    double milliseconds = 0.0;             ///< of the whole evaluation
};

/// Evaluates scenes on a thread of its own. The latest request wins: one that has not begun is replaced, and
/// one that takes long is stopped. A short one is let finish, so that a drag shows pictures on its way.
class Worker {
  public:
    /// `wake` is called on the worker's thread after an answer can be taken.
    explicit Worker(std::function<void()> wake);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void request(Scene scene);
    [[nodiscard]] bool busy() const;
    /// The newest answer that was not taken yet, waiting at most `patience` for the one to the latest
    /// request.
    std::optional<Answer> take(std::chrono::milliseconds patience);

  private:
    void run();

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Scene> request_;
    std::optional<Answer> answer_;
    std::optional<std::stop_source> running_;  ///< while an evaluation runs
    std::chrono::steady_clock::time_point begun_;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace attn
