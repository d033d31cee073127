// SPDX-License-Identifier: MIT
#include "hdf5/chunks.hpp"

#include <algorithm>

#include "hdf5/chunk_filters.hpp"
#include "hdf5/handle.hpp"

namespace palstudy::hdf5 {
namespace {

/// Chunks that wait for each helper: enough that a slow one does not stop the others, few enough to take little memory.
constexpr std::size_t most_waiting_each = 4;

}  // namespace

ChunkQueue::ChunkQueue(Helpers& helpers) : helpers_(helpers), busy_(static_cast<std::size_t>(helpers.count()), false) {}

int ChunkQueue::idle() const {
  const auto found = std::find(busy_.begin(), busy_.end(), false);
  return found == busy_.end() ? -1 : static_cast<int>(found - busy_.begin());
}

void ChunkQueue::take(Item& item) {
  item.filtered = helpers_.take(item.helper);
  busy_[static_cast<std::size_t>(item.helper)] = false;
  item.helper = -1;
}

void ChunkQueue::put_front() {
  Item& item = items_.front();
  if (item.helper >= 0) take(item);
  check(H5Dwrite_chunk(item.dataset, H5P_DEFAULT, 0, &item.first_row, item.filtered.size(), item.filtered.data()),
        "cannot write", item.where);
  items_.pop_front();
}

void ChunkQueue::write(hid_t dataset, hsize_t first_row, std::span<const std::byte> chunk, std::size_t element,
                       const std::string& where) {
  for (Item& item : items_) {
    if (item.helper >= 0 && helpers_.ready(item.helper)) take(item);
  }
  const int helper = idle();
  items_.push_back({dataset, first_row, where, helper, {}});
  if (helper >= 0) {
    helpers_.give(helper, filter_work(chunk, element));
    busy_[static_cast<std::size_t>(helper)] = true;
  } else {
    items_.back().filtered = filter_chunk(chunk, element);
  }
  while (!items_.empty() && (items_.front().helper < 0 || items_.size() > most_waiting_each * busy_.size())) {
    put_front();
  }
}

void ChunkQueue::drain() {
  while (!items_.empty()) put_front();
}

}  // namespace palstudy::hdf5
