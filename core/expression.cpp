#include "core/expression.h"

#include <muParser.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

double modulo(double a, double b) {
    return a - b * std::floor(a / b);
}
double negate(double a) {
    return a == 0.0 ? 1.0 : 0.0;
}
double round_down(double a) {
    return std::floor(a);
}
double magnitude(double a) {
    return std::abs(a);
}
bool truth(double value) {
    return value != 0.0 && !std::isnan(value);
}

constexpr const char* words = "q, k, qr, qc, kr, kc, H, W, N, floor, mod, abs, min, max";

/// What muParser would take in a sense that no predicate has: a lone = assigns, a <= b <= c compares a truth
/// value, a comma at the top keeps only the last part.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    void scan() {
        if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
            throw ExpressionError("expected a rule such as abs(q-k) <= 3, got nothing", 0);
        for (std::size_t i = 0; i < text_.size(); i += step(i)) {
        }
    }

  private:
    [[nodiscard]] char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

    /// Looks at the sign at i and returns its length.
    std::size_t step(std::size_t i) {
        const char c = at(i);
        const char next = at(i + 1);
        if (static_cast<unsigned char>(c) > 126)
            throw ExpressionError("expected plain signs such as <= && *, got one that is not ASCII", i);
        if (c == '(') compared_.push_back(false);
        if (c == ')' && compared_.size() > 1) compared_.pop_back();
        if (c == ',') separate(i);
        if (c == '?' || c == ':') compared_.back() = false;
        if ((c == '&' || c == '|') && next == c) {
            compared_.back() = false;
            return 2;
        }
        if ((c == '<' || c == '>' || c == '=' || c == '!') && next == '=') return compare(i, 2);
        if (c == '<' || c == '>') return compare(i, 1);
        if (c == '=') throw ExpressionError("expected a comparison, got a lone =: write == to compare", i);
        return 1;
    }

    std::size_t compare(std::size_t i, std::size_t length) {
        if (compared_.back()) throw ExpressionError("comparisons do not chain: write a <= b && b <= c", i);
        compared_.back() = true;
        return length;
    }

    void separate(std::size_t i) {
        if (compared_.size() == 1)
            throw ExpressionError("expected one rule, got a comma: join parts with && or ||", i);
        compared_.back() = false;
    }

    std::string_view text_;
    std::vector<bool> compared_ = {false};  // per open parenthesis: a comparison since the last && or ||
};

/// muParser splits a bulk over OpenMP's threads, which costs more than the rule itself (and it has room for
/// 16 only).
class OneThread {
  public:
    OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
    ~OneThread() { omp_set_num_threads(before_); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

  private:
    int before_;
};

/// muParser's complaint in our words.
std::string explain(const mu::Parser::exception_type& error) {
    std::string token = error.GetToken();
    while (token.ends_with(' ')) token.pop_back();
    switch (error.GetCode()) {
        case mu::ecUNASSIGNABLE_TOKEN:
            return "'" + token + "' is not known here: there are " + words;
        case mu::ecUNEXPECTED_EOF:
            return "the rule ends too early: a value or a closing parenthesis is missing";
        case mu::ecMISSING_PARENS:
            return "a parenthesis is not closed";
        case mu::ecUNEXPECTED_PARENS:
            return "a parenthesis stands where none can";
        case mu::ecUNEXPECTED_OPERATOR:
            return "'" + token + "' stands where a value is expected";
        case mu::ecUNEXPECTED_VAL:
        case mu::ecUNEXPECTED_VAR:
        case mu::ecUNEXPECTED_FUN:
            return "'" + token + "' follows a value: an operator such as && is missing between them";
        case mu::ecTOO_MANY_PARAMS:
        case mu::ecTOO_FEW_PARAMS:
            return "'" + token + "' got a wrong number of arguments";
        default:
            return "the rule cannot be read" + (token.empty() ? std::string() : " at '" + token + "'");
    }
}

/// A position as the rule sees it.
struct Place {
    Place(Index index, Grid grid) : position(static_cast<double>(index)) {
        const Index r = index / grid.width;
        row = static_cast<double>(r);
        column = static_cast<double>(index - r * grid.width);
    }
    double position;
    double row;
    double column;
};

}  // namespace

/// The parser and the variables it is bound to, which therefore never move.
struct Expression::Machine {
    Grid grid;
    mu::Parser parser;
    // One place per key; those of the query are the same everywhere.
    std::vector<double> q, qr, qc, k, kr, kc, result;

    Machine(std::string_view text, Grid g) : grid(g) {
        const auto n = static_cast<std::size_t>(grid.size());
        for (auto* places : {&q, &qr, &qc, &k, &kr, &kc, &result}) places->assign(n, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const Place key(static_cast<Index>(i), grid);
            k[i] = key.position;
            kr[i] = key.row;
            kc[i] = key.column;
        }
        define();
        compile(text);
    }

    void define() {
        parser.ClearFun();
        parser.ClearConst();
        parser.ClearInfixOprt();
        parser.DefineInfixOprt("-", [](double a) { return -a; });
        parser.DefineInfixOprt("+", [](double a) { return a; });
        parser.DefineInfixOprt("!", negate);
        parser.DefineOprt("%", modulo, mu::prMUL_DIV);
        parser.DefineFun("mod", modulo);
        parser.DefineFun("floor", round_down);
        parser.DefineFun("abs", magnitude);
        parser.DefineFun("min", [](double a, double b) { return std::min(a, b); });
        parser.DefineFun("max", [](double a, double b) { return std::max(a, b); });
        parser.DefineVar("q", q.data());
        parser.DefineVar("qr", qr.data());
        parser.DefineVar("qc", qc.data());
        parser.DefineVar("k", k.data());
        parser.DefineVar("kr", kr.data());
        parser.DefineVar("kc", kc.data());
        parser.DefineConst("H", static_cast<double>(grid.height));
        parser.DefineConst("W", static_cast<double>(grid.width));
        parser.DefineConst("N", static_cast<double>(grid.size()));
    }

    void compile(std::string_view text) {
        Scanner(text).scan();
        try {
            parser.SetExpr(std::string(text));
            parser.Eval();
        } catch (const mu::Parser::exception_type& error) {
            const auto at = std::min(static_cast<std::size_t>(std::max(error.GetPos(), 0)), text.size());
            throw ExpressionError(explain(error), at);
        }
    }
};

Expression::Expression(std::string_view text, Grid grid) : machine_(std::make_unique<Machine>(text, grid)) {}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

void Expression::row(Index query, std::vector<unsigned char>& seen) {
    Machine& m = *machine_;
    const Place from(query, m.grid);
    std::ranges::fill(m.q, from.position);
    std::ranges::fill(m.qr, from.row);
    std::ranges::fill(m.qc, from.column);
    const OneThread scope;
    m.parser.Eval(m.result.data(), static_cast<int>(m.result.size()));
    seen.resize(m.result.size());
    std::ranges::transform(m.result, seen.begin(),
                           [](double v) { return static_cast<unsigned char>(truth(v)); });
}

bool Expression::sees(Index query, Index key) {
    Machine& m = *machine_;
    // Outside bulk mode the variables are the first of each; the keys' are put back.
    const Place from(query, m.grid);
    const Place to(key, m.grid);
    m.q[0] = from.position;
    m.qr[0] = from.row;
    m.qc[0] = from.column;
    m.k[0] = to.position;
    m.kr[0] = to.row;
    m.kc[0] = to.column;
    const bool seen = truth(m.parser.Eval());
    m.k[0] = m.kr[0] = m.kc[0] = 0.0;
    return seen;
}

}  // namespace attn
