// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/rounds.hpp"

namespace palstudy {

/// What a loop `while (taken < limit && x < target) { x += increment; ++taken; }` leaves, bit for bit, in time that
/// grows with the number of binades x passes through and not with the number of steps. `increment` > 0.
struct RepeatedSum {
  double value;        ///< x after the steps
  std::int64_t taken;  ///< how many; `never` if x stops growing short of the target and the limit is `never`
};

/// The published simulator credits a job once per round, in double; a product in place of the sum differs in the last
/// bits and could move a completion by a round. Within one binade, though, every addition of the same number moves x by
/// the same multiple of its last place (after two equal steps, which also settles ties to even), so whole runs of
/// additions can be made at once and exactly.
[[nodiscard]] RepeatedSum add_repeatedly(double x, double increment, std::int64_t limit, double target);

}  // namespace palstudy
