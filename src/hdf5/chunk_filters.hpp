// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace palstudy {

/// The level of deflate in all files.
inline constexpr int deflate_level = 4;

/// A chunk of a dataset as HDF5 stores it behind shuffle, deflate and fletcher32, to the byte: what H5Dwrite would
/// store. Formats: the HDF5 File Format Specification 3.0, IV.A.2.l (filters); RFC 1950. `element`: bytes of one
/// value; the chunk holds whole values.
[[nodiscard]] std::vector<std::byte> filter_chunk(std::span<const std::byte> chunk, std::size_t element);

/// The same as a piece of work for a worker rank (parallel/worker_ranks.hpp): the size of a value (32 bits), then the
/// chunk.
[[nodiscard]] std::vector<std::byte> filter_work(std::span<const std::byte> chunk, std::size_t element);
[[nodiscard]] std::vector<std::byte> filter_chunk_task(std::span<const std::byte> work);

}  // namespace palstudy
