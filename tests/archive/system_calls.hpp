// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace palstudy::test {

/// The test program has `fsync`, `fdatasync`, `ftruncate` and `pwrite` of its own, which stand before those of the C
/// library: what is synced is noted, and cutting a file or writing to it can be made to fail. What files hold after a
/// call says neither.
struct SystemCalls {
  std::vector<std::string> synced;  ///< the paths, in order
  int data_syncs = 0;               ///< calls of fdatasync
  int truncate_error = 0;           ///< an errno: every ftruncate fails with it
  int most_written = -1;            ///< if not negative, the bytes that a pwrite writes at most,
  int writes = 0;                   ///< and every other one of them is interrupted
  SystemCalls();
  ~SystemCalls();
  SystemCalls(const SystemCalls&) = delete;
  SystemCalls& operator=(const SystemCalls&) = delete;
};

}  // namespace palstudy::test
