#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanism.h"
#include "core/parameter.h"
#include "core/pattern_layer.h"

namespace attn {

/// What is looked at: the project's own toy picture and words, a user's picture, or a user's arrays.
struct Input {
    std::string name{};  ///< "photo.jpg"; empty for the toy
    std::string type{};  ///< "image/png", "image/jpeg", "application/x-npz"; empty for the toy
    std::shared_ptr<const std::string> bytes{};  ///< a picture as encode_for_scene gave it, or an .npz
    Index height = 0, width = 0;                 ///< pixels of a picture; 0 otherwise

    [[nodiscard]] bool toy() const { return type.empty(); }
    [[nodiscard]] bool picture() const { return type.starts_with("image/"); }
    [[nodiscard]] bool arrays() const { return type == "application/x-npz"; }
    friend bool operator==(const Input& a, const Input& b);
};

/// What is shown, as plain values: the one thing that the window edits and that every file, undo step and
/// exported figure carries. Knobs that are absent from `set` have their defaults.
struct Scene {
    std::string figure = "overlay";
    std::string mechanism = "non-local";
    std::string pattern = "local";
    Input input{};
    Values set{};
    friend bool operator==(const Scene&, const Scene&) = default;
};

/// A picture's bytes as an input, its size read from them. Throws Error when they cannot be decoded.
Input picture_input(std::string name, std::string type, std::string bytes);

/// Where the queries of this scene lie: the grid laid over the picture, or 1 × words. 1 × 0 where only an
/// evaluation can tell (the user's own arrays), 1 × 1 where nothing asks (channel gates).
Grid query_grid(const Scene& scene);
/// The cells that a scene's picture is averaged into; `knobs` are its own.
Grid picture_grid(const Scene& scene, const Knobs& knobs);

/// Whether the keys are the cells of a picture where the mechanism could look at source words as well: in the
/// figure `overlay` always, in `alignment` never, elsewhere as the knob `over` says.
bool looks_at_picture(const Scene& scene);

/// Every knob of this scene, in the order of the panel: query, the mechanism's, the input's, the figure's.
/// Throws UsageError for an unknown figure or mechanism, or a figure that does not show this mechanism.
std::vector<Parameter> schema(const Scene& scene);

/// Of those, the knobs of the scene's figure itself.
std::vector<Parameter> figure_knobs(const Scene& scene);

/// Sets a knob. Throws UsageError naming the knobs there are, or what was expected. What the change makes
/// impossible is mended: a query keeps its place in the picture when the grid changes, and stays among the
/// words when there are fewer.
void set_text(Scene& scene, std::string_view id, std::string_view text);
void set(Scene& scene, std::string_view id, const Value& value);
/// Knobs that decide which others a scene has, or how far those go, in the order in which they are set.
inline constexpr std::array<std::string_view, 3> deciding_knobs = {"stack", "over", "heads"};
/// The same for several at once, whose order does not matter: what is illegal on the way may be legal
/// together.
void set_all(Scene& scene, const Values& values);

/// The scene showing another mechanism or figure: knobs that the new one has too are kept, the rest dropped;
/// a figure that does not show the mechanism is replaced by the mechanism's best.
Scene with_mechanism(const Scene& scene, std::string_view id);
Scene with_figure(const Scene& scene, std::string_view id);
/// Another pattern in every layer.
Scene with_pattern(const Scene& scene, std::string_view id);

/// The layers of a scene about a pattern, input first: its stack, or its pattern alone.
std::vector<Layer> layers_of(const Scene& scene);

/// JSON (ASCII, keys in a fixed order):
/// {"attnscope":1,"figure":…,"mechanism":…,"input":{"name","type","data"}, "set":{…}}. The same scene gives
/// the same text.
std::string to_json(const Scene& scene);
/// Throws Error with what is wrong; unknown knobs and values out of range are errors, not dropped.
Scene scene_from_json(std::string_view json);

/// What evaluation depends on: where the mechanism is run all but the figure and the knobs of the groups
/// query and view; else all but the view.
std::string evaluation_key(const Scene& scene);

}  // namespace attn
