// SPDX-License-Identifier: MIT
#include "campaign/explain_comm.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace palstudy {

void explain_comm(Mpi& mpi, const ExchangeCounts& counts) {
  const auto boundaries = static_cast<double>(std::max<std::uint64_t>(counts.gathers, 1));
  const auto calls = static_cast<double>(std::max<std::uint64_t>(counts.gathers + counts.reductions, 1));
  const std::string line = fmt::format(
      "{:>4}  {:>10}  {:>10}  {:>15.1f}  {:>19.1f}  {:>10.1f}  {:>8.3f}\n", mpi.rank(), counts.gathers,
      counts.reductions, static_cast<double>(counts.bytes_sent) / boundaries,
      static_cast<double>(counts.bytes_received) / boundaries, 1e6 * counts.seconds / calls, counts.seconds);
  const auto lines = mpi.gather(line);
  if (mpi.rank() != 0) return;
  fmt::print("rank     gathers  reductions  bytes sent each  bytes received each  us a call   seconds\n");
  for (const auto& text : lines) fmt::print("{}", text);
  fmt::print(
      "\"each\" is a boundary: one gather of the summaries of all partitions. Time includes waiting for others.\n");
}

}  // namespace palstudy
