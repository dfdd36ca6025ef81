#include "core/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

std::string reason(int code) {
    return std::error_code(code, std::generic_category()).message();
}

/// A POSIX file descriptor.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    [[nodiscard]] int number() const { return number_; }
    /// False, with errno, when the last bytes could not be written.
    bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

/// A new file of an unused name in the folder, removed again unless it was renamed.
class Temporary {
  public:
    explicit Temporary(const fs::path& folder) : file_(create(folder)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }

    [[nodiscard]] Descriptor& file() { return file_; }
    /// False, with errno, when the rename failed.
    bool rename_to(const fs::path& target) {
        if (::rename(path_.c_str(), target.c_str()) != 0) return false;
        path_.clear();
        return true;
    }

  private:
    int create(const fs::path& folder) {
        for (int n = 0;; ++n) {
            const fs::path name =
                folder / (".attnscope-" + std::to_string(::getpid()) + '-' + std::to_string(n));
            const int number = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (number >= 0) path_ = name;
            if (number >= 0 || errno != EEXIST) return number;
        }
    }

    fs::path path_;
    Descriptor file_;
};

bool write_all(int number, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(number, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

[[noreturn]] void fail_to_write(const fs::path& path, int code) {
    throw Error("cannot write " + shown_name(path.native()) + ": " + reason(code));
}

[[noreturn]] void refuse_base64() {
    throw Error("the text is not base64 (groups of four of A–Z a–z 0–9 + /, padded with =)");
}

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string read_file(const fs::path& path, std::uintmax_t limit) {
    const std::string name = shown_name(path.native());
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) throw Error("cannot open " + name + ": " + reason(errno));
    struct stat status {};
    if (::fstat(file.number(), &status) == 0 && S_ISDIR(status.st_mode)) {
        throw Error(name + " is a folder, not a file");
    }
    if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) {  // it may have no end
        throw Error(name + " is a device, not a file");
    }
    const auto too_large = [&] {
        return Error(name + " is larger than " + std::to_string(limit) + " bytes, the most that is read");
    };
    if (S_ISREG(status.st_mode) && static_cast<std::uintmax_t>(status.st_size) > limit) throw too_large();
    std::string bytes;
    if (S_ISREG(status.st_mode)) bytes.reserve(static_cast<std::size_t>(status.st_size));
    // Read to the end whatever the size said: a pipe has none.
    std::array<char, 1U << 16U> buffer{};
    while (true) {
        const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Error("cannot read " + name + ": " + reason(errno));
        if (count == 0) return bytes;
        bytes.append(buffer.data(), static_cast<std::size_t>(count));
        if (bytes.size() > limit) throw too_large();
    }
}

void write_file(const fs::path& path, std::string_view bytes) {
    std::error_code ignored;
    // Through a link, the file that it points to is replaced and the link stays.
    const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
    struct stat status {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (target.empty() || (exists && S_ISDIR(status.st_mode))) {
        throw Error("cannot write " + shown_name(path.native()) + ": it is a folder, a file is needed");
    }
    if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe cannot be replaced
        Descriptor device(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
        if (device.number() < 0 || !write_all(device.number(), bytes) || !device.close())
            fail_to_write(path, errno);
        return;
    }
    if (exists && ::access(target.c_str(), W_OK) != 0) fail_to_write(path, errno);
    Temporary temporary(target.has_parent_path() ? target.parent_path() : fs::path("."));
    Descriptor& file = temporary.file();
    if (file.number() < 0 || !write_all(file.number(), bytes)) fail_to_write(path, errno);
    if (exists && ::fchmod(file.number(), status.st_mode & 07777U) != 0) fail_to_write(path, errno);
    if (!file.close() || !temporary.rename_to(target)) fail_to_write(path, errno);
}

std::string shown_name(std::string_view name) {
    std::string shown;
    while (!name.empty()) {
        const std::size_t length = utf8_length(name);
        const auto first = static_cast<unsigned char>(name.front());
        if (length == 0) {
            shown += "\uFFFD";
        } else if (first < 0x20U || first == 0x7FU) {
            shown += ' ';
        } else {
            shown += name.substr(0, length);
        }
        name.remove_prefix(length == 0 ? 1 : length);
    }
    return shown;
}

std::string to_base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            text += k <= count ? alphabet[group >> (18U - 6U * k) & 63U] : '=';
        }
    }
    return text;
}

std::string from_base64(std::string_view text) {
    if (text.size() % 4 != 0) refuse_base64();
    std::array<int, 256> digit{};
    digit.fill(-1);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
        digit[static_cast<unsigned char>(alphabet[i])] = static_cast<int>(i);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        const std::string_view group = text.substr(i, 4);
        const std::size_t padding = i + 4 < text.size()     ? 0
                                    : group.ends_with("==") ? 2
                                    : group.ends_with('=')  ? 1
                                                            : 0;
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const int d = k < 4 - padding ? digit[static_cast<unsigned char>(group[k])] : 0;
            if (d < 0) refuse_base64();
            bits = bits << 6U | static_cast<std::uint32_t>(d);
        }
        for (std::size_t k = 0; k < 3 - padding; ++k)
            bytes += static_cast<char>(bits >> (16U - 8U * k) & 0xFFU);
    }
    return bytes;
}

}  // namespace attn
