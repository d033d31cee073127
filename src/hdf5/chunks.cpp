// SPDX-License-Identifier: MIT
#include "hdf5/chunks.hpp"

#include <algorithm>

#include "hdf5/chunk_filters.hpp"
#include "hdf5/handle.hpp"

namespace palstudy::hdf5 {
namespace {

/// Chunks that wait for each worker: enough that a slow one does not stop the others, few enough to take little memory.
constexpr std::size_t most_waiting_each = 4;

}  // namespace

ChunkQueue::ChunkQueue(WorkerRanks& workers)
    : workers_(workers), busy_(static_cast<std::size_t>(workers.count()), false) {}

int ChunkQueue::idle() const {
  const auto found = std::ranges::find(busy_, false);
  return found == busy_.end() ? -1 : static_cast<int>(found - busy_.begin());
}

void ChunkQueue::take(QueuedChunk& item) {
  item.filtered = workers_.take(item.worker);
  busy_[static_cast<std::size_t>(item.worker)] = false;
  item.worker = -1;
}

void ChunkQueue::put_front() {
  QueuedChunk& item = items_.front();
  if (item.worker >= 0) take(item);
  check(H5Dwrite_chunk(item.dataset, H5P_DEFAULT, 0, &item.first_row, item.filtered.size(), item.filtered.data()),
        "cannot write", item.where);
  items_.pop_front();
}

void ChunkQueue::write(hid_t dataset, hsize_t first_row, std::span<const std::byte> chunk, std::size_t element,
                       const std::string& where) {
  for (QueuedChunk& item : items_) {
    if (item.worker >= 0 && workers_.ready(item.worker)) take(item);
  }
  const int worker = idle();
  items_.push_back({dataset, first_row, where, worker, {}});
  if (worker >= 0) {
    workers_.give(worker, filter_work(chunk, element));
    busy_[static_cast<std::size_t>(worker)] = true;
  } else {
    items_.back().filtered = filter_chunk(chunk, element);
  }
  while (!items_.empty() && (items_.front().worker < 0 || items_.size() > most_waiting_each * busy_.size())) {
    put_front();
  }
}

void ChunkQueue::drain() {
  while (!items_.empty()) put_front();
}

}  // namespace palstudy::hdf5
