#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/export/export.h"
#include "app/figure.h"
#include "app/figures/memo.h"
#include "app/gui/history.h"
#include "app/gui/worker.h"
#include "app/scene.h"
#include "app/theme.h"

namespace attn {

/// A value that was typed and is not legal: it stays to be seen, and the last legal picture stands.
struct Rejection {
    std::string id;  ///< of the slider or field
    std::string text;
    std::string sentence;
};

/// The figures that the window offers for a scene: those of its mechanism, then those about patterns.
std::vector<std::string_view> figures_of(const Scene& scene);

/// What a scene is called in a window's title and in names of files: "non-local-overlay", "axial-reach",
/// "cost".
std::string name_of(const Scene& scene);

/// What lies over the window.
enum class Sheet { none, palette, help, open, save };

/// Everything the window shows and all that can be done to it, without a word about pixels. Lives on the
/// interface thread.
class Workbench {
  public:
    /// `wake` makes the window draw soon; it is called on other threads.
    Workbench(Scene scene, std::shared_ptr<const Fonts> fonts, std::function<void()> wake);

    [[nodiscard]] const Scene& scene() const { return scene_; }
    [[nodiscard]] const std::vector<Parameter>& knobs() const { return knobs_; }
    [[nodiscard]] const Fonts& fonts() const { return *fonts_; }

    /// Shows another scene; one undo step with all changes of the same `gesture` before it. Asks for an
    /// evaluation when the result depends on what changed.
    void change(Scene next, const std::string& gesture = {});
    /// Sets a knob. Where the value is illegal nothing changes and the sentence is kept in rejection().
    void set(std::string_view id, const Value& value, const std::string& gesture = {});
    void set_text(std::string_view id, std::string_view text);
    void reset(std::string_view id);  ///< back to its default
    void reset_all();
    /// Goes to another figure. Each subject keeps the scene it was left with: coming back finds it, on the
    /// present input.
    void show_figure(std::string_view id);
    void show_mechanism(std::string_view id);
    /// A pattern alone, in the place of a stack of layers where there was one.
    void show_pattern(std::string_view id);
    /// What the figure is about.
    [[nodiscard]] Subject subject() const { return figure(scene_.figure).subject; }
    void end_gesture() { history_.close(); }
    void undo();
    void redo();
    [[nodiscard]] const History& history() const { return history_; }

    void reject(Rejection rejection) { rejection_ = std::move(rejection); }
    [[nodiscard]] const Rejection* rejection(std::string_view id) const;

    // The query.
    [[nodiscard]] Grid queries() const;  ///< 0 cells where this mechanism has none
    [[nodiscard]] Index query() const;
    void set_query(Index query, const std::string& gesture);
    void move_query(Index down, Index across);

    // What was computed.
    /// Takes over finished work; waits a moment for a result that is sure to come within this frame.
    void update();
    [[nodiscard]] const Result* result() const { return result_.get(); }
    /// The scene to draw the present result with: the current one, as far as the result answers it.
    [[nodiscard]] const Scene& shown() const { return shown_; }
    [[nodiscard]] bool current() const;  ///< the result answers the current scene
    [[nodiscard]] bool computing() const { return worker_.busy(); }
    [[nodiscard]] Memo& memo() { return memo_; }

    // Files: work goes on beside the interface thread and ends in a notice.
    void open(std::string path);
    void save_scene();  ///< as .json in the current folder, beside what is there
    void save_figure(std::string path, ExportOptions options);

    /// One quiet line in the status line; gone with the next action.
    struct Notice {
        std::string text;
        bool warning = false;
    };
    void say(std::string text) { notice_ = {std::move(text), false}; }
    void warn(std::string text) { notice_ = {std::move(text), true}; }
    void hush() { notice_ = {}; }
    [[nodiscard]] const Notice& notice() const { return notice_; }

    // Appearance.
    const Theme* theme = &light_theme();
    double zoom = 1.0;
    bool presenting = false;
    bool full_screen = false;
    bool closing = false;
    Sheet sheet = Sheet::none;
    Size figure_area;  ///< points, as last drawn

  private:
    /// What is left to do on the interface thread.
    using Finish = std::function<void(Workbench&)>;
    void start(std::function<Finish()> work);
    void go_to(std::optional<Scene> scene);
    void remember();
    void recall(Scene& scene) const;
    void settle();
    void refuse(const std::string& sentence);
    void refresh_shown();

    Scene scene_;
    std::vector<Parameter> knobs_;
    std::string key_;
    History history_;
    std::optional<Rejection> rejection_;
    bool refused_ = false;   ///< the rejection came from an evaluation, and goes with the next that succeeds
    std::string last_knob_;  ///< the knob that the last change set, if it was one
    std::shared_ptr<const Fonts> fonts_;
    std::shared_ptr<const Result> result_;
    std::map<std::string, Scene, std::less<>> left_;  ///< by subject
    Values kept_;                                     ///< knobs that another scene has no place for
    Scene answered_;                                  ///< the scene of result_
    Scene shown_;
    Memo memo_;
    Notice notice_;
    double last_milliseconds_ = 0.0;
    bool asked_ = false;
    std::function<void()> wake_;
    std::mutex finished_mutex_;
    std::vector<Finish> finished_;  ///< of work that is done, under the mutex
    Worker worker_;
    std::vector<std::future<void>>
        work_;  ///< the last member: its destructor waits for work that uses the others
};

}  // namespace attn
