// SPDX-License-Identifier: MIT
#include "workload/trace/name_index.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace palstudy {

NameIndex::NameIndex(std::vector<std::string>& names, std::string kind, std::size_t most)
    : names_(names), kind_(std::move(kind)), most_(most) {
  for (const auto& name : names) numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size()));
}

std::uint32_t NameIndex::number(const CsvTable& table, std::size_t row, std::size_t column) {
  const auto name = table.text(row, column);
  if (const auto place = numbers_.find(name); place != numbers_.end()) return place->second;
  if (names_.size() > most_) {
    throw data_error(fmt::format("more than {} {}", names_.size(), kind_), table.where(row, column), "Use fewer.");
  }
  const auto number = static_cast<std::uint32_t>(names_.size());
  numbers_.emplace(name, number);
  names_.emplace_back(name);
  return number;
}

}  // namespace palstudy
