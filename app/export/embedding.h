#pragma once

#include <string>
#include <string_view>

namespace attn {

/// The PNG with one tEXt chunk `attnscope` right after its header. The recipe must be ASCII (PNG text is
/// Latin-1).
std::string png_with_recipe(std::string_view png, std::string_view recipe);

}  // namespace attn
