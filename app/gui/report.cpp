#include "app/gui/report.h"

#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array role_names = {"pieces",   "queries", "keys", "pairs",
                                   "channels", "heads",   "axis", "mechanism"};
static_assert(role_names.size() == static_cast<std::size_t>(Hit::Role::mechanism) + 1);

/// Seconds since this process was started, loading included.
double process_age() {
    std::ifstream stat("/proc/self/stat");
    std::string text;
    std::getline(stat, text);
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string field;
    for (int i = 3; i <= 22 && fields >> field; ++i)
        continue;  // field 22: start time in clock ticks since boot
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const double seconds = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    return seconds - std::strtod(field.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

Json box(Rect rect, double scale) {
    return Json::array({rect.x * scale, rect.y * scale, rect.width * scale, rect.height * scale});
}

Json hits_json(const std::vector<Hit>& hits, double scale) {
    Json list = Json::array();
    for (const Hit& hit : hits) {
        list.push_back({{"role", role_names[static_cast<std::size_t>(hit.role)]},
                        {"rect", box(hit.area, scale)},
                        {"rows", hit.rows},
                        {"columns", hit.columns}});
    }
    return list;
}

}  // namespace

Report::Report(const std::string& path) {
    if (path.empty()) return;
    file_.open(path);
    if (!file_) throw Error("cannot write the report " + path);
}

bool Report::changed(const std::string& name, const std::string& text) {
    std::string& last = last_[name];
    if (last == text) return false;
    last = text;
    return true;
}

void Report::add(const Frame& frame) {
    ++frames_;
    if (!file_.is_open()) return;
    const Workbench& bench = frame.bench;
    Json line = {{"frame", frames_},
                 {"t", process_age()},
                 {"ms", frame.milliseconds},
                 {"current", bench.current()},
                 {"compute", bench.result() != nullptr ? bench.result()->milliseconds : -1.0},
                 {"query", bench.query()},
                 {"theme", bench.theme->id},
                 {"scale", frame.scale},
                 {"sheet", static_cast<int>(bench.sheet)},
                 {"status", bench.notice().text},
                 {"warning", bench.notice().warning}};
    if (const std::string scene = to_json(bench.scene()); changed("scene", scene))
        line["scene"] = Json::parse(scene);
    if (Json hits = hits_json(frame.hits, frame.scale); changed("hits", hits.dump()))
        line["hits"] = std::move(hits);
    Json widgets = Json::object();
    for (const auto& [id, rect] : frame.widgets) widgets[id] = box(rect, 1.0);
    if (changed("widgets", widgets.dump())) line["widgets"] = std::move(widgets);
    file_ << line.dump(-1, ' ', true, Json::error_handler_t::replace) << std::endl;
}

}  // namespace attn
