// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace palstudy {

/// The JSON Schema (draft 7) of a study file, made of the keys: what editors complete and check with. A study that the
/// program accepts is valid; contradictions between keys are the program's to find.
[[nodiscard]] std::string study_schema();

}  // namespace palstudy
