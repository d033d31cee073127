// SPDX-License-Identifier: MIT
#include "study/run_numbers.hpp"

namespace palstudy {

std::optional<std::int64_t> RunNumbers::find(const std::string& id, std::int64_t likely) {
  const auto& runs = study_.runs;
  if (likely >= 0 && likely < static_cast<std::int64_t>(runs.size())) {
    const RunPlan& run = runs[static_cast<std::size_t>(likely)];
    if (run.id == id) return run.number;
  }
  if (by_id_.empty()) {
    by_id_.reserve(runs.size());
    for (const RunPlan& run : runs) by_id_.emplace(run.id, run.number);
  }
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace palstudy
