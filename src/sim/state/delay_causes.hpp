// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/ids.hpp"
#include "sim/state/delays.hpp"
#include "sim/state/with_state.hpp"

namespace palstudy {

/// Why the jobs of a partition wait, and for how long each cause has delayed them.
class DelayCauses {
 public:
  /// A job joins the queue.
  void enqueue(JobId job, double now_s);
  /// The cause of its delay from now on; `none` when it starts.
  void set(JobId job, DelayCause cause, double now_s);
  [[nodiscard]] DelayCause cause(JobId job) const { return cause_[job.index()]; }
  /// Seconds since it joined the queue in which its tenant could have had GPUs for it: the time that its attempts to
  /// get them have taken.
  [[nodiscard]] double tried_s(JobId job, double now_s) const;
  /// The delays until the end of the run.
  [[nodiscard]] DelayRows close(double end_s);
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & delays_ & changed_s_ & cause_ & tried_before_s_);
    for (const auto& seconds : delays_.seconds) require_same(seconds.size(), cause_.size());
    require_same(changed_s_.size(), cause_.size());
    require_same(tried_before_s_.size(), cause_.size());
  }

 private:
  void settle(std::size_t job, double now_s);
  [[nodiscard]] double attempts_s(std::size_t job) const {
    return delays_.of(DelayCause::fragmentation)[job] + delays_.of(DelayCause::gang)[job] +
           delays_.of(DelayCause::locality)[job];
  }

  // By job, as far as jobs have arrived.
  DelayRows delays_;
  std::vector<double> changed_s_;       // since when the cause is this one
  std::vector<DelayCause> cause_;       // none: it does not wait
  std::vector<double> tried_before_s_;  // attempts of earlier waits
};

}  // namespace palstudy
