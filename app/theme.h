#pragma once

#include <string_view>

#include "core/colour.h"

namespace attn {

/// The colours of a page (shared look: one accent, for the query alone).
struct Theme {
    std::string_view id;  ///< light, dark, print
    Colour ground;        ///< behind everything
    Colour panel;         ///< side panels, fields
    Colour ink, muted;    ///< text
    Colour hairline;      ///< rules, empty rails
    Colour unseen;        ///< a cell that is not seen, masked
    Colour query;         ///< the query and nothing else
    Colour bar;           ///< bars of weights
    Colour warning;       ///< an illegal value
    bool dark = false;
};

const Theme& light_theme();
const Theme& dark_theme();
const Theme& print_theme();
/// By id; throws UsageError naming the three.
const Theme& theme(std::string_view id);

/// How weights and scores are coloured on this theme, masked and broken cells included.
Colouring weight_colouring(const Theme& theme);
Colouring score_colouring(const Theme& theme);

}  // namespace attn
