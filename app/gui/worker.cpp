#include "app/gui/worker.h"

#include <exception>
#include <utility>

#include "core/error.h"

namespace attn {
namespace {

Answer answer(Evaluator& evaluator, Scene scene) {
    const auto begin = std::chrono::steady_clock::now();
    Answer made{.scene = std::move(scene), .result = nullptr, .error = {}, .milliseconds = 0.0};
    try {
        made.result = evaluator.evaluate(made.scene);
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
    }
    changed_.notify_all();
    thread_.join();
}

void Worker::request(Scene scene) {
    {
        const std::lock_guard lock(mutex_);
        request_ = std::move(scene);
    }
    changed_.notify_all();
}

bool Worker::busy() const {
    const std::lock_guard lock(mutex_);
    return working_ || request_.has_value();
}

std::optional<Answer> Worker::take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [this] { return !working_ && !request_; });
    return std::exchange(answer_, std::nullopt);
}

void Worker::run() {
    Evaluator evaluator;
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stop_ || request_; });
        if (stop_) return;
        Scene scene = *std::exchange(request_, std::nullopt);
        working_ = true;
        lock.unlock();
        Answer made = answer(evaluator, std::move(scene));
        lock.lock();
        answer_ = std::move(made);
        working_ = false;
        lock.unlock();
        changed_.notify_all();
        wake_();
        lock.lock();
    }
}

}  // namespace attn
