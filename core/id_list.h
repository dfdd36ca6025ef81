#pragma once

#include <string>

namespace attn {

/// "k, edge, causal": the ids of all records, or `none` where there are none. For messages that name what
/// there is.
template <class Records>
std::string id_list(const Records& records, const char* none = "none") {
    std::string text;
    for (const auto& record : records) {
        if (!text.empty()) text += ", ";
        text += record.id;
    }
    return text.empty() ? none : text;
}

}  // namespace attn
