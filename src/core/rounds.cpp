// SPDX-License-Identifier: MIT
#include "core/rounds.hpp"

#include <cmath>

namespace palstudy {

Boundary Rounds::at_or_after(double time_s) const {
  const double quotient = std::ceil(time_s / round_s_);
  if (!(quotient < 0x1.0p62)) return never;
  auto k = static_cast<Boundary>(quotient);
  while (k > 0 && this->time_s(k - 1) >= time_s) --k;
  while (this->time_s(k) < time_s) ++k;
  return k;
}

Boundary Rounds::count(double seconds) const { return std::llround(seconds / round_s_); }

}  // namespace palstudy
