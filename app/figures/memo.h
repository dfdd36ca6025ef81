#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace attn {

/// What figures made of a result and may use again in the next frame: classified cells, cell pictures.
/// Whoever shows one figure after another (the window) holds one and hands it over in the Page; a canvas then
/// sees the same shared objects again and keeps its textures. Not for two threads at once.
class Memo {
  public:
    /// What is kept under `key`, or what `make()` returns. Everything kept of another result is forgotten. A
    /// key names all that the thing depends on beside the result, its type included.
    template <typename T, typename Make>
    std::shared_ptr<const T> get(std::string_view result, const std::string& key, Make&& make) {
        constexpr std::size_t most = 192;
        if (result != result_ || kept_.size() >= most) {
            kept_.clear();
            result_ = result;
        }
        std::shared_ptr<const void>& slot = kept_[key];
        if (!slot) slot = std::make_shared<const T>(make());
        return std::static_pointer_cast<const T>(slot);
    }

  private:
    std::string result_;
    std::map<std::string, std::shared_ptr<const void>, std::less<>> kept_;
};

}  // namespace attn
