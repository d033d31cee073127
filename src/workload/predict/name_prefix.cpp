// SPDX-License-Identifier: MIT
#include "workload/predict/name_prefix.hpp"

#include <map>

namespace palstudy {

std::string_view name_prefix(std::string_view name) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t separator = name.find_last_of("_-/: ");
  std::string_view prefix = name;
  if (separator != std::string_view::npos) {
    if (name.find_first_of(digits, separator) != std::string_view::npos) prefix = name.substr(0, separator);
  } else {
    prefix = name.substr(0, name.find_last_not_of(digits) + 1);
  }
  return prefix.empty() ? name : prefix;
}

std::vector<std::uint32_t> name_prefixes(const std::vector<std::string>& names) {
  std::map<std::string_view, std::uint32_t> numbers;
  std::vector<std::uint32_t> of_name;
  of_name.reserve(names.size());
  for (const std::string& name : names) {
    of_name.push_back(numbers.emplace(name_prefix(name), static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return of_name;
}

}  // namespace palstudy
