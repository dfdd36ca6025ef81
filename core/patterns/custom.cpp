#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/expression.h"
#include "core/patterns/all.h"
#include "core/patterns/rules.h"

namespace attn::rules {

namespace {

/// A typed rule's rows, for several threads. Rows of small grids are kept: a drag asks for the same ones
/// again and again.
class TypedRule {
  public:
    TypedRule(std::string text, Grid grid) : text_(std::move(text)), grid_(grid) {
        idle_.emplace_back(text_, grid_);
        if (grid_.size() <= kept_positions) rows_.resize(static_cast<std::size_t>(grid_.size()));
    }

    bool sees(Index q, Index k) {
        if (!rows_.empty()) return row(q)[static_cast<std::size_t>(k)];
        Expression expression = borrow();
        const bool seen = expression.sees(q, k);
        give_back(std::move(expression));
        return seen;
    }

    void boxes(Index q, Boxes& out) {
        const std::vector<bool> seen = row(q);
        const Index n = grid_.size();
        for (Index k = 0; k < n; ++k) {
            if (!seen[static_cast<std::size_t>(k)]) continue;
            const Index first = k;
            while (k + 1 < n && seen[static_cast<std::size_t>(k + 1)]) ++k;
            add_run(out, first, k);
        }
    }

  private:
    static constexpr Index kept_positions = 4096;  // 2 MB of flags

    std::vector<bool> row(Index q) {
        const auto place = static_cast<std::size_t>(q);
        if (!rows_.empty()) {
            const std::lock_guard lock(mutex_);
            if (!rows_[place].empty()) return rows_[place];
        }
        Expression expression = borrow();
        std::vector<unsigned char> flags;
        expression.row(q, flags);
        give_back(std::move(expression));
        std::vector<bool> seen(flags.begin(), flags.end());
        if (!rows_.empty()) {
            const std::lock_guard lock(mutex_);
            rows_[place] = seen;
        }
        return seen;
    }

    Expression borrow() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                Expression expression = std::move(idle_.back());
                idle_.pop_back();
                return expression;
            }
        }
        return {text_, grid_};
    }

    void give_back(Expression expression) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(expression));
    }

    std::string text_;
    Grid grid_;
    std::mutex mutex_;
    std::vector<Expression> idle_;         // guarded
    std::vector<std::vector<bool>> rows_;  // guarded; empty rows are not known yet
};

}  // namespace

Pattern custom() {
    Parameter text;
    text.id = "text";
    text.label = "rule";
    text.help =
        "true where query q may see key k: q, k, qr, qc, kr, kc, H, W, N with + - * / % floor mod abs min "
        "max, "
        "comparisons, && || !";
    text.kind = Parameter::Kind::text;
    text.initial = std::string("abs(qr-kr)+abs(qc-kc) <= 4 || k < 4");
    return {
        .id = "custom",
        .title = "Your own rule",
        .family = Pattern::Family::own,
        .source = "typed",
        .see = "Any rule of a query and a key: type one and see at once which queries it leaves blind.",
        .parameters = {text, causal_knob()},
        .formula = "",
        .problem = [](const Knobs& knobs, Grid) -> std::string {
            try {
                const Expression read(knobs.text("text"), Grid{1, 1});
            } catch (const ExpressionError& error) {
                return error.what();
            }
            return {};
        },
        .rule =
            [](const Knobs& knobs, Grid grid) {
                const auto typed = std::make_shared<TypedRule>(knobs.text("text"), grid);
                Rule rule;
                rule.sees = [typed](Index q, Index k) { return typed->sees(q, k); };
                rule.boxes = [typed](Index q, Boxes& out) { typed->boxes(q, out); };
                return rule;
            },
    };
}

}  // namespace attn::rules
