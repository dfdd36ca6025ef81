#include <algorithm>
#include <cmath>

#include "app/figures/format.h"
#include "app/figures/overlay_parts.h"

namespace attn {
namespace {

constexpr double section_gap = 16.0;
constexpr double line_height = 24.0;
constexpr std::size_t most_lines = 3;
constexpr double least_map = 44.0;
constexpr double name_height = 18.0;
constexpr double map_gap = 10.0;

std::size_t words_in(const Scenery& s) {
    return s.result().query_labels.size();
}

std::size_t query_of(const Scenery& s) {
    return static_cast<std::size_t>(s.reading.query);
}

void add_word_hit(Scenery& s, Rect area, std::size_t word) {
    s.hits.push_back({.area = area, .role = Hit::Role::queries, .order = {static_cast<Index>(word)}});
}

/// Where each word of the sentence stands, from its top left; a long sentence begins near the query.
struct Sentence {
    std::size_t first = 0;
    std::vector<Point> at;
    double height = 0.0;
};

Sentence set_from(const Scenery& s, double room, std::size_t first) {
    Sentence sentence{first, {}, line_height};
    const double space = s.canvas.text_width("  ", Type::lead);
    double x = 0.0;
    for (std::size_t w = first; w < words_in(s); ++w) {
        const double across = s.canvas.text_width(s.result().query_labels[w], Type::lead);
        if (x > 0.0 && x + across > room) {
            if (sentence.height >= line_height * static_cast<double>(most_lines) - 1.0) break;
            x = 0.0;
            sentence.height += line_height;
        }
        sentence.at.push_back({x, sentence.height - line_height});
        x += across + space;
    }
    return sentence;
}

Sentence set_sentence(const Scenery& s, double room) {
    Sentence sentence = set_from(s, room, 0);
    constexpr std::size_t before = 8;
    if (query_of(s) >= sentence.at.size()) sentence = set_from(s, room, query_of(s) - before);
    return sentence;
}

/// The words, the one that asks underlined in the query's accent.
void draw_sentence(Scenery& s, Rect room, const Sentence& sentence) {
    const Index pointed = s.page.focus.query.value_or(-1);
    for (std::size_t i = 0; i < sentence.at.size(); ++i) {
        const std::size_t word = sentence.first + i;
        const std::string text = s.canvas.fonts().fit(s.result().query_labels[word], Type::lead, room.width);
        const double across = s.canvas.text_width(text, Type::lead);
        const Point at{room.x + sentence.at[i].x, room.y + sentence.at[i].y};
        const bool asks = word == query_of(s);
        const Colour colour = asks                                  ? s.theme().query
                              : static_cast<Index>(word) == pointed ? s.theme().ink
                                                                    : s.theme().muted;
        s.canvas.text({at.x, middle_baseline(at.y, line_height, Type::lead)}, text, {Type::lead, colour});
        if (asks) s.canvas.fill({at.x, s.canvas.snap(at.y + line_height - 3.0), across, 2.0}, colour);
        add_word_hit(s, {at.x - 3.0, at.y, across + 6.0, line_height}, word);
    }
}

void draw_taken(Scenery& s, const Panel& keys, std::size_t word) {
    if (s.trace().picked.empty()) return;
    dot(s.canvas, s.theme(), keys.cell(s.trace().picked[word]), s.theme().ink);
}

void draw_picture(Scenery& s, const Panel& panel, double top) {
    caption(s.canvas, s.theme(), panel.rect.x, panel.rect.right(), top,
            {s.result().picture ? "picture" : "regions",
             std::to_string(panel.rows) + " × " + std::to_string(panel.columns) + " cells"});
    draw_ground(s, panel.rect);
    draw_grid(s, panel);
    mark(s, panel, true);
    draw_taken(s, panel, query_of(s));
    add_hit(s, panel, panel, true);
}

/// How many small maps there are beside each other and below, and how large.
struct Raster {
    Size map;
    std::size_t columns = 1, rows = 1;
};

Raster fitting(Rect room, double aspect, std::size_t count) {
    Raster best{{least_map * aspect, least_map}, 1, 1};
    const auto places = [&](double height) {
        const double across = (room.width + map_gap) / (height * aspect + map_gap);
        const double down = (room.height + map_gap) / (height + name_height + map_gap);
        return Raster{{height * aspect, height},
                      static_cast<std::size_t>(std::max(1.0, std::floor(across))),
                      static_cast<std::size_t>(std::max(1.0, std::floor(down)))};
    };
    constexpr double tallest = 150.0;
    for (double height = tallest; height >= least_map; height -= 1.0) {
        best = places(height);
        if (best.columns * best.rows >= count) break;
    }
    return best;
}

/// What every word looks at, each over the picture: the paper's own figure.
void draw_every_word(Scenery& s, Rect room) {
    const Grid keys = s.trace().keys;
    const double aspect = static_cast<double>(keys.width) / static_cast<double>(keys.height);
    const Rect inner{room.x, room.y + caption_height, room.width, room.height - caption_height};
    const Raster raster = fitting(inner, aspect, words_in(s));
    const std::size_t shown = std::min(words_in(s), raster.columns * raster.rows);
    const std::size_t first = std::min(query_of(s) - std::min(query_of(s), shown / 2), words_in(s) - shown);
    const std::string measure = shown < words_in(s)
                                    ? std::to_string(first + 1) + "–" + std::to_string(first + shown) +
                                          " of " + std::to_string(words_in(s)) + " words"
                                    : std::string("each on its own scale");
    caption(s.canvas, s.theme(), room.x, room.right(), room.y, {"what every word looks at", measure});
    const double pitch = raster.map.width + map_gap;
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t word = first + i;
        const auto column = static_cast<double>(i % raster.columns);
        const auto row = static_cast<double>(i / raster.columns);
        const Rect rect{s.canvas.snap(inner.x + column * pitch),
                        s.canvas.snap(inner.y + row * (raster.map.height + name_height + map_gap)),
                        s.canvas.snap(raster.map.width), s.canvas.snap(raster.map.height)};
        draw_ground(s, rect);
        s.canvas.heat_map(rect, s.row_map(s.page, static_cast<Index>(word), rect), s.view.real("opacity"));
        draw_taken(s, {rect, keys.height, keys.width}, word);
        const bool asks = word == query_of(s);
        if (asks) frame(s.canvas, s.theme(), rect, s.theme().query);
        s.canvas.text({rect.centre().x, rect.bottom() + 5.0 + cap_height(Type::label)},
                      s.canvas.fonts().fit(s.result().query_labels[word], Type::label, pitch - 2.0),
                      {Type::label, asks ? s.theme().query : s.theme().muted, Align::centre});
        add_word_hit(s, {rect.x, rect.y, rect.width, rect.height + name_height}, word);
    }
}

std::vector<Tile> word_tiles(const Scenery& s) {
    std::vector<Tile> all = row_tiles(s);
    if (const auto gate = s.trace().out.find("out.gate"); gate != s.trace().out.end()) {
        const auto values = gate->second->values();
        all.insert(all.begin(),
                   {significant(static_cast<double>(values[query_of(s)])), "gate β of the word"});
    }
    if (!s.trace().picked.empty()) {
        const auto key = static_cast<std::size_t>(s.trace().picked[query_of(s)]);
        all.insert(all.begin(), {significant(static_cast<double>(s.reading.weights[key])),
                                 "weight of the one cell taken"});
    }
    return all;
}

}  // namespace

