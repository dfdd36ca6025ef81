#include "core/array.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"

namespace attn {
namespace {

std::size_t product(const Shape& shape) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(float);
    std::size_t size = 1;
    bool none = false;
    for (const Index extent : shape) {
        if (extent < 0) throw Error("expected extents of 0 or more, got the shape " + describe(shape));
        none = none || extent == 0;
    }
    if (none) return 0;
    for (const Index extent : shape) {
        if (static_cast<std::size_t>(extent) > most / size)
            throw Error("an array of the shape " + describe(shape) + " does not fit in memory");
        size *= static_cast<std::size_t>(extent);
    }
    return size;
}

bool fits(const Shape& shape, const Shape& expected) {
    return std::equal(shape.begin(), shape.end(), expected.begin(), expected.end(),
                      [](Index given, Index wanted) { return wanted == -1 || given == wanted; });
}

/// As describe, with a free extent (-1) as a star.
std::string describe_expected(const Shape& expected) {
    std::string text = describe(expected);
    for (std::size_t at = text.find("-1"); at != std::string::npos; at = text.find("-1", at))
        text.replace(at, 2, "*");
    return text;
}

void check(std::string_view name, const Array& array, const Shape& expected) {
    if (!fits(array.shape(), expected))
        throw Error("array '" + std::string(name) + "': expected the shape " + describe_expected(expected) +
                    ", got " + describe(array.shape()));
    const auto values = array.values();
    const auto nan = std::find_if(values.begin(), values.end(), [](float v) { return std::isnan(v); });
    if (nan != values.end())
        throw Error("array '" + std::string(name) + "': expected numbers, got NaN at position " +
                    std::to_string(nan - values.begin()));
}

}  // namespace

Array::Array(Shape shape, float fill, Element element)
    : shape_(std::move(shape)), values_(product(shape_), fill), element_(element) {}

Array::Array(Shape shape, std::vector<float> values, Element element)
    : shape_(std::move(shape)), values_(std::move(values)), element_(element) {
    const std::size_t expected = product(shape_);
    if (values_.size() != expected)
        throw Error("expected " + std::to_string(expected) + " numbers for the shape " + describe(shape_) +
                    ", got " + std::to_string(values_.size()));
}

Index Array::extent(Index axis) const {
    const Index from_first = axis < 0 ? axis + rank() : axis;
    if (from_first < 0 || from_first >= rank())
        throw Error("expected an array with an axis " + std::to_string(axis) + ", got the shape " +
                    describe(shape_));
    return shape_[static_cast<std::size_t>(from_first)];
}

Array Array::reshaped(Shape shape) const {
    return {std::move(shape), values_, element_};
}

std::string describe(const Shape& shape) {
    std::string text = "[";
    for (const Index extent : shape) {
        if (text.size() > 1) text += ", ";
        text += std::to_string(extent);
    }
    return text + "]";
}

const Array& require(const Arrays& arrays, std::string_view name) {
    const auto found = arrays.find(name);
    if (found == arrays.end())
        throw Error("expected an array '" + std::string(name) + "', found none of that name");
    return found->second;
}

const Array& require(const Arrays& arrays, std::string_view name, const Shape& expected) {
    const Array& array = require(arrays, name);
    check(name, array, expected);
    return array;
}

const Array* find(const Arrays& arrays, std::string_view name, const Shape& expected) {
    const auto found = arrays.find(name);
    if (found == arrays.end()) return nullptr;
    check(name, found->second, expected);
    return &found->second;
}

}  // namespace attn
