#include "tests/io/zip_bytes.h"

namespace attn {
namespace {

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xEDB88320U : crc >> 1U;
    }
    return ~crc;
}

std::string little(std::uint32_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
    return text;
}

std::uint32_t length(std::string_view text) {
    return static_cast<std::uint32_t>(text.size());
}

}  // namespace

std::string zip_bytes(const std::vector<ZipMember>& members) {
    std::string archive;
    std::string directory;
    for (const ZipMember& member : members) {
        const std::uint32_t size = length(member.bytes);
        // version 2.0, no flags, the method, 1 January 1980; checksum, sizes, length of the name, no extra
        // field
        const std::string common = little(20, 2) + little(0, 2) + little(member.method, 2) + little(0, 2) +
                                   little(0x21, 2) + little(crc32(member.bytes), 4) + little(size, 4) +
                                   little(member.claimed != 0 ? member.claimed : size, 4) +
                                   little(length(member.name), 2) + little(0, 2);
        directory += "PK\1\2" + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) +
                     little(0, 4) + little(length(archive), 4) + member.name;
        archive += "PK\3\4" + common + member.name + member.bytes;
    }
    const auto count = static_cast<std::uint32_t>(members.size());
    const std::string end = "PK\5\6" + little(0, 4) + little(count, 2) + little(count, 2) +
                            little(length(directory), 4) + little(length(archive), 4) + little(0, 2);
    return archive + directory + end;
}

std::string npy_bytes(std::string_view dictionary, std::string_view data) {
    return std::string("\x93NUMPY\1\0", 8) + little(length(dictionary), 2) + std::string(dictionary) +
           std::string(data);
}

}  // namespace attn
