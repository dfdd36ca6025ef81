#include "app/gui/worker.h"

#include <exception>
#include <utility>

#include "app/gui/recent_results.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr std::chrono::milliseconds long_evaluation{250};

/// What one worker evaluates with.
struct Desk {
    Evaluator evaluator;
    RecentResults recent;

    std::shared_ptr<const Result> result_of(const Scene& scene, const std::stop_token& stop) {
        if (auto known = recent.find(evaluation_key(scene))) return known;
        auto made = evaluator.evaluate(scene, stop);
        recent.keep(made);
        return made;
    }
};

/// Nothing when it was stopped.
std::optional<Answer> answer(Desk& desk, Scene scene, const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    Answer made{.scene = std::move(scene), .result = nullptr, .error = {}, .milliseconds = 0.0};
    try {
        made.result = desk.result_of(made.scene, stop);
    } catch (const Cancelled&) {
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        made.error = "not enough memory for this; choose a smaller grid or fewer words";
    } catch (const std::exception& failure) {
        made.error = failure.what();
    }
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    made.milliseconds = taken.count();
    return made;
}

}  // namespace

Worker::Worker(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        if (running_) running_->request_stop();
    }
    changed_.notify_all();
    thread_.join();
}

void Worker::request(Scene scene) {
    {
        const std::lock_guard lock(mutex_);
        request_ = std::move(scene);
        if (running_ && std::chrono::steady_clock::now() - begun_ > long_evaluation) running_->request_stop();
    }
    changed_.notify_all();
}

bool Worker::busy() const {
    const std::lock_guard lock(mutex_);
    return running_ || request_;
}

std::optional<Answer> Worker::take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [this] { return !running_ && !request_; });
    return std::exchange(answer_, std::nullopt);
}

void Worker::run() {
    Desk desk;
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stop_ || request_; });
        if (stop_) return;
        Scene scene = *std::exchange(request_, std::nullopt);
        const std::stop_token stop = running_.emplace().get_token();
        begun_ = std::chrono::steady_clock::now();
        lock.unlock();
        std::optional<Answer> made = answer(desk, std::move(scene), stop);
        lock.lock();
        if (made) answer_ = std::move(made);
        running_.reset();
        lock.unlock();
        changed_.notify_all();
        wake_();
        lock.lock();
    }
}

}  // namespace attn
