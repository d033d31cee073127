// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The study as TOML with all keys and axes written out. It reads back to the same runs, ids and digest.
[[nodiscard]] std::string resolved_text(const ParsedStudy& parsed, const Study& study);

}  // namespace palstudy
