#include "app/canvas.h"

#include <cmath>

namespace attn {

double Canvas::snap(double points) const {
    return std::floor(points * resolution_ + 0.5) / resolution_;
}

}  // namespace attn
