#pragma once

#include <string>

#include "app/figure.h"
#include "core/mechanism.h"
#include "core/pattern.h"

namespace attn::cli {

// Pages and tables of Markdown, as GitHub reads it.

/// A page; its title is a heading of this level.
std::string markdown(const Mechanism& mechanism, int level = 1);
std::string markdown(const Pattern& pattern, int level = 1);
std::string markdown(const Figure& figure);

/// Every mechanism of a family: what gets scored, and what the score is a function of. Linked: each leads to
/// its section of the catalogue.
std::string mechanism_table(Family family, bool linked);
std::string pattern_table(bool linked);
std::string figure_table();

/// docs/catalogue.md: the tables, then every mechanism and every pattern.
std::string catalogue();

}  // namespace attn::cli
