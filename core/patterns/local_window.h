#pragma once

#include <string>

#include "core/patterns/rules.h"

namespace attn::rules {

/// What the k×k windows (`local`, `dilated`, `neighborhood`) share. Their knobs: k, k_is, edge and dilation;
/// those that a pattern lacks are given here.
Parameter window_knob();  ///< k
Parameter dilation_knob(Index initial);
Parameter k_is_knob();
Parameter edge_knob();

/// The settings of a window, whichever of the knobs the pattern has.
struct LocalWindow {
    Window window;
    EdgeRule edge = EdgeRule::clip;
};

Rule window_rule(const LocalWindow& local, Grid grid);
/// Why the window does not fit the grid; empty where it does.
std::string window_problem(const LocalWindow& local, Grid grid);
/// N·min(keys a side, side) for both axes.
double window_entries(const LocalWindow& local, double height, double width);
/// "7 keys a side: 3 left, itself, 3 right".
std::string window_sentence(const LocalWindow& local);

/// Of `local` and `dilated`: knobs k, k_is, edge.
LocalWindow local_window(const Knobs& knobs, Index dilation);

}  // namespace attn::rules
