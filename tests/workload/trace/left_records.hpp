// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "core/note.hpp"

namespace palstudy {

struct LeftOut {
  const char* reason;
  std::size_t records, first_line;
};

/// The one note on records that make no job.
inline std::vector<Note> left_records(std::size_t of, const std::vector<LeftOut>& reasons) {
  std::size_t left = 0;
  ValueList list;
  for (const auto& [reason, records, line] : reasons) {
    left += records;
    list.emplace_back(ValueRecord{{"reason", reason}, {"records", records}, {"first_line", line}});
  }
  return {{"left-records", Severity::care, "", {{"left", left}, {"of", of}, {"reasons", std::move(list)}}}};
}

}  // namespace palstudy
