#include "core/io/npy.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/utf8.h"

namespace attn {
namespace {

static_assert(std::endian::native == std::endian::little,
              "files hold little-endian numbers and are copied as they are");

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t most_axes = 32;  // NumPy's own limit

/// What the header says, and the numbers behind it.
struct Member {
    char kind = 'f';        ///< f, i, u, b, S, U
    std::size_t width = 4;  ///< bytes of one element
    bool fortran = false;
    Shape shape;
    Index count = 1;  ///< elements
    std::string_view data;
};

[[noreturn]] void fail(std::string_view name, const std::string& what) {
    throw Error(shown_name(name) + ": " + what);
}

/// Reads the Python dictionary of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (4, 7), }.
class HeaderText {
  public:
    HeaderText(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    void read(Member& member, std::string& type) {
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr") {
                if (peek() != '\'' && peek() != '"')
                    fail(name_, "records with named fields are not read, only plain arrays");
                type = quoted();
            } else if (key == "fortran_order") {
                member.fortran = truth();
            } else if (key == "shape") {
                member.shape = shape();
            } else {
                broken();
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
    }

  private:
    [[noreturn]] void broken() const { fail(name_, "the .npy header is broken"); }
    char peek() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
        return text_.empty() ? '\0' : text_.front();
    }
    bool accept(char wanted) {
        if (peek() != wanted) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) broken();
    }
    std::string quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') broken();
        const std::size_t end = text_.find(quote, 1);
        if (end == std::string_view::npos) broken();
        std::string word(text_.substr(1, end - 1));
        text_.remove_prefix(end + 1);
        return word;
    }
    bool truth() {
        const bool yes = peek() == 'T';
        const std::string_view word = yes ? "True" : "False";
        if (!text_.starts_with(word)) broken();
        text_.remove_prefix(word.size());
        return yes;
    }
    Shape shape() {
        Shape extents;
        expect('(');
        while (!accept(')')) {
            peek();
            Index extent = -1;
            const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
            if (error != std::errc() || extent < 0 || extents.size() == most_axes) broken();
            text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
            extents.push_back(extent);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return extents;
    }

    std::string_view text_;
    std::string_view name_;
};

/// Element kind and width of a type like "<f4"; false when it is none that is read.
bool read_type(std::string_view type, Member& member) {
    if (type.size() < 3 || type[0] == '>') return false;
    member.kind = type[1];
    const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), member.width);
    if (error != std::errc() || end != type.data() + type.size() || member.width > (1U << 20U)) return false;
    const std::size_t w = member.width;
    switch (member.kind) {
        case 'f':
            return w == 2 || w == 4 || w == 8;
        case 'i':
        case 'u':
            return w == 1 || w == 2 || w == 4 || w == 8;
        case 'b':
            return w == 1;
        case 'S':
            return true;
        case 'U':
            member.width *= 4;
            return true;
        default:
            return false;
    }
}

std::string_view header_of(std::string_view bytes, std::string_view name, std::string_view& data) {
    if (!bytes.starts_with(magic) || bytes.size() < 10) fail(name, "this is not an .npy array");
    const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(bytes[i])}; };
    const std::size_t version = byte(6);
    if (version < 1 || version > 3)
        fail(name, ".npy version " + std::to_string(version) + " is not read, only 1 to 3");
    const std::size_t start = version == 1 ? 10 : 12;
    if (bytes.size() < start) fail(name, "the .npy header is cut off");
    std::size_t length = byte(8) | byte(9) << 8U;
    if (version > 1) length |= byte(10) << 16U | byte(11) << 24U;
    if (bytes.size() - start < length) fail(name, "the .npy header is cut off");
    data = bytes.substr(start + length);
    return bytes.substr(start, length);
}

