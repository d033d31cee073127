// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/csv.hpp"
#include "workload/model_table.hpp"

namespace palstudy {

/// The model that a row of a trace names. Errors (data, at the field): the table does not have it.
[[nodiscard]] const ModelInfo& model_of(const ModelTable& models, const CsvTable& table, std::size_t row,
                                        std::size_t column);

/// The number of the model's class among those that jobs have so far, of which it becomes one.
[[nodiscard]] ClassId class_of(const ModelInfo& model, std::vector<std::string>& classes);

}  // namespace palstudy
