// SPDX-License-Identifier: MIT
#include "archive/findings.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace palstudy {

void refuse_damaged(const Findings& findings, const std::filesystem::path& file, const char* what) {
  if (findings.empty()) return;
  const std::string more =
      findings.size() == 1 ? "" : fmt::format(" (and {} more; palstudy verify lists them)", findings.size() - 1);
  const std::string first = findings.front().substr(0, findings.front().find('\n'));
  throw data_error(fmt::format("the {} is damaged: {}{}", what, first, more), file.string(),
                   fmt::format("restore the {} from a copy", what));
}

}  // namespace palstudy
