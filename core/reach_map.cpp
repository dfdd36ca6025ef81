#include <algorithm>
#include <exception>
#include <utility>

#include "core/reach.h"
#include "core/reach_walk.h"

namespace attn {

namespace {

/// Which places every place sees, row after row.
class KeyTable {
  public:
    /// Calls keys(place, out) for each of n places; it appends.
    template <class Keys>
    KeyTable(Index n, Keys keys, const std::stop_token& stop = {}) {
        std::vector<Index> row;
        for (Index p = 0; p < n; ++p) {
            if (stop.stop_requested()) throw Cancelled();
            row.clear();
            keys(p, row);
            for (const Index k : row) keys_.push_back(static_cast<std::uint32_t>(k));
            ends_.push_back(keys_.size());
        }
    }
    [[nodiscard]] std::size_t size() const { return keys_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t place) const {
        const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
        return {keys_.data() + begin, ends_[place] - begin};
    }

  private:
    std::vector<std::uint32_t> keys_;
    std::vector<std::size_t> ends_;
};

/// What every place of a small set reaches: n × n bits, at first each itself.
class Relation {
  public:
    explicit Relation(Index n)
        : n_(static_cast<std::size_t>(n)),
          words_((n_ + 63) / 64),
          bits_(n_ * words_),
          next_(bits_),
          full_(n_, n == 1 ? 1 : 0) {
        for (std::size_t p = 0; p < n_; ++p) set(bits_, p, p);
    }

    [[nodiscard]] bool full(Index place) const { return full_[static_cast<std::size_t>(place)] != 0; }

    /// R(q) becomes ∪ R(p) over the keys p of q.
    void step(const KeyTable& keys, const std::stop_token& stop) {
        std::vector<unsigned char> next_full(n_);
        // Threads that wait for each other after every layer cost more than they save where a layer is few
        // milliseconds.
#pragma omp parallel if (keys.size() * words_ > std::size_t{1} << 26U)
        {
            std::size_t last = n_;  // the place this thread did before, or none
#pragma omp for schedule(dynamic, 32)
            for (std::size_t q = 0; q < n_; ++q) {
                if (stop.stop_requested()) continue;
                std::uint64_t* row = &next_[q * words_];
                if (last != n_ && std::ranges::equal(keys.of(q), keys.of(last)))  // as in one block
                    std::copy_n(&next_[last * words_], words_, row);
                else
                    unite(keys.of(q), row);
                next_full[q] = whole(row) ? 1 : 0;
                last = q;
            }
        }
        if (stop.stop_requested()) throw Cancelled();
        std::swap(bits_, next_);
        full_ = std::move(next_full);
        first_ = false;
    }

    friend bool operator==(const Relation& a, const Relation& b) {
        return a.bits_ == b.bits_;
    }

  private:
    void set(std::vector<std::uint64_t>& bits, std::size_t row, std::size_t place) const {
        bits[row * words_ + place / 64] |= std::uint64_t{1} << place % 64;
    }

    void unite(std::span<const std::uint32_t> keys, std::uint64_t* row) const {
        std::fill_n(row, words_, 0);
        if (first_) {  // each reaches itself
            for (const std::uint32_t p : keys) row[p / 64] |= std::uint64_t{1} << p % 64;
            return;
        }
        const auto covering = std::ranges::find_if(keys, [&](std::uint32_t p) { return full_[p] != 0; });
        const auto needed = covering == keys.end() ? keys : std::span(covering, 1);
        const std::size_t words =
            words_;  // a local, which writing to the row cannot change: the loop is vectorised
        for (const std::uint32_t p : needed) {
            const std::uint64_t* reached = &bits_[p * words];
            for (std::size_t w = 0; w < words; ++w) row[w] |= reached[w];
        }
    }

    [[nodiscard]] bool whole(const std::uint64_t* row) const {
        const std::uint64_t rest = n_ % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_ % 64) - 1;
        return std::all_of(row, row + words_ - 1, [](std::uint64_t w) { return w == ~std::uint64_t{0}; }) &&
               row[words_ - 1] == rest;
    }

