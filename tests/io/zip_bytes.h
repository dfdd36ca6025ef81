#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct ZipMember {
    std::string name;
    std::string bytes;          ///< as they stand in the archive
    std::uint32_t claimed = 0;  ///< the unpacked size that the headers tell; 0: the true one
    std::uint32_t method = 0;   ///< 0 stored, 8 deflated
};

/// A zip archive made byte by byte, so that tests can have what no library writes: sizes that lie, names that
/// are no arrays.
std::string zip_bytes(const std::vector<ZipMember>& members);

/// A .npy member of version 1 with this header dictionary.
std::string npy_bytes(std::string_view dictionary, std::string_view data);

}  // namespace attn
