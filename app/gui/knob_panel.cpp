#include <algorithm>
#include <string>

#include "app/figures/format.h"
#include "app/gui/knob_scale.h"
#include "app/gui/layer_list.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/expression.h"

namespace attn {
namespace {

constexpr double margin = 20;

std::string label_of(const Parameter& knob) {
    const bool said = knob.symbol == knob.label || knob.label.ends_with(" " + knob.symbol);
    return knob.symbol.empty() || said ? knob.label : knob.label + " " + knob.symbol;
}

/// Why the knob has no effect now: "needs pairwise function = gaussian or embedded-gaussian".
std::string reason(const Parameter& knob, const std::vector<Parameter>& knobs) {
    const Parameter* by = find(knobs, knob.enabled_by);
    std::string text = "has an effect only with " + (by != nullptr ? by->label : knob.enabled_by) + " = ";
    for (std::size_t i = 0; i < knob.enabled_for.size(); ++i) {
        std::string choice = knob.enabled_for[i];
        if (by != nullptr) {
            for (const Choice& one : by->choices) {
                if (one.id == choice) choice = one.label;
            }
        }
        text += (i == 0 ? "" : i + 1 == knob.enabled_for.size() ? " or " : ", ") + choice;
    }
    return text;
}

/// The panel's column while it is being drawn from top to bottom.
class Column {
  public:
    Column(Ui& ui, Workbench& bench, Rect area, double scroll)
        : ui_(ui),
          bench_(bench),
          x_(area.x + margin),
          width_(area.width - 2 * margin),
          y_(area.y - scroll + 14) {}

    [[nodiscard]] double y() const { return y_; }
    void head(std::string_view title);
    void knob(const Parameter& knob);
    void position(const Parameter& knob);
    void place(const Parameter& knob, const Value& value);
    void lines(std::string_view text, Type type, Colour colour, double gap);
    void row(std::string_view name, std::string_view value);
    void space(double height) { y_ += height; }

  private:
    void number(const Parameter& knob, const Value& value, Colour accent,
                const std::function<void(const Value&, const std::string&)>& assign);
    void choice(const Parameter& knob, const Value& value, bool active);
    void words(const Parameter& knob, const Value& value);
    void complaint(std::string_view id);
    void mark_error(const std::string& rule);

