#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace attn {

/// The whole file. Throws Error: missing, a folder, unreadable, or larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit = std::uintmax_t{1} << 31U);

/// Writes the file whole or not at all: a temporary file beside it, then a rename. Throws Error (no such
/// folder, no permission, disk full) and leaves nothing behind.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The name as it can stand in a message or in JSON: broken UTF-8 becomes U+FFFD, control characters become
/// spaces.
std::string shown_name(std::string_view name);

/// RFC 4648 with padding.
std::string to_base64(std::string_view bytes);
/// Throws Error where the text is not base64.
std::string from_base64(std::string_view text);

}  // namespace attn
