// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "bundle/numbered_names.hpp"

namespace palstudy {

/// A table (CSV with a heading) or a list of records (JSON), with numbers in place of the texts in all fields that no
/// reader of traces and clusters takes, hosts, GPUs and users among them. "" if the text is neither.
[[nodiscard]] std::string anonymous_records(const std::string& text, NumberedNames& names);
/// Any other text, without its comments.
[[nodiscard]] std::string without_comments(const std::string& text);

}  // namespace palstudy
