#pragma once

#include <functional>
#include <memory>

#include "core/array.h"

namespace attn {

/// An array to be read by several holders, made when it is first read where it is large and often not asked
/// for. Reads like a SharedArray, and like one it must be held as long as its numbers are looked at. Copies
/// share what was made.
class LateArray {
  public:
    /// Null.
    LateArray() = default;
    LateArray(SharedArray array) : array_(std::move(array)) {}  // NOLINT: an array that is there already
    /// `make` may be called from any thread, once.
    explicit LateArray(std::function<Array()> make);

    /// Throws what `make` throws.
    [[nodiscard]] SharedArray get() const;
    /// The array that was given, null where it is a recipe.
    [[nodiscard]] SharedArray made() const { return array_; }
    operator SharedArray() const { return get(); }  // NOLINT: reads like one
    const Array& operator*() const { return *get(); }
    const Array* operator->() const { return get().get(); }

  private:
    struct Recipe;
    SharedArray array_;
    std::shared_ptr<Recipe> recipe_;  ///< in place of the array
};

}  // namespace attn
