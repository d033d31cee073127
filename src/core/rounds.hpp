// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include "core/numbers.hpp"

namespace palstudy {

/// The number k of a scheduling boundary, which is at k x round_s.
using Boundary = std::int64_t;

/// In place of a boundary: none is due by the passing of time alone.
inline constexpr Boundary never = INT64_MAX;

/// The scheduling boundaries 0, round_s, 2 round_s, ... Their times are products, never sums, so that every part of the
/// program has the same double for a boundary; of a quotient, which is rounded, the product decides.
class Rounds {
 public:
  /// `round_s`: seconds; 0 asks for no rounding: then only `start_s` may be called.
  explicit constexpr Rounds(double round_s) : round_s_(round_s) {}

  /// When boundary k is; infinity for `never`.
  [[nodiscard]] constexpr double time_s(Boundary k) const {
    return k == never ? infinity : static_cast<double>(k) * round_s_;
  }
  /// The first boundary at or after `time_s`; `never` for infinity.
  [[nodiscard]] Boundary at_or_after(double time_s) const {
    const double quotient = time_s / round_s_;
    if (!(quotient < 0x1.0p62)) return never;
    auto k = static_cast<Boundary>(quotient);
    if (static_cast<double>(k) < quotient) ++k;  // rounded up, without a call of std::ceil
    while (k > 0 && static_cast<double>(k - 1) * round_s_ >= time_s) --k;
    while (static_cast<double>(k) * round_s_ < time_s) ++k;
    return k;
  }
  /// The first boundary after `time_s`.
  [[nodiscard]] Boundary after(double time_s) const {
    const Boundary k = at_or_after(time_s);
    return k == never || this->time_s(k) > time_s ? k : k + 1;
  }
  /// The last boundary at or before `time_s`, which is finite and not negative.
  [[nodiscard]] Boundary at_or_before(double time_s) const {
    const Boundary k = at_or_after(time_s);
    return this->time_s(k) > time_s ? k - 1 : k;
  }
  /// The first boundary after `now_s` that is not before `due_s`: where something is noticed that is due at `due_s`.
  [[nodiscard]] Boundary due_after(double now_s, double due_s) const {
    const Boundary due = at_or_after(due_s), next = after(now_s);
    return due > next ? due : next;
  }
  /// False for infinity.
  [[nodiscard]] bool is_boundary(double time_s) const {
    const Boundary k = at_or_after(time_s);
    return k != never && this->time_s(k) == time_s;
  }
  /// How many rounds `seconds` are that were summed up of rounds: to the nearest, as sums are rounded.
  [[nodiscard]] Boundary count(double seconds) const { return std::llround(seconds / round_s_); }
  /// The earliest time at or after `time_s` at which jobs may start: that of a boundary, or `time_s` itself where the
  /// scheduler acts at any time.
  [[nodiscard]] double start_s(double time_s) const {
    return round_s_ == 0 ? time_s : this->time_s(at_or_after(time_s));
  }
  [[nodiscard]] constexpr double round_s() const { return round_s_; }

 private:
  double round_s_;
};

}  // namespace palstudy
