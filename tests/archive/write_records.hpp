// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "archive/provenance.hpp"
#include "archive/write_archive.hpp"
#include "core/error.hpp"

namespace palstudy {

/// Records that lie in memory, in any order, and must outlive this.
class RecordsInMemory final : public RecordSource {
 public:
  /// Errors (fault): two of one run.
  explicit RecordsInMemory(const std::vector<RunRecord>& records) {
    for (const RunRecord& record : records) order_.push_back(&record);
    std::sort(order_.begin(), order_.end(), [](const auto* a, const auto* b) { return a->run < b->run; });
    for (std::size_t i = 1; i < order_.size(); ++i) {
      if (order_[i - 1]->run == order_[i]->run) throw fault("two records of run " + std::to_string(order_[i]->run));
    }
  }
  [[nodiscard]] std::size_t size() const override { return order_.size(); }
  [[nodiscard]] const RunRecord& record(std::size_t i) override { return *order_[i]; }

 private:
  std::vector<const RunRecord*> order_;
};

/// Writes records that lie in memory, in any order.
inline void write_archive(const std::filesystem::path& path, const std::vector<RunRecord>& records,
                          const std::vector<ClusterRecord>& clusters, const Provenance& provenance,
                          const std::vector<const Measurements*>& profile = {}) {
  RecordsInMemory source(records);
  write_archive(path, source, clusters, provenance, profile);
}

/// Of an archive of which no more is told than its study.
inline Provenance provenance_of(const std::string& resolved_study) {
  Provenance from;
  from.resolved_study = resolved_study;
  return from;
}

}  // namespace palstudy
