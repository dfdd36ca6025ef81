#pragma once

#include <list>
#include <memory>
#include <string_view>

#include "app/evaluate.h"

namespace attn {

/// The last results by what they answer, so that undo, a switch thrown back and a mechanism seen before cost
/// nothing. Not for two threads at once.
class RecentResults {
  public:
    /// Null where it is not kept.
    [[nodiscard]] std::shared_ptr<const Result> find(std::string_view evaluation_key);
    /// Forgets the oldest where there are many or they are large.
    void keep(std::shared_ptr<const Result> result);

  private:
    std::list<std::shared_ptr<const Result>> results_;  ///< the last used first
};

}  // namespace attn
