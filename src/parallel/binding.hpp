// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "parallel/mpi.hpp"

namespace palstudy {

/// Where a rank may run: processors as the kernel numbers them, which are hardware threads, and their cores, each by
/// the lowest number of its processors.
struct Binding {
  std::string host;
  std::set<int> cpus, cores;
};

/// The kernel's notation: "0-3,8". What is no such list is empty.
[[nodiscard]] std::string cpu_list(const std::set<int>& cpus);
[[nodiscard]] std::set<int> parse_cpu_list(const std::string& text);

/// Collective. The bindings of all ranks on rank 0, by rank; empty elsewhere. From sched_getaffinity and the lists of
/// sibling threads in /sys; without those a processor counts as a core.
[[nodiscard]] std::vector<Binding> gather_bindings(Mpi& mpi);

/// "n1, n2: 0 | 1; n3: 2 ranks on 0-7": hosts by their lowest ranks, those with equal lists together, and the
/// processors of each rank, or once where they are the same for all ranks of the host.
[[nodiscard]] std::string binding_text(const std::vector<Binding>& bindings);

/// "4 ranks share 2 cores of n1" for the first host on which ranks cannot have a core each; "" if there is none. Ranks
/// with equal lists are compared with its cores, and all ranks of the host with all of theirs.
[[nodiscard]] std::string shared_cores_text(const std::vector<Binding>& bindings);

}  // namespace palstudy
