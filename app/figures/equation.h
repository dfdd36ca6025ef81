#pragma once

#include "app/figures/parts.h"
#include "app/figures/reading.h"

namespace attn {

/// The three steps as short formulas in the source's symbols, for captions.
struct Formulas {
    std::string score, squash, multiply;
};
Formulas formulas_of(const Page& page);
/// What gates multiply, as the source calls it: "x", "T".
std::string gated_symbol(const Page& page);
/// Whether the gated is added to its input, so that 0 and not 1 leaves it as it is.
bool adds_the_input(const Mechanism& shown);

/// The three steps of one pair of pieces with the live numbers, `e = … = 0.912`, `α = exp(0.912/0.15)/Σ =
/// 0.0417`, `y += 0.0417·…`, in the source's symbols; the numbers have the query's accent.
struct Equation {
    Runs score, squash, multiply;
};
Equation equation(const Page& page, const Reading& reading);

/// The steps one after the other with arrows, broken before an arrow where the line is full; a line is 26
/// high. Those not in `lit` recede ("all", "score", "squash", "multiply"). Returns the bottom.
double draw_equation(Canvas& canvas, const Theme& theme, Rect room, Equation steps, std::string_view lit);
double equation_height(const Canvas& canvas, double room, const Equation& steps);

}  // namespace attn
