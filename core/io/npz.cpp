#include "core/io/npz.h"

#include <zip.h>

#include <map>
#include <memory>

#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npy.h"

namespace attn {
namespace {

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using File = std::unique_ptr<zip_file_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Discard>;

/// libzip's report of what went wrong.
struct ZipError {
    zip_error_t error{};
    ZipError() { zip_error_init(&error); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;
    ~ZipError() { zip_error_fini(&error); }
    std::string text() { return zip_error_strerror(&error); }
};

constexpr std::string_view suffix = ".npy";
constexpr std::string_view knob_prefix = "p.";
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31U;

Archive open_archive(std::string_view bytes, std::string_view name) {
    ZipError error;
    Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error.error));
    zip_t* archive =
        source ? zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, &error.error) : nullptr;
    if (archive == nullptr) throw Error(std::string(name) + " is not a whole .npz file: " + error.text());
    static_cast<void>(source.release());  // the archive owns it now
    return Archive(archive);
}

/// The declared size, when it is one that the compressed bytes can have: deflate shrinks to 1/1032 at best.
std::size_t believable_size(const zip_stat_t& status, const std::string& where) {
    constexpr std::uint64_t needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if ((status.valid & needed) != needed) throw Error(where + " has no size");
    const bool stored = status.comp_method == ZIP_CM_STORE;
    if (!stored && status.comp_method != ZIP_CM_DEFLATE) {
        throw Error(where +
                    " is packed in a way that is not read; save it with numpy.savez or savez_compressed");
    }
    const bool believable = stored ? status.size == status.comp_size : status.size / 1032 <= status.comp_size;
    if (!believable || status.size > most_bytes) {
        throw Error(where + " claims " + std::to_string(status.size) + " bytes, which it cannot hold");
    }
    return static_cast<std::size_t>(status.size);
}

std::string read_member(zip_t* archive, zip_uint64_t i, std::size_t size, const std::string& where) {
    const File file(zip_fopen_index(archive, i, 0));
    if (!file) throw Error(where + ": " + zip_strerror(archive));
    std::string bytes(size, '\0');
    const zip_int64_t count = zip_fread(file.get(), bytes.data(), size);
    char more = 0;
    // libzip compares the checksum only when a read meets the end, so one byte more is asked for.
    const zip_int64_t rest = zip_fread(file.get(), &more, 1);
    if (count != static_cast<zip_int64_t>(size) || rest != 0) {
        throw Error(where + " is broken: its checksum or its length is wrong");
    }
    return bytes;
}

void check(bool fine, zip_t* archive) {
    if (!fine) throw Error(std::string("cannot make the .npz file: ") + zip_strerror(archive));
}

void add_member(zip_t* archive, const std::string& name, const std::string& bytes) {
    Source source(zip_source_buffer(archive, bytes.data(), bytes.size(), 0));
    check(source != nullptr, archive);
    const zip_int64_t added =
        zip_file_add(archive, (name + std::string(suffix)).c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    check(added >= 0, archive);
    static_cast<void>(source.release());  // the archive owns it now
    const auto i = static_cast<zip_uint64_t>(added);
    check(zip_set_file_compression(archive, i, ZIP_CM_STORE, 0) == 0, archive);
    constexpr zip_uint16_t first_of_january_1980 = 1U << 5U | 1U;
    check(zip_file_set_dostime(archive, i, 0, first_of_january_1980, 0) == 0, archive);
}

std::string bytes_of(zip_source_t* source) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
        throw Error("cannot make the .npz file");
    std::string bytes(static_cast<std::size_t>(status.size), '\0');
    const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (count != static_cast<zip_int64_t>(bytes.size())) throw Error("cannot make the .npz file");
    return bytes;
}

}  // namespace

Case read_npz(std::string_view bytes, std::string_view name) {
    const std::string file = shown_name(name);
    if (bytes.empty()) throw Error(file + " is empty");  // libzip takes it for an archive without members
    const Archive archive = open_archive(bytes, file);
    Case contents;
    std::uint64_t total = 0;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat_index(archive.get(), index, ZIP_FL_ENC_GUESS, &status) != 0 || status.name == nullptr) {
            throw Error(file + ": " + zip_strerror(archive.get()));
        }
        std::string member = shown_name(status.name);
        const std::string where = std::string(file).append(": ").append(member);
        if (!member.ends_with(suffix)) throw Error(where + " is not an .npy array");
        const std::size_t size = believable_size(status, where);
        total += size;
        if (total > most_bytes) throw Error(file + " holds more than 2 GiB, the most that is read");
        const std::string data = read_member(archive.get(), index, size, where);
        member.resize(member.size() - suffix.size());
        // No name is overwritten: libzip refuses an archive that has one twice.
        if (member.starts_with(knob_prefix))
            contents.knobs.emplace(member.substr(knob_prefix.size()), read_npy_knob(data, where));
        else
            contents.arrays.emplace(member, read_npy(data, where));
    }
    return contents;
}

std::string write_npz(const Case& contents) {
    std::map<std::string, std::string> members;
    for (const auto& [name, array] : contents.arrays) members.emplace(name, write_npy(array));
    for (const auto& [name, value] : contents.knobs) {
        members.emplace(std::string(knob_prefix) + name, write_npy_knob(value));
    }
    // libzip makes no file at all of an archive without members; this is the whole of one.
    if (members.empty()) return std::string("PK\5\6", 4) + std::string(18, '\0');
    ZipError error;
    const Source source(zip_source_buffer_create(nullptr, 0, 0, &error.error));
    if (!source) throw Error("cannot make the .npz file: " + error.text());
    zip_source_keep(source.get());  // one count is the archive's, the other is ours to read the result from
    Archive archive(zip_open_from_source(source.get(), ZIP_CREATE | ZIP_TRUNCATE, &error.error));
    if (!archive) {
        zip_source_free(source.get());
        throw Error("cannot make the .npz file: " + error.text());
    }
    for (const auto& [name, bytes] : members) add_member(archive.get(), name, bytes);
    check(zip_close(archive.get()) == 0, archive.get());
    static_cast<void>(archive.release());  // closed
    return bytes_of(source.get());
}

}  // namespace attn
