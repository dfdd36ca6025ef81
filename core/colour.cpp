#include "core/colour.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

double linear(std::uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::uint8_t byte(double channel) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(channel, 0.0, 255.0)));
}

std::uint8_t encoded(double light) {
    const double c = std::clamp(light, 0.0, 1.0);
    return byte(255.0 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055));
}

double luminance(Colour c) {
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

/// A colour in OKLab (B. Ottosson, 2020): lightness 0…1, green–red, blue–yellow. Equal steps look equal.
struct Lab {
    double l, a, b;
};

Lab lab(Colour c) {
    const double r = linear(c.r), g = linear(c.g), b = linear(c.b);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Colour colour(Lab c) {
    const double l = std::pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
    const double m = std::pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
    const double s = std::pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
    return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// Catmull–Rom through p1 (t = 0) and p2 (t = 1).
double spline(double p0, double p1, double p2, double p3, double t) {
    return p1 + 0.5 * t * (p2 - p0 + t * (2 * p0 - 5 * p1 + 4 * p2 - p3 + t * (3 * (p1 - p2) + p3 - p0)));
}

Ramp make_viridis() {
    constexpr std::array<std::uint32_t, 11> anchors = {0x440154, 0x482576, 0x414487, 0x35608D,
                                                       0x2A788E, 0x21908C, 0x22A884, 0x43BF71,
                                                       0x7AD151, 0xBBDF27, 0xFDE725};
    constexpr int last = static_cast<int>(anchors.size()) - 1;
    const auto anchor = [&](int i) { return rgb(anchors[static_cast<std::size_t>(std::clamp(i, 0, last))]); };
    Ramp ramp;
    for (std::size_t i = 0; i < ramp.size(); ++i) {
        const double place = static_cast<double>(i) * last / 255.0;
        const int k = std::min(static_cast<int>(place), last - 1);
        const Colour p0 = anchor(k - 1), p1 = anchor(k), p2 = anchor(k + 1), p3 = anchor(k + 2);
        const auto channel = [&](std::uint8_t Colour::*c) {
            return byte(spline(p0.*c, p1.*c, p2.*c, p3.*c, place - k));
        };
        ramp[i] = {channel(&Colour::r), channel(&Colour::g), channel(&Colour::b)};
    }
    return ramp;
}

/// Lightness falls evenly and equally from the middle to both ends, so that neither sign looks the stronger;
/// hue and chroma pass through a lively colour half way.
Ramp make_blue_red() {
    struct Arm {
        Lab half, end;
    };
    const Lab white = lab(rgb(0xF7F7F7));
    const Arm blue = {lab(rgb(0x6FA3D3)), lab(rgb(0x1F4E9B))};
    const Arm red = {lab(rgb(0xE58A6E)), lab(rgb(0xA5252A))};
    const double darkest = (blue.end.l + red.end.l) / 2;
    Ramp ramp;
    for (std::size_t i = 0; i < ramp.size(); ++i) {
        const double off = std::abs(static_cast<double>(i) - 127.5);
        const double t = (off - 0.5) / 127.0;  // 0 at both middle entries, 1 at the ends
        const Arm& arm = i < 128 ? blue : red;
        const auto passing = [&](double Lab::*axis) {  // the parabola through white, half and end
            const double w = white.*axis, h = arm.half.*axis, e = arm.end.*axis;
            return w + t * (4 * h - 3 * w - e + t * (2 * (w + e) - 4 * h));
        };
        ramp[i] = colour({std::lerp(white.l, darkest, t), passing(&Lab::a), passing(&Lab::b)});
    }
    return ramp;
}

Colour look_of(CellClass cell, const Colouring& colouring) {
    switch (cell) {
        case CellClass::masked:
            return colouring.masked;
        case CellClass::nan:
            return colouring.nan;
        case CellClass::plus_infinity:
            return colouring.plus_infinity;
        case CellClass::minus_infinity:
            return colouring.minus_infinity;
        case CellClass::above:
            return colouring.ramp->back();
        case CellClass::below:
        case CellClass::value:
            break;
    }
    return colouring.ramp->front();
}

}  // namespace

Colour mix(Colour a, Colour b, double t) {
    const double share = std::clamp(t, 0.0, 1.0);
    const auto channel = [&](std::uint8_t Colour::*c) {
        return byte(std::lerp(static_cast<double>(a.*c), static_cast<double>(b.*c), share));
    };
    return {channel(&Colour::r), channel(&Colour::g), channel(&Colour::b), channel(&Colour::a)};
}

double contrast(Colour a, Colour b) {
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

const Ramp& viridis() {
    static const Ramp ramp = make_viridis();
    return ramp;
}

const Ramp& blue_red() {
    static const Ramp ramp = make_blue_red();
    return ramp;
}

int ramp_index(float position, float low, float high) {
    if (high == low) return 255;
    const float share = (position - low) * (1.0F / (high - low));
    const float clamped = share > 0.0F ? std::min(share, 1.0F) : 0.0F;
    const float rounded = clamped * 255.0F + 0.5F;
    return static_cast<int>(rounded);  // not negative, so that this is the floor
}

Colour colour_of(float position, CellClass cell, const Cells& cells, const Colouring& colouring) {
    if (cell != CellClass::value) return look_of(cell, colouring);
    return (*colouring.ramp)[static_cast<std::size_t>(ramp_index(position, cells.low, cells.high))];
}

std::vector<std::uint8_t> colour_cells(const Cells& cells, const Colouring& colouring) {
    const auto count = static_cast<Index>(cells.position.size());
    std::vector<std::uint8_t> pixels(cells.position.size() * 4);
    std::uint8_t* const out = pixels.data();
    constexpr Index worth_a_thread = 1 << 16;
#pragma omp parallel for schedule(static) if (count > worth_a_thread)
    for (Index i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Colour c = colour_of(cells.position[at], cells.classes[at], cells, colouring);
        out[4 * i] = c.r;
        out[4 * i + 1] = c.g;
        out[4 * i + 2] = c.b;
        out[4 * i + 3] = c.a;
    }
    return pixels;
}

}  // namespace attn
