// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "record/tables.hpp"

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

}  // namespace palstudy