Member parse(std::string_view bytes, std::string_view name) {
    Member member;
    std::string type;
    HeaderText(header_of(bytes, name, member.data), name).read(member, type);
    if (!read_type(type, member)) {
        fail(name, "type '" + shown_name(type) +
                       "' is not read; save it as little-endian float, integer, bool or text");
    }
    // Divides rather than multiplies, so that a huge shape is refused and nothing is allocated for it.
    const std::size_t held = member.width == 0 ? 0 : member.data.size() / member.width;
    bool fits = true;
    for (const Index extent : member.shape) {
        if (extent == 0) {
            member.count = 0;
            fits = true;
            break;
        }
        fits = fits && member.count <= static_cast<Index>(held) / extent;
        if (fits) member.count *= extent;
    }
    if (!fits || static_cast<std::size_t>(member.count) * member.width != member.data.size()) {
        fail(name, "the shape " + describe(member.shape) + " of type " + type + " does not fit the " +
                       std::to_string(member.data.size()) + " bytes that are there");
    }
    return member;
}

float from_half(std::uint16_t half) {
    const auto exponent = static_cast<int>(half >> 10U & 31U);
    const auto mantissa = static_cast<int>(half & 1023U);
    const float size = exponent == 31  ? (mantissa == 0 ? std::numeric_limits<float>::infinity()
                                                        : std::numeric_limits<float>::quiet_NaN())
                       : exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                       : std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    return (half & 0x8000U) != 0 ? -size : size;
}

