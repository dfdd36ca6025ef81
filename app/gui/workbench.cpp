#include "app/gui/workbench.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <utility>

#include "app/open.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"

namespace attn {
namespace {

/// An evaluation that took less will be waited for: the picture then changes in the frame in which the
/// pointer moved.
constexpr double fast_milliseconds = 8.0;
constexpr std::chrono::milliseconds patience{11};

std::string without_knob(const std::string& sentence) {
    const std::size_t colon = sentence.find("': ");
    return sentence.starts_with("knob '") && colon != std::string::npos ? sentence.substr(colon + 3)
                                                                        : sentence;
}

/// "scene.json", or "scene-2.json" where that is taken.
std::string free_name(const std::string& stem, const std::string& extension) {
    std::string name = stem + extension;
    std::error_code unreadable;
    for (int i = 2; std::filesystem::exists(name, unreadable); ++i) {
        name = stem;
        name.append("-").append(std::to_string(i)).append(extension);
    }
    return name;
}

/// Whether a knob's value is kept while another mechanism or pattern is shown: a text that was typed, a
/// window that was found. Where one looks and through how many layers belongs to the scene.
bool outlives(const Parameter& knob) {
    return knob.group == Parameter::Group::mechanism || knob.group == Parameter::Group::input;
}

/// The name under which it is kept: its own knobs are a mechanism's or pattern's, the input is everybody's.
std::string place_of(const Parameter& knob, const Scene& scene) {
    if (knob.group != Parameter::Group::mechanism) return knob.id;
    const bool pattern = figure(scene.figure).subject == Subject::pattern;
    return (pattern ? "pattern " + scene.pattern : "mechanism " + scene.mechanism) + ' ' + knob.id;
}

}  // namespace

std::vector<std::string_view> figures_of(const Scene& scene) {
    std::vector<std::string_view> ids = mechanism(scene.mechanism).figures;
    for (const Figure& one : figures())
        if (one.subject != Subject::mechanism) ids.push_back(one.id);
    return ids;
}

std::string name_of(const Scene& scene) {
    switch (figure(scene.figure).subject) {
        case Subject::mechanism:
            return scene.mechanism + "-" + scene.figure;
        case Subject::pattern:
            return scene.pattern + "-" + scene.figure;
        case Subject::none:
            break;
    }
    return scene.figure;
}

Workbench::Workbench(Scene scene, std::shared_ptr<const Fonts> fonts, std::function<void()> wake)
    : scene_(std::move(scene)), fonts_(std::move(fonts)), wake_(wake), worker_(std::move(wake)) {
    settle();
}

void Workbench::settle() {
    knobs_ = schema(scene_);
    std::string key = evaluation_key(scene_);
    if (key != key_) {
        key_ = std::move(key);
        worker_.request(scene_);
        asked_ = true;
    }
    refresh_shown();
}

void Workbench::change(Scene next, const std::string& gesture) {
    hush();
    if (next == scene_) return;
    history_.record(scene_, gesture);
    scene_ = std::move(next);
    rejection_.reset();
    last_knob_.clear();
    settle();
}

void Workbench::set(std::string_view id, const Value& value, const std::string& gesture) {
    const std::string knob(id);  // the id may lie in the schema that the change replaces
    try {
        Scene next = scene_;
        attn::set(next, knob, value);
        change(std::move(next), gesture);
        last_knob_ = knob;
    } catch (const Error& error) {
        reject({knob, format(value), without_knob(error.what())});
    }
}

void Workbench::set_text(std::string_view id, std::string_view text) {
    const std::string knob(id);
    try {
        Scene next = scene_;
        attn::set_text(next, knob, text);
        rejection_.reset();
        change(std::move(next));
        last_knob_ = knob;
    } catch (const Error& error) {
        reject({knob, std::string(text), without_knob(error.what())});
    }
}

void Workbench::show_figure(std::string_view id) {
    const auto place = [](const Figure& shown) {
        return shown.subject == Subject::mechanism ? std::string("mechanism")
               : shown.subject == Subject::pattern ? std::string("pattern")
                                                   : std::string(shown.id);
    };
    const std::string from = place(figure(scene_.figure));
    const std::string to = place(figure(id));
    Scene next = scene_;
    if (from != to) {
        left_.insert_or_assign(from, scene_);
        if (const auto kept = left_.find(to); kept != left_.end()) next = kept->second;
        next.input = scene_.input;
        // The tabs are those of the present mechanism, whatever undo has done since the scene was left.
        if (to == "mechanism")
            next = with_mechanism(next, scene_.mechanism);
        else
            next.mechanism = scene_.mechanism;
    }
    change(with_figure(next, id));
}

void Workbench::show_mechanism(std::string_view id) {
    if (subject() != Subject::mechanism) show_figure(mechanism(scene_.mechanism).figures.front());
    remember();
    Scene next = with_mechanism(scene_, id);
    recall(next);
    change(std::move(next));
}

void Workbench::show_pattern(std::string_view id) {
    if (subject() != Subject::pattern) show_figure("reach");
    const bool stacked = scene_.set.contains("stack");
    remember();
    Scene next = with_pattern(scene_, id);
    recall(next);
    change(std::move(next));
    if (stacked) say("the stack of layers gave way to one pattern; undo brings it back");
}

/// Knobs that are set keep their values for when a scene has a place for them again.
void Workbench::remember() {
    for (const Parameter& knob : knobs_) {
        if (!outlives(knob)) continue;
        const auto set = scene_.set.find(knob.id);
        if (set == scene_.set.end())
            kept_.erase(place_of(knob, scene_));
        else
            kept_.insert_or_assign(place_of(knob, scene_), set->second);
    }
}

void Workbench::recall(Scene& scene) const {
    for (const Parameter& knob : schema(scene)) {
        const auto kept = kept_.find(place_of(knob, scene));
        if (!outlives(knob) || kept == kept_.end() || scene.set.contains(knob.id)) continue;
        try {
            attn::set(scene, knob.id, kept->second);
        } catch (const Error&) {
            continue;  // not legal beside what is set here: the default serves
        }
    }
}

void Workbench::reset(std::string_view id) {
    if (const Parameter* knob = find(knobs_, id)) set(id, knob->initial);
    rejection_.reset();
}

void Workbench::reset_all() {
    Scene next = scene_;
    next.set.clear();
    change(std::move(next));
    rejection_.reset();
}

void Workbench::go_to(std::optional<Scene> scene) {
    hush();
    if (!scene) return;
    scene_ = std::move(*scene);
    rejection_.reset();
    last_knob_.clear();
    settle();
}

void Workbench::undo() {
    go_to(history_.undo(scene_));
}

void Workbench::redo() {
    go_to(history_.redo(scene_));
}

const Rejection* Workbench::rejection(std::string_view id) const {
    return rejection_ && rejection_->id == id ? &*rejection_ : nullptr;
}

Grid Workbench::queries() const {
    if (find(knobs_, "query") == nullptr) return {1, 0};
    const Grid grid = query_grid(scene_);
    return grid.size() == 0 && result_ && current() ? result_->trace.queries : grid;
}

Index Workbench::query() const {
    if (find(knobs_, "query") == nullptr) return 0;
    const Index wished = std::get<Index>(value_of(knobs_, scene_.set, "query"));
    return std::clamp<Index>(wished, 0, std::max<Index>(queries().size() - 1, 0));
}

void Workbench::set_query(Index query, const std::string& gesture) {
    const Index count = queries().size();
    if (count > 0) set("query", std::clamp<Index>(query, 0, count - 1), gesture);
}

void Workbench::move_query(Index down, Index across) {
    const Grid grid = queries();
    if (grid.size() == 0) return;
    if (grid.height == 1) across += std::exchange(down, 0);
    const Index row = std::clamp<Index>(query() / grid.width + down, 0, grid.height - 1);
    const Index column = std::clamp<Index>(query() % grid.width + across, 0, grid.width - 1);
    set_query(row * grid.width + column, "query by keys");
}

bool Workbench::current() const {
    return result_ && result_->key == key_;
}

void Workbench::update() {
    std::vector<Finish> finished;
    {
        const std::lock_guard lock(finished_mutex_);
        finished.swap(finished_);
    }
    for (const Finish& finish : finished) finish(*this);
    std::erase_if(work_, [](const std::future<void>& work) {
        return work.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });

    const bool wait = std::exchange(asked_, false) && last_milliseconds_ < fast_milliseconds;
    std::optional<Answer> answer = worker_.take(wait ? patience : std::chrono::milliseconds(0));
    if (!answer) return;
    last_milliseconds_ = answer->milliseconds;
    if (!answer->result) {
        if (evaluation_key(answer->scene) == key_) refuse(answer->error);
        return;
    }
    if (refused_) rejection_.reset();
    refused_ = false;
    result_ = std::move(answer->result);
    answered_ = std::move(answer->scene);
    refresh_shown();
}

/// The scene is legal knob by knob but cannot be computed: says so, at the knob that was set last where it
/// was a knob.
void Workbench::refuse(const std::string& sentence) {
    warn(sentence);
    if (find(knobs_, last_knob_) == nullptr) return;
    reject({last_knob_, format(value_of(knobs_, scene_.set, last_knob_)), without_knob(sentence)});
    refused_ = true;
}

/// While a result is awaited, the old one is drawn with what is new and does not touch it (the view, and the
/// query of a mechanism) if it is about the same; else with its own scene.
void Workbench::refresh_shown() {
    if (current()) {
        shown_ = scene_;
        return;
    }
    const bool mechanisms = figure(scene_.figure).holds_every_query();
    const bool same = mechanisms
                          ? figure(answered_.figure).holds_every_query() &&
                                answered_.mechanism == scene_.mechanism && answered_.input == scene_.input &&
                                looks_at_picture(answered_) == looks_at_picture(scene_)
                          : answered_.figure == scene_.figure && answered_.pattern == scene_.pattern &&
                                answered_.mechanism == scene_.mechanism;
    shown_ = answered_;
    if (!same) return;
    shown_.figure = scene_.figure;
    for (const Parameter& knob : knobs_) {
        const bool free =
            knob.group == Parameter::Group::view || (mechanisms && knob.group == Parameter::Group::query);
        if (!free) continue;
        shown_.set.erase(knob.id);
        if (const auto now = scene_.set.find(knob.id); now != scene_.set.end()) shown_.set.insert(*now);
    }
}

void Workbench::start(std::function<Finish()> work) {
    work_.push_back(std::async(std::launch::async, [this, work = std::move(work)] {
        Finish finish;
        try {
            finish = work();
        } catch (const std::exception& failure) {
            finish = [sentence = std::string(failure.what())](Workbench& bench) { bench.warn(sentence); };
        }
        {
            const std::lock_guard lock(finished_mutex_);
            finished_.push_back(std::move(finish));
        }
        wake_();
    }));
}

void Workbench::open(std::string path) {
    hush();
    start([path = std::move(path), scene = scene_]() -> Finish {
        Scene opened = open_file(scene, path);
        return [opened = std::move(opened)](Workbench& bench) { bench.change(opened); };
    });
}

void Workbench::save_scene() {
    hush();
    start([scene = scene_]() -> Finish {
        const std::string path = free_name(name_of(scene), ".json");
        write_file(path, to_json(scene));
        return [path](Workbench& bench) { bench.say("written: " + path); };
    });
}

void Workbench::save_figure(std::string path, ExportOptions options) {
    hush();
    if (!current()) {
        warn("the figure is still being computed; export it again in a moment");
        return;
    }
    start([path = std::move(path), options = std::move(options), scene = scene_, result = result_,
           fonts = fonts_]() -> Finish {
        write_file(path, export_figure(scene, *result, *fonts, options));
        return [path](Workbench& bench) { bench.say("written: " + path); };
    });
}

}  // namespace attn
