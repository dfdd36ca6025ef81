#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct ZipMember {
    std::string name;
    std::string bytes;
};

/// A zip archive of stored members made byte by byte, so that tests can have what no library writes: a member
/// twice, sizes that lie, names that are no arrays. `claimed`, when not 0, stands in the headers for the
/// size.
std::string zip_bytes(const std::vector<ZipMember>& members, std::uint32_t claimed = 0);

/// A .npy member of version 1 with this header dictionary.
std::string npy_bytes(std::string_view dictionary, std::string_view data);

}  // namespace attn
