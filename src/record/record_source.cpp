// SPDX-License-Identifier: MIT
#include "record/record_source.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace palstudy {

RecordsInMemory::RecordsInMemory(const std::vector<RunRecord>& records) {
  for (const RunRecord& record : records) order_.push_back(&record);
  std::sort(order_.begin(), order_.end(), [](const auto* a, const auto* b) { return a->run < b->run; });
  for (std::size_t i = 1; i < order_.size(); ++i) {
    if (order_[i - 1]->run == order_[i]->run) throw fault("two records of run " + std::to_string(order_[i]->run));
  }
}

}  // namespace palstudy
