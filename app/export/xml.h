#pragma once

#include <string>
#include <string_view>

namespace attn {

/// Text as it may stand in XML, between tags or in a quoted attribute. What XML cannot hold becomes a space
/// or U+FFFD.
std::string xml_escaped(std::string_view utf8);

/// The text of an element's content: CDATA sections, the five named entities and numeric ones. Anything else
/// stays as it is written.
std::string xml_unescaped(std::string_view content);

}  // namespace attn
