// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace palstudy {

/// The integral over time of a function of a sum that changes in steps, from 0 on, up to each step.
class StepIntegral {
 public:
  /// `changes`: times and what the sum changes by, in any order; `of(sum)` is integrated.
  template <class Of>
  StepIntegral(std::vector<std::pair<double, double>> changes, Of of) {
    std::sort(changes.begin(), changes.end());
    double sum = 0, area = 0, since = 0;
    for (const auto& [time, change] : changes) {
      area += (time - since) * of(sum);
      since = time;
      sum += change;
      if (!times_.empty() && times_.back() == time) {
        areas_.back() = area;
      } else {
        times_.push_back(time);
        areas_.push_back(area);
      }
    }
  }

  /// The mean between two of the steps; `otherwise` where they are one.
  [[nodiscard]] double mean(double from_s, double to_s, double otherwise) const {
    return to_s > from_s ? (until(to_s) - until(from_s)) / (to_s - from_s) : otherwise;
  }

 private:
  [[nodiscard]] double until(double time_s) const {
    return areas_[static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time_s) - times_.begin())];
  }

  std::vector<double> times_, areas_;
};

/// Finish-time fairness as Themis defines it (NSDI'20, section 3.1): completion time over the time on 1 / N of the
/// cluster, N being the mean number of jobs over the stay; a job of `gpus` is slowed there by gpus N / cluster_gpus, if
/// by more than 1. Where all jobs have one GPU it is what Shockwave's artifact reports as the metric of Themis.
[[nodiscard]] inline double finish_time_fairness(double jct_s, double ideal_s, double gpus, double jobs,
                                                 double cluster_gpus) {
  return jct_s / (ideal_s * std::max(1.0, gpus * jobs / cluster_gpus));
}

}  // namespace palstudy
