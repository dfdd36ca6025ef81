#include "core/one_context.h"

#include <utility>

#include "core/layers.h"
#include "core/matrix.h"

namespace attn {

Trace with_one_context(Trace trace, Index last) {
    const Index n = trace.queries.size();
    const Index m = trace.keys.size();
    Array weights({n, m});
    matrix(weights).col(last).setOnes();
    Array output({n, trace.values->extent(1)});
    matrix(output).rowwise() = matrix(*trace.values).row(last);

    Trace fixed;
    fixed.queries = trace.queries;
    fixed.keys = trace.keys;
    fixed.heads = {{Map(share(Array({n, m}))), Map(share(std::move(weights)))}};
    fixed.squash = Squash::hard;
    fixed.values = std::move(trace.values);
    fixed.output = share(std::move(output));
    return fixed;
}

}  // namespace attn
