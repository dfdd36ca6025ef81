#include "tests/figures/specimen.h"

#include <array>
#include <cmath>

namespace attn {

HeatMap specimen_heat_map(const Theme& theme, Index n) {
    Cells cells;
    cells.height = cells.width = n;
    cells.low = 0.0F;
    cells.high = 1.0F;
    for (Index i = 0; i < n * n; ++i) {
        cells.position.push_back(static_cast<float>((i * 37) % 256) / 255.0F);
        cells.classes.push_back(i < 7 ? static_cast<CellClass>(i) : CellClass::value);
    }
    return {std::make_shared<const Cells>(std::move(cells)), weight_colouring(theme)};
}

namespace {

std::shared_ptr<const Picture> gradient() {
    Picture picture{6, 6, {}};
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 6; ++x)
            for (const int part : {x * 51, y * 51, 255 - x * 51})
                picture.rgb.push_back(static_cast<std::uint8_t>(part));
    return std::make_shared<const Picture>(std::move(picture));
}

void draw_words(Canvas& canvas, const Theme& theme) {
    canvas.text({20, 30}, "Non-local block", {Type::title, theme.ink});
    canvas.text({20, 50}, "Small τ picks one, large τ averages: q·k ∈ ℝ, W xᵀ.", {Type::lead, theme.muted});
    canvas.text({20, 70}, "score", {Type::emphasis, theme.ink});
    canvas.text({180, 70}, "e = θ(xᵢ)·φ(xⱼ)", {Type::caption, theme.muted, Align::right});
    canvas.text({380, 222}, "0.0417 & <11.11>", {Type::tile, theme.ink, Align::centre});
    canvas.text({380, 240}, "QUERIES  AND  KEYS", {Type::label, theme.muted, Align::centre});
    canvas.text({20, 272}, "e = 0.912 → α = exp(0.912/0.15) / Σ = 0.0417", {Type::formula, theme.ink});
}

}  // namespace

void draw_specimen_shapes(Canvas& canvas, const Theme& theme) {
    canvas.heat_map({20, 76, 160, 160}, specimen_heat_map(theme, 16));
    canvas.rect({70, 126, 10, 10}, {theme.query, 2.0});
    canvas.image({200, 76, 80, 80}, gradient());
    canvas.heat_map({200, 156, 80, 80}, specimen_heat_map(theme, 8), 0.5);

    canvas.push_clip({300, 76, 160, 60});
    std::array<Point, 41> curve;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double x = static_cast<double>(i) * 4.0;
        curve[i] = {300 + x, 106 - 40 * std::sin(x / 20.0)};  // leaves the clip above and below
    }
    canvas.polyline(curve, {theme.bar, 2.0});
    canvas.pop_clip();
    canvas.line({300, 106}, {460, 106}, {theme.muted, 1.0, true});
    canvas.line({300, 136}, {460, 136}, {theme.hairline, 1.0});
    for (int i = 0; i < 12; ++i)
        canvas.fill({300.0 + 6.4 * i, 190.0 - 4 * i, 5.0, 4.0 * i}, i == 4 ? theme.query : theme.bar);
    const Point triangle[] = {{390, 190}, {420, 150}, {440, 190}};
    canvas.polygon(triangle, mix(theme.bar, theme.ground, 0.5));
    canvas.circle({450, 160}, 6.0, theme.panel, {theme.ink, 2.0});
    canvas.circle({450, 180}, 3.0, theme.query, {theme.ink, 0.0});
    canvas.fill({400, 250, 60, 24}, theme.panel, 5.0);
    canvas.rect({400, 250, 60, 24}, {theme.hairline, 1.0}, 5.0);
    canvas.line({20, 289}, {460, 289}, {theme.hairline, 1.0});
}

void draw_specimen(Canvas& canvas, const Theme& theme) {
    draw_words(canvas, theme);
    draw_specimen_shapes(canvas, theme);
}

}  // namespace attn
