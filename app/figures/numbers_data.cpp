#include "app/figures/numbers_data.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/figures/format.h"
#include "assets.h"

namespace attn {
namespace {

using Json = nlohmann::json;

/// The text under a key; `otherwise` where there is none.
std::string text_at(const Json& object, const char* key, const std::string& otherwise = {}) {
    return object.value(key, otherwise);
}

PublishedChart::Form form_of(const std::string& name) {
    if (name == "dots") return PublishedChart::Form::dots;
    if (name == "bars") return PublishedChart::Form::bars;
    if (name == "shares") return PublishedChart::Form::shares;
    if (name == "figures") return PublishedChart::Form::figures;
    throw std::logic_error("assets/numbers: no form '" + name + "'");
}

/// A row; what it does not say is its chart's.
PublishedValue value_of(const Json& row, const Json& chart, const std::string& source) {
    PublishedValue value;
    value.label = row.at("label").get<std::string>();
    value.low = row.contains("low") ? row.at("low").get<double>() : row.at("value").get<double>();
    value.high = row.contains("high") ? row.at("high").get<double>() : value.low;
    if (row.contains("from")) value.from = row.at("from").get<double>();
    value.own = row.value("own", false);
    value.metric = text_at(row, "metric", text_at(chart, "metric"));
    value.unit = text_at(row, "unit", text_at(chart, "unit"));
    value.higher_is_better = text_at(row, "better", text_at(chart, "better")) == "higher";
    value.decimals = row.value("decimals", chart.value("decimals", 0));
    value.with_sign = chart.value("signed", false);
    value.source = text_at(row, "source", source);
    return value;
}

PublishedChart chart_of(const Json& json, const std::string& source) {
    PublishedChart chart;
    chart.title = json.at("title").get<std::string>();
    chart.form = form_of(json.at("form").get<std::string>());
    chart.metric = text_at(json, "metric");
    chart.unit = text_at(json, "unit");
    chart.higher_is_better = text_at(json, "better") == "higher";
    chart.note = text_at(json, "note");
    chart.from = text_at(json, "from");
    chart.to = text_at(json, "to");
    const std::string against = text_at(json, "against");
    for (const Json& row : json.at("rows")) {
        chart.rows.push_back(value_of(row, json, source));
        if (chart.rows.back().label == against) chart.against = chart.rows.size() - 1;
    }
    return chart;
}

std::vector<PublishedNumbers> read_all() {
    std::vector<PublishedNumbers> all;
    for (const std::string_view text : assets::numbers) {
        const Json json = Json::parse(text);
        PublishedNumbers one;
        one.mechanisms = json.at("mechanisms").get<std::vector<std::string>>();
        one.source = json.at("source").get<std::string>();
        one.lead = json.at("lead").get<std::string>();
        one.note = text_at(json, "note");
        for (const Json& chart : json.at("charts")) one.charts.push_back(chart_of(chart, one.source));
        all.push_back(std::move(one));
    }
    return all;
}

std::string printed(double number, int decimals, bool sign) {
    return (sign && number >= 0.0 ? "+" : "") + fixed(number, decimals);
}

}  // namespace

std::string PublishedValue::text(double number, bool sign) const {
    return printed(number, decimals, sign);
}

std::string PublishedValue::text() const {
    if (range()) return text(low, with_sign) + "–" + text(high, with_sign);
    return (from ? text(*from, with_sign) + " → " : "") + text(low, with_sign);
}

std::string PublishedChart::difference(std::size_t row) const {
    const PublishedValue& value = rows[row];
    if (value.range() || (!value.from && (!against || *against == row))) return {};
    const double before = value.from ? *value.from : rows[*against].low;
    if (form == Form::dots || value.unit == "%") {
        const std::string points = value.text(value.low - before, true);
        return points.find_first_not_of("+0.") == std::string::npos ? points.substr(1) : points;
    }
    const double percent = 100.0 * (value.low / before - 1.0);
    return printed(percent, std::abs(percent) < 1.0 ? 2 : 0, true) + " %";
}

const std::vector<PublishedNumbers>& published_numbers() {
    static const std::vector<PublishedNumbers> all = read_all();
    return all;
}

const PublishedNumbers* published_numbers(std::string_view mechanism) {
    for (const PublishedNumbers& one : published_numbers())
        if (std::find(one.mechanisms.begin(), one.mechanisms.end(), mechanism) != one.mechanisms.end())
            return &one;
    return nullptr;
}

}  // namespace attn