    Ui& ui_;
    Workbench& bench_;
    double x_;
    double width_;
    double y_;
};

void Column::head(std::string_view title) {
    y_ += section_head(ui_, {x_, y_}, title);
}

void Column::lines(std::string_view text, Type type, Colour colour, double gap) {
    for (const std::string& line : ui_.fonts().wrap(text, type, width_)) {
        const double height = Fonts::line_height(type);
        ui_.text(x_, y_ + height / 2, line, type, colour);
        y_ += height;
    }
    y_ += gap;
}

void Column::row(std::string_view name, std::string_view value) {
    ui_.text(x_, y_ + 10, name, Type::body, ui_.theme().ink);
    ui_.text(x_ + width_, y_ + 10, value, Type::strong, ui_.theme().ink, Align::right);
    y_ += 24;
}

void Column::complaint(std::string_view id) {
    const Rejection* rejection = bench_.rejection(id);
    if (rejection == nullptr) return;
    y_ -= 4;
    lines(rejection->sentence, Type::caption, ui_.theme().warning, 14);
}

/// A slider over a number; `assign` sets it, within a gesture.
void Column::number(const Parameter& knob, const Value& value, Colour accent,
                    const std::function<void(const Value&, const std::string&)>& assign) {
    const bool active = enabled(knob, bench_.knobs(), bench_.scene().set);
    const Rejection* rejection = bench_.rejection(knob.id);
    SliderLook look{.id = "knob." + knob.id,
                    .label = label_of(knob),
                    .value = rejection != nullptr ? rejection->text : shown_value(knob, value),
                    .share = share_of(knob, number_of(value)),
                    .accent = accent,
                    .enabled = active,
                    .rejected = rejection != nullptr,
                    .help = active ? knob.help : reason(knob, bench_.knobs())};
    const SliderEvent event = slider(ui_, {x_, y_}, width_, look);
    y_ += slider_height;
    complaint(knob.id);
    if (event.share) assign(value_at(knob, *event.share, Ui::shift()), "drag " + knob.id);
    if (event.steps != 0.0) assign(stepped(knob, number_of(value), event.steps), "wheel " + knob.id);
    if (event.reset) assign(knob.initial, "drag " + knob.id);
    if (event.released) bench_.end_gesture();
    if (!event.typed || *event.typed == look.value) return;
    try {
        const bool automatic = !knob.automatic.empty() && *event.typed == knob.automatic;
        assign(automatic ? Value(Index{0}) : parse(knob, *event.typed), "");
    } catch (const Error& error) {
        const std::string sentence = error.what();
        const std::size_t colon = sentence.find("': ");
        bench_.reject(
            {knob.id, *event.typed, colon == std::string::npos ? sentence : sentence.substr(colon + 3)});
    }
}

/// The query: a row and a column on a picture's grid, else one position.
void Column::position(const Parameter& knob) {
    const Grid grid = bench_.queries();
    if (grid.size() == 0) return;
    const Colour accent = ui_.theme().query;
    const Index query = bench_.query();
    const Index initial = std::get<Index>(knob.initial);
    const auto axis = [&](const std::string& id, std::string help, Index at, Index count, Index start,
                          auto place) {
        const Parameter one{.id = id,
                            .label = id,
                            .help = std::move(help),
                            .kind = Parameter::Kind::integer,
                            .group = Parameter::Group::query,
                            .initial = start,
                            .low = 0,
                            .high = static_cast<double>(count - 1)};
        number(one, at, accent, [&](const Value& value, const std::string& gesture) {
            bench_.set_query(place(std::get<Index>(value)), gesture);
        });
    };
    if (grid.height == 1) {
        const bool channels = bench_.subject() == Subject::mechanism &&
                              mechanism(bench_.scene().mechanism).family == Family::channels;
        axis(channels ? "channel" : "position", knob.help, query, grid.width, initial,
             [](Index at) { return at; });
        return;
    }
    axis("row", "the query's row in the picture", query / grid.width, grid.height, initial / grid.width,
         [&](Index row) { return row * grid.width + query % grid.width; });
    axis("column", "the query's column in the picture", query % grid.width, grid.width, initial % grid.width,
         [&](Index column) { return query / grid.width * grid.width + column; });
}

/// Another position than the query, chosen in the figure; a click goes back to the automatic one.
void Column::place(const Parameter& knob, const Value& value) {
    const Index at = std::get<Index>(value);
    const Index width = std::max<Index>(bench_.queries().width, 1);
    const std::string shown =
        at < 0 ? "automatic" : "(" + std::to_string(at / width) + ", " + std::to_string(at % width) + ")";
    const Touch touch =
        ui_.touch("knob." + knob.id, {x_, y_, width_, 20}, at < 0 ? Cursor::arrow : Cursor::hand);
    if (touch.hovered) ui_.state().help = "Ctrl and a click in the figure choose it; a click here lets it go";
    if (touch.clicked) bench_.reset(knob.id);
    row(label_of(knob), shown);
    y_ += 10;
}

void Column::choice(const Parameter& knob, const Value& value, bool active) {
    std::vector<std::string> labels;
    std::optional<std::size_t> selected;
    for (const Choice& one : knob.choices) {
        if (one.id == std::get<std::string>(value)) selected = labels.size();
        labels.push_back(one.label);
    }
    const Touch name = ui_.touch("knob." + knob.id + ".name", {x_, y_, width_, 18});
    if (name.hovered) ui_.state().help = active ? knob.help : reason(knob, bench_.knobs());
    ui_.text(x_, y_ + 10, label_of(knob), Type::body,
             active ? ui_.theme().ink : mix(ui_.theme().muted, ui_.theme().panel, 0.45));
    const double height = segments_height(ui_.fonts(), labels, width_);
    const SegmentEvent event =
        segments(ui_, "knob." + knob.id, {x_, y_ + 25, width_, height}, labels, selected, active);
    if (event.hovered) {
        const Choice& one = knob.choices[*event.hovered];
        ui_.state().help = active ? one.help : reason(knob, bench_.knobs());
        if (!active) ui_.state().tip = ui_.state().help;
    }
    if (event.clicked) bench_.set(knob.id, knob.choices[*event.clicked].id);
    y_ += height + 25 + 14;
}

/// A caret under the place of a typed rule at which it cannot be read.
void Column::mark_error(const std::string& rule) {
    try {
        static_cast<void>(Expression(rule, Grid{1, 1}));
    } catch (const ExpressionError& error) {
        constexpr double text_inset = 8;
        const double x =
            text_inset + ui_.fonts().width(std::string_view(rule).substr(0, error.position), Type::body);
        ui_.text(x_ + std::min(x, width_ - text_inset), y_ - 9, "^", Type::strong, ui_.theme().warning);
        y_ += 8;
    }
}

void Column::words(const Parameter& knob, const Value& value) {
    ui_.text(x_, y_ + 10, label_of(knob), Type::body, ui_.theme().ink);
    const Rejection* rejection = bench_.rejection(knob.id);
    const std::string& text = rejection != nullptr ? rejection->text : std::get<std::string>(value);
    const FieldEvent event =
        text_field(ui_, "knob." + knob.id, {x_, y_ + 25, width_, 28}, text, {}, rejection != nullptr);
    y_ += 67;
    // A rule is read while it is typed, so that the place of an error is seen at once; words are taken by
    // Enter.
    const bool rule = knob.id == "text";
    if (rule) mark_error(text);
    complaint(knob.id);
    if ((event.submitted || (rule && event.changed)) && event.text != text)
        bench_.set_text(knob.id, event.text);
}

void Column::knob(const Parameter& knob) {
    if (knob.id == "stack") {
        y_ += draw_layer_list(ui_, bench_, {x_, y_}, width_);
        return;
    }
    const Value value = value_of(bench_.knobs(), bench_.scene().set, knob.id);  // a copy: it may be set below
    const bool active = enabled(knob, bench_.knobs(), bench_.scene().set);
    switch (knob.kind) {
        case Parameter::Kind::position:
            if (knob.id == "query") {
                position(knob);
            } else {
                place(knob, value);
            }
            return;
        case Parameter::Kind::choice:
            choice(knob, value, active);
            return;
        case Parameter::Kind::text:
            words(knob, value);
            return;
        case Parameter::Kind::toggle: {
            const Rect row{x_, y_ - 2, width_, 24};
            if (toggle(ui_, "knob." + knob.id, row, label_of(knob), std::get<bool>(value), active)) {
                bench_.set(knob.id, !std::get<bool>(value));
            }
            if (row.contains(ui_.pointer()))
                ui_.state().help = active ? knob.help : reason(knob, bench_.knobs());
            y_ += 34;
            return;
        }
        case Parameter::Kind::integer:
        case Parameter::Kind::real:
            number(
                knob, value, knob.group == Parameter::Group::query ? ui_.theme().query : ui_.theme().ink,
                [&](const Value& next, const std::string& gesture) { bench_.set(knob.id, next, gesture); });
            return;
    }
}

void draw_group(Column& column, const std::vector<Parameter>& knobs, Parameter::Group group,
                std::string_view title) {
    bool any = false;
    for (const Parameter& knob : knobs) {
        if (knob.group != group) continue;
        if (!any) column.head(title);
        any = true;
        column.knob(knob);
    }
}

/// The mechanism in symbols, and where it comes from.
void draw_source(Column& column, const Mechanism& shown, const Theme& theme) {
    column.head("EQUATION");
    for (const std::string_view step : {shown.score, shown.squash, shown.multiply}) {
        column.lines(step, Type::body, theme.ink, 3);
    }
    column.space(2);
    column.lines(shown.source, Type::caption, theme.muted, 10);
}

/// The pattern's setting as a sentence: "7 keys a side: 3 left, itself, 3 right".
void draw_setting(Column& column, const Scene& scene, const Theme& theme) {
    const std::vector<Layer> layers = layers_of(scene);
    if (layers.size() != 1 || layers.front().kind != Layer::Kind::pattern) return;
    const Pattern& shown = pattern(layers.front().id);
    if (shown.sentence == nullptr) return;
    const Knobs knobs(shown.parameters, layers.front().set);
    column.lines(shown.sentence(knobs, query_grid(scene)), Type::caption, theme.muted, 10);
}

/// Heads of the groups, by what the scene is about.
struct Titles {
    std::string_view query, own, layers, input;
};
Titles titles_of(const Scene& scene) {
    switch (figure(scene.figure).subject) {
        case Subject::mechanism:
            if (figure(scene.figure).ask != nullptr) return {"MARK", "PARAMETERS", "LAYERS", "EXPERIMENT"};
            return {"QUERY", "PARAMETERS", "LAYERS",
                    mechanism(scene.mechanism).family == Family::sequences ? "WORDS" : "PICTURE"};
        case Subject::pattern:
            return {"QUERY", "PATTERN", "LAYERS", "GRID"};
        case Subject::none:
            break;
    }
    // A figure about costs has no query, and its one accent is the mark.
    return find(schema(scene), "query") == nullptr ? Titles{"MARK", "PARAMETERS", "CURVES", "GRID"}
                                                   : Titles{"QUERY", "PARAMETERS", "PATTERNS", "GRID"};
}

/// What the shown map costs, and what it would at the size of a usual picture.
void draw_cost(Column& column, const Trace& trace) {
    if (trace.queries.size() <= 1) return;
    const double pairs = static_cast<double>(trace.queries.size()) * static_cast<double>(trace.keys.size());
    column.head("COST OF ONE MAP");
    column.row("pairs", grouped(trace.queries.size() * trace.keys.size()));
    column.row("matrix, fp32", bytes(pairs * 4));
    if (trace.queries.height == 1) return;
    const double positions = 224.0 * 224.0;
    const double pooled = static_cast<double>(trace.keys.size()) / static_cast<double>(trace.queries.size());
    column.row("at 224²", bytes(positions * positions * pooled * 4));
}

}  // namespace

void draw_knobs(Ui& ui, Workbench& bench, PanelState& state, Rect area) {
    if (area.width <= 0) return;
    const Theme& theme = ui.theme();
    ui.ground(area, theme.panel);
    ui.canvas().fill({area.x, area.y, 1, area.height}, theme.hairline);
    const Ui::Clip inside = ui.clip(area);
    Column column(ui, bench, area, state.knobs_scroll);
    const double begin = column.y();
    const std::vector<Parameter> knobs = bench.knobs();  // a copy: a change below makes the bench's own anew
    const Titles titles = titles_of(bench.scene());
    draw_group(column, knobs, Parameter::Group::query, titles.query);
    draw_group(column, knobs, Parameter::Group::mechanism, titles.own);
    if (bench.subject() == Subject::pattern) draw_setting(column, bench.scene(), theme);
    draw_group(column, knobs, Parameter::Group::layers, titles.layers);
    draw_group(column, knobs, Parameter::Group::input, titles.input);
    draw_group(column, knobs, Parameter::Group::view, "VIEW");
    if (bench.subject() == Subject::mechanism) {
        draw_source(column, mechanism(bench.scene().mechanism), theme);
        if (bench.result() != nullptr && bench.result()->mechanism != nullptr)
            draw_cost(column, bench.result()->trace);
    }
    state.knobs_scroll = scrolled(ui, area, column.y() - begin + 28, state.knobs_scroll);
}

}  // namespace attn
