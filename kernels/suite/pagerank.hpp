// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace palstudy {

inline constexpr double pagerank_damping = 0.85;
/// A row of the graph is cut into pieces of at most so many edges, so that a hub's many edges are shared.
inline constexpr std::size_t pagerank_piece = 128;

/// The arrays of the kernel, by position.
struct PagerankArrays {
  enum : std::size_t { offsets, sources, inverse_degree, piece_begin, piece_row, rank, contribution, sum };
};

}  // namespace palstudy
