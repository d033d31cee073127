// SPDX-License-Identifier: MIT
#include "workload/trace/skipped_records.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace palstudy {

void SkippedRecords::add(const std::string& reason, std::size_t line) {
  Reason& at = reasons_[reason];
  if (at.count++ == 0) at.first_line = line;
}

void SkippedRecords::note(std::size_t records, std::vector<std::string>& notes) const {
  std::size_t all = 0;
  std::vector<std::string> parts;
  for (const auto& [reason, at] : reasons_) {
    all += at.count;
    parts.push_back(fmt::format("{} {} (first: line {})", at.count, reason, at.first_line));
  }
  if (all > 0) notes.push_back(fmt::format("{} of {} records left out: {}", all, records, join(parts)));
}

}  // namespace palstudy