std::vector<Hit> draw_words_over_picture(Scenery s, Rect body) {
    const Sentence sentence = set_sentence(s, body.width);
    draw_sentence(s, body, sentence);
    const double used = sentence.height + 12.0;
    const HeadStrip strip = strip_of(s, body.width, std::min(64.0, 0.14 * body.height));
    strip.draw(s.canvas, {body.x, body.y + used}, s.hits);
    const Rect main{body.x, body.y + used + strip.height(), body.width,
                    std::max(body.height - used - strip.height(), 120.0)};

    const Grid keys = s.trace().keys;
    const bool every = s.view.flag("matrix");
    const double side = every ? 0.31 * main.width : (main.width - gutter) / 2;
    const double left_width = 2 * side + gutter;
    std::vector<Tile> all = word_tiles(s);
    const double around = caption_height + under_panel + colour_bar_height + section_gap;
    while (all.size() > 1 && tiles_height(s.canvas, left_width, all) > 0.4 * main.height) all.pop_back();
    constexpr double least_picture = 110.0;
    if (main.height - around - tiles_height(s.canvas, left_width, all) < least_picture) all.clear();
    const double below = tiles_height(s.canvas, left_width, all);
    const Panel picture = square_cells(
        s.canvas, {main.x, main.y + caption_height, side, std::max(main.height - around - below, 40.0)},
        keys.height, keys.width);
    Panel row = picture;
    row.rect.x = s.canvas.snap(picture.rect.right() + gutter);
    draw_picture(s, picture, main.y);
    draw_row(s, row, main.y);
    draw_taken(s, row, query_of(s));
    if (const std::string taken = how_taken(s.page); !taken.empty())
        s.canvas.text({picture.rect.x, picture.rect.bottom() + under_panel + cap_height(Type::label)},
                      s.canvas.fonts().fit("● " + taken, Type::label, picture.rect.width),
                      {Type::label, s.theme().muted});
    const double start = row.rect.right() + 1.5 * gutter;
    const double tiles_room = every ? start - 1.5 * gutter - main.x : main.width;
    while (!all.empty() && tiles_height(s.canvas, tiles_room, all) > below + 1.0) all.pop_back();
    tiles(s.canvas, s.theme(), {main.x, picture.rect.bottom() + around - caption_height, tiles_room, below},
          all);
    if (every) draw_every_word(s, {start, main.y, main.right() - start, main.height});
    return std::move(s.hits);
}

}  // namespace attn
