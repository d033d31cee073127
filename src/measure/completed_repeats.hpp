// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/protocol.hpp"
#include "measure/options.hpp"
#include "shard/measured_frame.hpp"

namespace palstudy {

/// A repeat that was measured before, in a form that ranks broadcast.
struct CompletedRepeat {
  std::size_t rank = 0;    ///< the rank that has the GPU now
  std::size_t kernel = 0;  ///< place in the list of kernels
  std::size_t repeat = 0;
  double median_ms = 0, mad_ms = 0;  ///< of one launch, since the number of launches in a batch differs between repeats
};
[[nodiscard]] CompletedRepeat completed_repeat(const MeasuredRepeat& measured, std::size_t rank, std::size_t kernel);

/// The repeats of these kernels on the GPUs with these UUIDs, which are by rank.
[[nodiscard]] std::vector<CompletedRepeat> completed_repeats(const Measured& measured,
                                                             const std::vector<ChosenKernel>& kernels,
                                                             const std::vector<std::string>& uuids);

/// How often repeats that are off the others are done again, at most: of one kernel, and in all for so many kernels.
inline constexpr std::size_t reruns_of_kernel = 2;
[[nodiscard]] std::size_t reruns_of_gpu(std::size_t kernels, std::size_t repeats);

/// What one GPU has to do, as the repeats come in.
class WorkList {
 public:
  /// Uses the completed repeats of this rank alone.
  WorkList(std::size_t rank, std::size_t kernels, const Protocol& protocol,
           const std::vector<CompletedRepeat>& completed);
  [[nodiscard]] bool done(std::size_t kernel, std::size_t repeat) const;
  void add(const CompletedRepeat& repeat);
  /// Whether a kernel is to be measured once more, because one of its repeats is off the others, for the `attempt`th
  /// time (from 0); its repeats then count from protocol.repeats on.
  [[nodiscard]] bool wants_rerun(std::size_t kernel, std::size_t attempt) const;

 private:
  [[nodiscard]] std::size_t reruns(std::size_t kernel) const;
  Protocol protocol_;
  std::size_t rank_;
  std::vector<std::vector<CompletedRepeat>> completed_;  // by kernel
};

}  // namespace palstudy
