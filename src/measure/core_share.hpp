// SPDX-License-Identifier: MIT
#pragma once

namespace palstudy {

/// The share of a core that the calling thread gets just now, over 0 to 1, by working for `cpu_s` seconds of its own,
/// or for `most_s` seconds that pass. Ranks that call it together learn what other ranks, other programs, a binding to
/// cores and the limits of a container leave each of them, which no count of cores tells.
[[nodiscard]] double core_share(double cpu_s, double most_s);

}  // namespace palstudy
