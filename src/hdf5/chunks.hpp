// SPDX-License-Identifier: MIT
#pragma once

// Included by .cpp files of this room alone.
#include <hdf5.h>

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "parallel/worker_ranks.hpp"

namespace palstudy::hdf5 {

/// Chunks on their way through the filters and into a file, in the order in which they came: the file is the
/// same as without workers. A few are in memory.
class ChunkQueue {
 public:
  /// `workers` must outlive it.
  explicit ChunkQueue(WorkerRanks& workers);
  /// A whole chunk of a dataset that stays open until `drain`. Errors (data): cannot be written.
  void write(hid_t dataset, hsize_t first_row, std::span<const std::byte> chunk, std::size_t element,
             const std::string& where);
  /// Everything is in the file when it returns.
  void drain();

 private:
  struct QueuedChunk {
    hid_t dataset;
    hsize_t first_row;
    std::string where;
    int worker;  ///< the rank that filters it, or -1
    Bytes filtered;
  };
  [[nodiscard]] int idle() const;
  void take(QueuedChunk& item);
  void put_front();

  WorkerRanks& workers_;
  std::vector<bool> busy_;
  std::deque<QueuedChunk> items_;
};

}  // namespace palstudy::hdf5
