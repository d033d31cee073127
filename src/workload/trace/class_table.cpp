// SPDX-License-Identifier: MIT
#include "workload/trace/class_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {
namespace {

using ClassOfName = std::map<std::string, std::string, std::less<>>;

ClassOfName read_classes(const CsvTable& table) {
  const std::size_t name = table.column("name"), cls = table.column("class");
  if (table.header().size() != 2) {
    throw data_error("has other columns than name and class", table.name(),
                     "a name is that of a job, a user or an account; leave the others out");
  }
  ClassOfName classes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const std::size_t column : {name, cls}) {
      if (table.text(row, column).empty()) {
        throw data_error("is empty", table.where(row, column), "give a name, or * for all others, and a class");
      }
    }
    if (classes.emplace(table.text(row, name), table.text(row, cls)).second) continue;
    throw data_error(fmt::format("\"{}\" is there twice", table.text(row, name)), table.where(row, name),
                     "keep one of them");
  }
  return classes;
}

const std::string* known_name(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? &names[index] : nullptr;
}

const ClassOfName::value_type* row_of(const Workload& workload, const Job& job, const ClassOfName& classes) {
  const std::string others = "*";
  const std::array names = {known_name(workload.names, job.name), known_name(workload.users, job.user),
                            known_name(workload.accounts, job.account), known_name(workload.tenants, job.tenant),
                            &others};
  for (const std::string* name : names) {
    const auto row = name == nullptr ? classes.end() : classes.find(*name);
    if (row != classes.end()) return &*row;
  }
  return nullptr;
}

/// The place of a name among others; it is added if it is not there.
std::size_t place_among(const std::string& name, std::vector<std::string>& names) {
  const auto at = std::ranges::find(names, name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

}  // namespace

AssignedClasses assign_classes(Workload& workload, const CsvTable& table) {
  const ClassOfName classes = read_classes(table);
  std::set<std::string> idle;
  for (const auto& [name, cls] : classes) idle.insert(name);
  std::vector<std::string> used;
  std::size_t others = 0;
  std::optional<std::uint16_t> no_model;
  for (Job& job : workload.jobs) {
    const auto* const found = row_of(workload, job, classes);
    job.cls = ClassId(place_among(found != nullptr ? found->second : workload.classes[job.cls.index()], used));
    if (found == nullptr) {
      ++others;
      continue;
    }
    idle.erase(found->first);
    if (!no_model) no_model = static_cast<std::uint16_t>(place_among("", workload.models));
    job.model = *no_model;
    job.iterations = job.ideal_s();
    job.iteration_s = 1;
  }
  workload.classes = std::move(used);
  workload.model_use.resize(workload.models.size(), {nan, nan});
  return {others, {idle.begin(), idle.end()}};
}

}  // namespace palstudy
