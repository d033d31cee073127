// SPDX-License-Identifier: MIT
#include "archive/findings.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace palstudy {

std::string first_fact(const Findings& findings, const std::filesystem::path& file) {
  std::string fact = findings.front().substr(0, findings.front().find('\n'));
  fact = fact.substr(0, fact.find(" Restore the "));
  if (const std::string begin = file.string() + ":"; fact.starts_with(begin)) fact = fact.substr(begin.size());
  const auto text = fact.find_first_not_of(' ');
  return text == fact.npos ? "" : fact.substr(text);
}

void refuse_damaged(const Findings& findings, const std::filesystem::path& file, const char* what) {
  if (findings.empty()) return;
  const std::string more =
      findings.size() == 1 ? "" : fmt::format(" (and {} more; palstudy verify lists them)", findings.size() - 1);
  throw data_error(fmt::format("the {} is damaged: {}{}", what, first_fact(findings, file), more), file.string(),
                   fmt::format("restore the {} from a copy", what));
}

}  // namespace palstudy
