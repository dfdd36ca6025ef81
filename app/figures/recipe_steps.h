#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/recipe_panels.h"
#include "core/trace.h"

namespace attn {

/// Which of score, squash and multiply a step is on the way to.
std::string_view part_of(const Step& step);
/// Width over height of a step's picture.
double aspect_of(const Stage& stage, const Step& step);
/// One step as its shape says, on the lower edge of `picture`. Its colour bar is no narrower than
/// `narrowest`.
void draw_step(Stage& stage, const Step& step, Rect picture, double narrowest);

/// A row of small pictures under the panels: what a mechanism computes on the way, each drawn as its shape
/// says, addends of the score on the score's own range. Where the width is short the last are left out.
class StepStrip {
  public:
    static constexpr double least = 44.0;  ///< height of a picture

    static constexpr double under = under_panel + colour_bar_height;  ///< a picture

    explicit StepStrip(Stage& stage);

    void clear() { tiles_.clear(); }
    /// The height of the pictures in a strip that is at most this large, captions and colour bars included;
    /// 0 where there is no room for any.
    [[nodiscard]] double picture_height(Size room) const;
    [[nodiscard]] static double height(double picture);
    /// Of all tiles.
    [[nodiscard]] double width(double picture) const;
    /// With pictures of this height. Tiles that do not fit the room's width are left out, the last first.
    void draw(Rect room, double picture);

  private:
    struct Tile {
        const Step* step = nullptr;
        std::string name, remark;  ///< the label at its colon
        double aspect = 1.0;       ///< width over height
    };

    [[nodiscard]] double tile_width(const Tile& tile, double picture) const;
    [[nodiscard]] double gap_before(std::size_t i) const;
    void draw_tile(const Tile& tile, Rect picture, double slack);
    void draw_sign(std::size_t i, std::size_t shown, Rect picture);

    Stage& stage_;
    std::vector<Tile> tiles_;
};

}  // namespace attn
