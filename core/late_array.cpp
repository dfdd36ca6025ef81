#include "core/late_array.h"

#include <mutex>
#include <utility>

namespace attn {

struct LateArray::Recipe {
    std::function<Array()> make;
    std::once_flag once;
    SharedArray made;
};

LateArray::LateArray(std::function<Array()> make) : recipe_(std::make_shared<Recipe>()) {
    recipe_->make = std::move(make);
}

SharedArray LateArray::get() const {
    if (!recipe_) return array_;
    std::call_once(recipe_->once, [this] {
        recipe_->made = std::make_shared<const Array>(recipe_->make());
        recipe_->make = nullptr;  // and what it holds
    });
    return recipe_->made;
}

}  // namespace attn
