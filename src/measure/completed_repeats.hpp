// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/protocol.hpp"
#include "measure/selection.hpp"
#include "shard/measured_frame.hpp"

namespace palstudy {

/// What has to be known of a finished repeat to go on: that it is there, and how it came out.
struct CompletedRepeat {
  std::string uuid;
  std::size_t kernel = 0;  ///< place in the list of kernels
  std::size_t repeat = 0;
  double median_ms = 0, mad_ms = 0;  ///< of a launch: each repeat finds anew how many make a batch
};
[[nodiscard]] CompletedRepeat completed_repeat(const MeasuredRepeat& measured, std::size_t kernel);

/// Of what is measured of these kernels, whatever GPU.
[[nodiscard]] std::vector<CompletedRepeat> completed_repeats(const Measured& measured,
                                                             const std::vector<ChosenKernel>& kernels);
/// A line each, for who has not read the shards; and back.
[[nodiscard]] std::string marks_text(const std::vector<CompletedRepeat>& completed);
[[nodiscard]] std::vector<CompletedRepeat> parse_marks(const std::string& text);

/// How often repeats that are off the others are done again, at most: of one kernel, and in all for so many kernels.
inline constexpr std::size_t reruns_of_kernel = 2;
[[nodiscard]] std::size_t reruns_of_gpu(std::size_t kernels, std::size_t repeats);

/// What one GPU has to do, as the repeats come in.
class WorkList {
 public:
  /// The completed of other GPUs are passed over.
  WorkList(const std::string& uuid, std::size_t kernels, const Protocol& protocol,
           const std::vector<CompletedRepeat>& completed);
  [[nodiscard]] bool done(std::size_t kernel, std::size_t repeat) const;
  void add(const CompletedRepeat& repeat);
  /// Whether a kernel is to be measured once more, because one of its repeats is off the others, for the `attempt`th
  /// time (from 0); its repeats then count from protocol.repeats on.
  [[nodiscard]] bool wants_rerun(std::size_t kernel, std::size_t attempt) const;

 private:
  [[nodiscard]] std::size_t reruns(std::size_t kernel) const;
  Protocol protocol_;
  std::string uuid_;
  std::vector<std::vector<CompletedRepeat>> completed_;  // by kernel
};

}  // namespace palstudy
