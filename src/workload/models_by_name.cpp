// SPDX-License-Identifier: MIT
#include "workload/models_by_name.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

const ModelInfo& model_of(const ModelTable& models, const CsvTable& table, std::size_t row, std::size_t column) {
  const auto name = table.text(row, column);
  const auto found = models.models.find(std::string(name));
  if (found != models.models.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [model, info] : models.models) known.push_back(model);
  const auto near = nearest(name, known);
  throw data_error(fmt::format("unknown model \"{}\"{}", name, near ? "; did you mean \"" + *near + "\"?" : ""),
                   table.where(row, column), "The table of models (workload.models) has: " + join(known) + ".");
}

ClassId class_of(const ModelInfo& model, std::vector<std::string>& classes) {
  const auto place = std::find(classes.begin(), classes.end(), model.cls);  // a handful
  const ClassId id(static_cast<std::size_t>(place - classes.begin()));
  if (place == classes.end()) classes.push_back(model.cls);
  return id;
}

}  // namespace palstudy
