// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/csv.hpp"

namespace palstudy {

/// Gives each name in a column of a trace a number, in the order of first appearance, and keeps them in `names`.
class NameIndex {
 public:
  /// `most`: the largest number that can be stored. `kind` is for messages, in the plural.
  NameIndex(std::vector<std::string>& names, std::string kind, std::size_t most);

  /// The number of the name in a field. Errors (data, at the field): more names than can be stored.
  std::uint32_t number(const CsvTable& table, std::size_t row, std::size_t column);

 private:
  std::vector<std::string>& names_;
  std::string kind_;
  std::size_t most_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

}  // namespace palstudy
