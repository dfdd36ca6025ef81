#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "core/error.h"
#include "core/grid.h"

namespace attn {

/// A typed rule that cannot be read; `position` is where, counted in bytes from 0, at most the length of the
/// text.
struct ExpressionError : Error {
    ExpressionError(const std::string& message, std::size_t where) : Error(message), position(where) {}
    std::size_t position;
};

/// A predicate of a query and a key, typed by the user: `abs(qr-kr)+abs(qc-kc) <= 4 || k < 4`.
///
/// Variables q, k (positions), qr, qc, kr, kc (rows and columns), H, W, N; numbers; + − * / ^ and % or mod
/// (the sign of the divisor: −1 % 3 is 2), floor, abs, min, max; < <= > >= == !=, && || !, parentheses, a ? b
/// : c. True is anything but 0 and not-a-number. Comparisons do not chain and nothing is assigned.
class Expression {
  public:
    /// Throws ExpressionError in one sentence.
    Expression(std::string_view text, Grid grid);
    ~Expression();
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;

    /// The keys one query sees: replaces `seen` by size() flags. Evaluated in bulk over all keys. Not for two
    /// threads at once: each has its own Expression.
    void row(Index query, std::vector<unsigned char>& seen);

    /// One pair.
    bool sees(Index query, Index key);

  private:
    struct Machine;
    std::unique_ptr<Machine> machine_;
};

}  // namespace attn
