#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attn {

/// Every count, extent and position in the project.
using Index = std::int64_t;
using Shape = std::vector<Index>;

/// What an array's numbers stand for in a file: float32, int64 or bool. In memory all are float.
enum class Element { real, index, flag };

/// An n-d array of float32, row-major. A shape of no axes is one number. Invariant: values().size() is the
/// product of the shape.
class Array {
  public:
    /// No axes, the number 0.
    Array() : values_(1, 0.0F) {}
    /// Filled with one number. Throws Error when an extent is negative.
    explicit Array(Shape shape, float fill = 0.0F, Element element = Element::real);
    /// Throws Error, naming both counts, when the values do not fill the shape.
    Array(Shape shape, std::vector<float> values, Element element = Element::real);

    [[nodiscard]] const Shape& shape() const { return shape_; }
    [[nodiscard]] Index rank() const { return static_cast<Index>(shape_.size()); }
    /// Length of an axis; a negative axis counts from the last (-1). Throws Error when there is no such axis.
    [[nodiscard]] Index extent(Index axis) const;
    [[nodiscard]] Index size() const { return static_cast<Index>(values_.size()); }
    [[nodiscard]] Element element() const { return element_; }
    [[nodiscard]] std::span<const float> values() const { return values_; }
    [[nodiscard]] std::span<float> values() { return values_; }

    /// The same numbers in another shape of equal size; throws Error otherwise.
    [[nodiscard]] Array reshaped(Shape shape) const;

    friend bool operator==(const Array&, const Array&) = default;

  private:
    Shape shape_;
    std::vector<float> values_;
    Element element_ = Element::real;
};

/// A named set of arrays, in the order of the names: `in.*` inputs, `w.*` weights, `b.*` biases, `bn.*` and
/// `ln.*` normalisations, `out.*` results.
using Arrays = std::map<std::string, Array, std::less<>>;

/// An array that several holders read and nobody changes.
using SharedArray = std::shared_ptr<const Array>;

/// "[4, 7]", "[]" for a number.
std::string describe(const Shape& shape);

/// The named array. Throws Error naming it when it is missing.
const Array& require(const Arrays& arrays, std::string_view name);
/// The named array of exactly this shape; -1 in `expected` fits any extent. Throws Error naming the array,
/// the shape expected and the shape given, and when a value is not a number.
const Array& require(const Arrays& arrays, std::string_view name, const Shape& expected);
/// The named array or nullptr; an array that is there must have this shape (as in require).
const Array* find(const Arrays& arrays, std::string_view name, const Shape& expected);

}  // namespace attn
