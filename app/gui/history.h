#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene.h"

namespace attn {

/// Undo and redo over whole scenes. Changes of one gesture (a drag, a run of arrow keys) are one step.
class History {
  public:
    /// `before` is about to be replaced. Changes in a row with the same non-empty gesture make one step.
    void record(const Scene& before, const std::string& gesture);
    /// The gesture is over: the next change is a step of its own.
    void close() { gesture_.clear(); }

    [[nodiscard]] bool can_undo() const { return !past_.empty(); }
    [[nodiscard]] bool can_redo() const { return !future_.empty(); }
    /// The scene to go to from `now`, or nothing.
    std::optional<Scene> undo(const Scene& now);
    std::optional<Scene> redo(const Scene& now);

  private:
    std::vector<Scene> past_;
    std::vector<Scene> future_;
    std::string gesture_;
};

}  // namespace attn
