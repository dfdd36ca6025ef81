#include "app/figures/labels.h"

#include <algorithm>

#include "app/figures/parts.h"

namespace attn {
namespace {

constexpr double line_height = 14.0;
constexpr double clearance = 6.0;  ///< between names, and between a name and the matrix
constexpr double longest = 96.0;   ///< of a row's name

std::vector<std::string> numbers_to(Index count) {
    std::vector<std::string> texts;
    for (Index i = 0; i < count; ++i) texts.push_back(std::to_string(i));
    return texts;
}

double widest(const Canvas& canvas, const std::vector<std::string>& texts) {
    double most = 0.0;
    for (const std::string& text : texts) most = std::max(most, canvas.text_width(text, Type::label));
    return most;
}

/// 1, 2, 5, 10, 20 …: the first at which `room` per label is enough.
Index readable_step(double cell, double room) {
    Index step = 1;
    for (Index i = 0; cell * static_cast<double>(step) < room; ++i)
        step = i % 3 == 1 ? step * 5 / 2 : step * 2;
    return step;
}

Colour colour_of(const Theme& theme, const Lit& lit, Index i) {
    if (lit.accent == i) return theme.query;
    return lit.holds(i) ? theme.ink : theme.muted;
}

/// Which labels are written: the lit ones first, then every so manyth, none nearer to another than the step.
std::vector<bool> written(const Labels& labels, const Lit& lit, Index count) {
    std::vector<bool> chosen(static_cast<std::size_t>(count), false);
    const auto choose = [&](Index i) {
        if (i < 0 || i >= count) return;
        const Index last = std::min(count - 1, i + labels.step - 1);
        for (Index other = std::max<Index>(0, i - labels.step + 1); other <= last; ++other)
            if (chosen[static_cast<std::size_t>(other)]) return;
        chosen[static_cast<std::size_t>(i)] = true;
    };
    if (lit.accent) choose(*lit.accent);
    for (const Index i : lit.strong) choose(i);
    for (Index i = 0; i < count; i += labels.step) choose(i);
    return chosen;
}

/// In which of two lines label i stands: 0 is the nearer.
int line_of(const Labels& labels, Index i) {
    return labels.lines == 2 ? static_cast<int>(i / labels.step % 2) : 0;
}

void draw_rows(Canvas& canvas, const Theme& theme, const Panel& panel, const Labels& labels, const Lit& lit,
               bool at_left) {
    const double column = labels.depth / labels.lines;
    const double sign = at_left ? -1.0 : 1.0;
    const double edge = at_left ? panel.rect.x : panel.rect.right();
    const std::vector<bool> shown = written(labels, lit, panel.rows);
    for (Index i = 0; i < panel.rows; ++i) {
        if (!shown[static_cast<std::size_t>(i)]) continue;
        const Rect row = panel.row(i);
        const double far = column * line_of(labels, i);
        if (far > 0.0)
            canvas.line({edge + sign * 2.0, row.centre().y}, {edge + sign * (far + 2.0), row.centre().y},
                        {theme.hairline, 1.0});
        canvas.text({edge + sign * (clearance + far), middle_baseline(row.y, row.height, Type::label)},
                    labels.texts[static_cast<std::size_t>(i)],
                    {Type::label, colour_of(theme, lit, i), at_left ? Align::right : Align::left});
    }
}

}  // namespace

bool Lit::holds(Index i) const {
    return std::find(strong.begin(), strong.end(), i) != strong.end();
}

Labels column_labels(const Canvas& canvas, const std::vector<std::string>& names, Index count, double cell) {
    Labels labels;
    labels.texts = names;
    const double room = widest(canvas, names) + clearance;
    if (names.empty() || room > 2.0 * cell) {
        labels.numbers = true;
        labels.texts = numbers_to(count);
        labels.step = readable_step(cell, widest(canvas, labels.texts) + clearance);
    } else if (room > cell) {
        labels.lines = 2;
    }
    labels.depth = line_height * labels.lines + 4.0;
    return labels;
}

Labels row_labels(const Canvas& canvas, const std::vector<std::string>& names, Index count, double cell,
                  double room) {
    Labels labels;
    labels.numbers = names.empty();
    labels.texts = names.empty() ? numbers_to(count) : names;
    const double column = std::min({longest, room, widest(canvas, labels.texts)});
    for (std::string& text : labels.texts) text = canvas.fonts().fit(text, Type::label, column);
    if (cell < line_height - 2.0 && !labels.numbers && 2.0 * (column + clearance) <= room) labels.lines = 2;
    labels.step = readable_step(cell * labels.lines, line_height - 2.0);
    labels.depth = (column + clearance) * labels.lines;
    return labels;
}

void draw_column_labels(Canvas& canvas, const Theme& theme, const Panel& panel, const Labels& labels,
                        const Lit& lit, bool over) {
    const double edge = over ? panel.rect.y : panel.rect.bottom();
    const std::vector<bool> shown = written(labels, lit, panel.columns);
    for (Index i = 0; i < panel.columns; ++i) {
        if (!shown[static_cast<std::size_t>(i)]) continue;
        const double x = panel.cell(0, i).centre().x;
        const double far = line_height * line_of(labels, i);
        const double baseline = over ? edge - 5.0 - far : edge + 4.0 + far + cap_height(Type::label);
        if (far > 0.0)
            canvas.line({x, over ? edge - 2.0 : edge + 2.0}, {x, over ? edge - far - 2.0 : edge + far + 1.0},
                        {theme.hairline, 1.0});
        canvas.text({x, baseline}, labels.texts[static_cast<std::size_t>(i)],
                    {Type::label, colour_of(theme, lit, i), Align::centre});
    }
}

void draw_row_labels(Canvas& canvas, const Theme& theme, const Panel& panel, const Labels& labels,
                     const Lit& lit) {
    draw_rows(canvas, theme, panel, labels, lit, true);
}

void draw_row_labels_right(Canvas& canvas, const Theme& theme, const Panel& panel, const Labels& labels,
                           const Lit& lit) {
    draw_rows(canvas, theme, panel, labels, lit, false);
}

}  // namespace attn
