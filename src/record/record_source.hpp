// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "record/record.hpp"

namespace palstudy {

/// Finished runs, each once, in run order. They are read one at a time and more than once, so that a source on
/// disk need not hold them all.
class RecordSource {
 public:
  RecordSource() = default;
  RecordSource(const RecordSource&) = delete;
  RecordSource& operator=(const RecordSource&) = delete;
  virtual ~RecordSource() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// The i-th; valid until the next call. Errors (data): cannot be read.
  [[nodiscard]] virtual const RunRecord& record(std::size_t i) = 0;
};

/// Records that lie in memory, in any order, and must outlive this.
class RecordsInMemory final : public RecordSource {
 public:
  /// Errors (fault): two of one run.
  explicit RecordsInMemory(const std::vector<RunRecord>& records);
  [[nodiscard]] std::size_t size() const override { return order_.size(); }
  [[nodiscard]] const RunRecord& record(std::size_t i) override { return *order_[i]; }

 private:
  std::vector<const RunRecord*> order_;
};

}  // namespace palstudy
