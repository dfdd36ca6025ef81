#pragma once

#include <string>
#include <vector>

#include "core/mechanism.h"

namespace attn {

/// Relation-aware global attention over any nodes: positions (rga-s) or channels (rga-c).

struct Relations {
    Array relation;  ///< R[i, j] = θ xᵢ · φ xⱼ, [n, n]
    Array stacked;   ///< [R[i, :] ; R[:, i]], [n, 2 n]
    Array features;  ///< mean of γ xᵢ over its channels, then the relations' embedding, [n, 1 + …]
    Array scores;    ///< [n, 1]
};
/// Of nodes [n, features]; every layer is followed by its normalisation and a ReLU, the last by none.
Relations relate(const Arrays& arrays, const Array& nodes);

/// Weights for these nodes: θ = φ a random projection to `inner` numbers, relations averaged in `stretches`,
/// then in `hidden` units; the gate opens for a node that resembles few others.
Arrays relation_weights(const Array& nodes, Index inner, Index stretches, Index hidden,
                        const Material& material, std::string& said);

Parameter relation_ratio(std::string id, std::string label, std::string help, Index initial);
/// All inputs but in.x, for nodes and features so called.
std::vector<ArraySpec> relation_inputs();
std::vector<Step> relation_steps(Relations relations);

}  // namespace attn
