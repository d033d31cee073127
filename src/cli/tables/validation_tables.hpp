// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "analysis/validation.hpp"
#include "inputs/site_validation.hpp"

namespace palstudy {

/// The verdict, its rule, the groups, the largest differences and how busy the machine was.
[[nodiscard]] std::string validation_text(const Validation& validation, std::size_t columns);
/// Schema `palstudy.validation/1`: every value once. What is kept beside the study is the same.
[[nodiscard]] std::string validation_json(const Validation& validation, const ValidatedFor& of);

}  // namespace palstudy