template <typename T>
T load(const Member& member, Index i) {
    T number;
    std::memcpy(&number, member.data.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    return number;
}

std::optional<Index> integer_at(const Member& member, Index i) {
    const bool is_signed = member.kind == 'i';
    switch (member.width) {
        case 1:
            return is_signed ? Index{load<std::int8_t>(member, i)} : Index{load<std::uint8_t>(member, i)};
        case 2:
            return is_signed ? Index{load<std::int16_t>(member, i)} : Index{load<std::uint16_t>(member, i)};
        case 4:
            return is_signed ? Index{load<std::int32_t>(member, i)} : Index{load<std::uint32_t>(member, i)};
        default:
            break;
    }
    const auto number = load<std::int64_t>(member, i);
    return is_signed || number >= 0 ? std::optional(number) : std::nullopt;
}

float real_at(const Member& member, Index i) {
    switch (member.width) {
        case 2:
            return from_half(load<std::uint16_t>(member, i));
        case 4:
            return load<float>(member, i);
        default:
            return static_cast<float>(load<double>(member, i));
    }
}

/// float32 counts every integer only up to 2^24.
constexpr Index largest_index = Index{1} << 24U;

float number_at(const Member& member, Index i, std::string_view name) {
    if (member.kind == 'f') return real_at(member, i);
    if (member.kind == 'b') return member.data[static_cast<std::size_t>(i)] != 0 ? 1.0F : 0.0F;
    const std::optional<Index> number = integer_at(member, i);
    if (!number || *number > largest_index || *number < -largest_index) {
        fail(name, "an integer lies outside ±16777216, where float32 is no longer exact");
    }
    return static_cast<float>(*number);
}

std::vector<float> numbers(const Member& member, std::string_view name) {
    std::vector<float> values(static_cast<std::size_t>(member.count));
    if (!member.fortran || member.shape.size() < 2) {
        for (Index i = 0; i < member.count; ++i)
            values[static_cast<std::size_t>(i)] = number_at(member, i, name);
        return values;
    }
    // Fortran order: the first axis is the fastest. Walk the values row-major and step the offset along with
    // them.
    const std::size_t rank = member.shape.size();
    Shape stride(rank, 1);
    for (std::size_t a = 1; a < rank; ++a) stride[a] = stride[a - 1] * member.shape[a - 1];
    Shape place(rank, 0);
    Index offset = 0;
    for (float& value : values) {
        value = number_at(member, offset, name);
        for (std::size_t a = rank; a-- > 0;) {
            offset += stride[a];
            if (++place[a] < member.shape[a]) break;
            offset -= stride[a] * place[a];
            place[a] = 0;
        }
    }
    return values;
}

std::string text_of(const Member& member) {
    if (member.kind == 'S') return std::string(member.data.substr(0, member.data.find_last_not_of('\0') + 1));
    std::string text;
    for (Index i = 0; i < static_cast<Index>(member.width / 4); ++i) {
        if (const auto code = load<std::uint32_t>(member, i); code != 0) append_utf8(text, code);
    }
    return text;
}

/// 0.1 saved as float32 is 0.100000001490116…; the shortest text that names the same float is what was meant.
double as_written(float value) {
    std::array<char, 32> text{};
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    double number = value;
    std::from_chars(text.data(), end, number);
    return number;
}

std::string with_header(std::string_view type, const Shape& shape, std::string_view data) {
    std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
    for (const Index extent : shape) header += std::to_string(extent) + (shape.size() == 1 ? "," : ", ");
    if (shape.size() > 1) header.erase(header.size() - 2);
    header += "), }";
    const std::size_t used = magic.size() + 4 + header.size() + 1;
    header.append((64 - used % 64) % 64, ' ');
    header += '\n';
    std::string bytes(magic);
    bytes +=
        {'\x01', '\x00', static_cast<char>(header.size() & 255U), static_cast<char>(header.size() >> 8U)};
    return bytes.append(header).append(data);
}

template <typename T>
std::string raw(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

Array read_npy(std::string_view bytes, std::string_view name) {
    const Member member = parse(bytes, name);
    if (member.kind == 'S' || member.kind == 'U') fail(name, "this holds text where numbers are expected");
    const Element element = member.kind == 'f'   ? Element::real
                            : member.kind == 'b' ? Element::flag
                                                 : Element::index;
    return {member.shape, numbers(member, name), element};
}

std::string write_npy(const Array& array) {
    std::string data;
    switch (array.element()) {
        case Element::real:
            data.assign(reinterpret_cast<const char*>(array.values().data()), array.values().size_bytes());
            return with_header("<f4", array.shape(), data);
        case Element::index:
            for (const float value : array.values()) data += raw(static_cast<std::int64_t>(value));
            return with_header("<i8", array.shape(), data);
        case Element::flag:
            for (const float value : array.values()) data += value != 0.0F ? '\1' : '\0';
            return with_header("|b1", array.shape(), data);
    }
    throw std::logic_error("an array of no known element");
}

std::string write_npy_flags(const Shape& shape, const std::function<void(std::span<unsigned char>)>& fill) {
    std::size_t count = 1;
    for (const Index extent : shape) count *= static_cast<std::size_t>(extent);
    std::string bytes = with_header("|b1", shape, {});
    const std::size_t start = bytes.size();
    bytes.resize(start + count);
    fill({reinterpret_cast<unsigned char*>(bytes.data() + start), count});
    return bytes;
}

Value read_npy_knob(std::string_view bytes, std::string_view name) {
    const Member member = parse(bytes, name);
    if (!member.shape.empty()) {
        fail(name, "a knob is one number or text without axes; this has the shape " + describe(member.shape));
    }
    switch (member.kind) {
        case 'S':
        case 'U':
            return text_of(member);
        case 'b':
            return member.data.front() != 0;
        case 'f':
            return member.width == 8 ? load<double>(member, 0) : as_written(real_at(member, 0));
        default:
            break;
    }
    const std::optional<Index> number = integer_at(member, 0);
    if (!number) fail(name, "the integer is larger than 9223372036854775807");
    return *number;
}

std::string write_npy_knob(const Value& value) {
    if (const bool* flag = std::get_if<bool>(&value)) return with_header("|b1", {}, raw(*flag));
    if (const Index* integer = std::get_if<Index>(&value)) return with_header("<i8", {}, raw(*integer));
    if (const double* real = std::get_if<double>(&value)) return with_header("<f8", {}, raw(*real));
    std::string text = std::get<std::string>(value);
    if (text.empty()) text += '\0';  // NumPy knows no text of width 0
    return with_header("|S" + std::to_string(text.size()), {}, text);
}

}  // namespace attn