    std::size_t n_;
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::uint64_t> next_;
    std::vector<unsigned char> full_;
    bool first_ = true;
};

CoverageMap summarised(std::vector<std::int32_t> layers) {
    CoverageMap map;
    const auto never = std::ranges::find(layers, 0);
    const auto worst = never != layers.end() ? never : std::ranges::max_element(layers);
    map.worst_query = worst - layers.begin();
    if (never == layers.end()) map.worst = *worst;
    map.layers = std::move(layers);
    return map;
}

/// Whether every query of every layer sees itself, so that a skip connection adds nothing.
bool self_seen(const Stack& stack) {
    return std::ranges::all_of(stack.layers, [&](const BoundPattern& layer) {
        for (Index q = 0; q < stack.size(); ++q)
            if (!layer.sees(q, q)) return false;
        return true;
    });
}

constexpr Index small = 8192;  // places whose relation takes 8 MB

/// Steps relations layer by layer until every query covers, or they come back to a state they had after a
/// whole period.
template <class Step, class Covered>
CoverageMap run(const Stack& stack, std::vector<Relation> now, Step step, Covered covered) {
    std::vector<std::int32_t> layers(static_cast<std::size_t>(stack.size()));
    const std::size_t every = period(stack);
    std::vector<Relation> remembered;
    std::size_t until = 1;  // Brent: remember the state after 1, 2, 4, … periods
    for (std::size_t l = 1;; ++l) {
        step(now, (l - 1) % every);
        bool all = true;
        for (Index q = 0; q < stack.size(); ++q) {
            auto& least = layers[static_cast<std::size_t>(q)];
            if (least == 0 && covered(now, q)) least = static_cast<std::int32_t>(l);
            all = all && least != 0;
        }
        if (all) break;
        if (l % every != 0) continue;
        if (now == remembered) break;
        if (l / every == until) {
            remembered = now;
            until *= 2;
        }
    }
    return summarised(std::move(layers));
}

bool separable(const Stack& stack) {
    const Grid grid = stack.grid();
    return grid.height <= small && grid.width <= small &&
           std::ranges::all_of(stack.layers,
                               [](const BoundPattern& layer) { return layer.product() != nullptr; }) &&
           (!stack.skip || self_seen(stack));
}

void add_keys(const std::vector<Progression>& keys, std::vector<Index>& out) {
    for (const Progression& p : keys)
        for (Index i = 0; i < p.count; ++i) out.push_back(p.first + i * p.step);
}

/// Products of sets map to products: rows and columns go their own ways.
CoverageMap by_axes(const Stack& stack, const std::stop_token& stop) {
    const Grid grid = stack.grid();
    std::vector<KeyTable> rows;
    std::vector<KeyTable> columns;
    for (std::size_t i = 0; i < period(stack); ++i) {
        const Product& product = *stack.layers[i].product();
        rows.emplace_back(grid.height, [&](Index p, auto& out) {
            add_keys(product.rows[static_cast<std::size_t>(p)], out);
        });
        columns.emplace_back(grid.width, [&](Index p, auto& out) {
            add_keys(product.columns[static_cast<std::size_t>(p)], out);
        });
    }
    const auto step = [&](std::vector<Relation>& axes, std::size_t layer) {
        axes[0].step(rows[layer], stop);
        axes[1].step(columns[layer], stop);
    };
    const auto covered = [w = grid.width](const std::vector<Relation>& axes, Index q) {
        return axes[0].full(q / w) && axes[1].full(q % w);
    };
    return run(stack, {Relation(grid.height), Relation(grid.width)}, step, covered);
}

CoverageMap by_relation(const Stack& stack, const std::stop_token& stop) {
    std::vector<KeyTable> tables;
    for (std::size_t i = 0; i < period(stack); ++i)
        tables.emplace_back(
            stack.size(),
            [&, layer = stack.layers[i]](Index q, std::vector<Index>& out) {
                layer.keys(q, out);
                if (stack.skip && !layer.sees(q, q)) out.push_back(q);
            },
            stop);
    const auto step = [&](std::vector<Relation>& all, std::size_t layer) {
        all[0].step(tables[layer], stop);
    };
    return run(stack, {Relation(stack.size())}, step,
               [](const std::vector<Relation>& all, Index q) { return all[0].full(q); });
}

CoverageMap by_walks(const Stack& stack, const std::stop_token& stop) {
    std::vector<std::int32_t> layers(static_cast<std::size_t>(stack.size()));
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 16)
    for (Index q = 0; q < stack.size(); ++q) {
        try {
            if (!stop.stop_requested())
                layers[static_cast<std::size_t>(q)] =
                    static_cast<std::int32_t>(coverage(stack, q, stop).layers.value_or(0));
        } catch (...) {  // nothing may leave a parallel region
#pragma omp critical
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
    if (stop.stop_requested()) throw Cancelled();
    return summarised(std::move(layers));
}

/// Whether uniting rows of bits is less work than a walk per query: it is, unless queries see very many keys.
bool relation_pays(const Stack& stack, const std::stop_token& stop) {
    if (stack.size() > small) return false;
    if (stack.size() <= 1024) return true;
    return std::ranges::all_of(stack.layers, [&](const BoundPattern& layer) {
        Index keys = 0;
        Boxes boxes;
        for (Index q = 0; q < layer.size(); ++q) {
            if (stop.stop_requested()) throw Cancelled();
            layer.boxes(q, boxes);
            for (const Box& box : boxes) keys += box.size();
        }
        return keys <= 512 * layer.size();
    });
}

}  // namespace

CoverageMap coverage_map(const Stack& stack, const std::stop_token& stop) {
    if (separable(stack)) return by_axes(stack, stop);
    return relation_pays(stack, stop) ? by_relation(stack, stop) : by_walks(stack, stop);
}

}  // namespace attn
