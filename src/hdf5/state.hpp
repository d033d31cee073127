// SPDX-License-Identifier: MIT
#pragma once

// Included by the hdf5_*.cpp files alone.
#include <map>
#include <memory>
#include <string>

#include "hdf5/chunks.hpp"
#include "hdf5/content_sum.hpp"
#include "hdf5/handle.hpp"
#include "hdf5/hdf5.hpp"
#include "hdf5/posix_driver.hpp"

namespace palstudy::hdf5 {

/// Of a chunk of a dataset, about.
inline constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

struct File::State {
  Disk disk;  // outlives the file, whose driver writes to it
  Handle file;
  std::unique_ptr<ChunkQueue> queue;  // if there are workers
  /// By path: sum_of_values of the datasets that were written or read whole.
  std::map<std::string, std::string> sums;
};

/// How elements are stored, in words for a checksum. Errors (data): of no type that this program writes.
[[nodiscard]] std::string type_words(hid_t type, const std::string& where);

/// Takes the values of a dataset; what it begins with is their type and number.
[[nodiscard]] ContentSum sum_of_values(const std::string& words, std::size_t rows);

}  // namespace palstudy::hdf5
