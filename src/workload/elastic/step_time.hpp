// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace palstudy {

/// How many GPUs a job has, and over how many nodes they are spread.
struct JobShape {
  std::uint32_t gpus = 1, nodes = 1;
  friend bool operator==(const JobShape&, const JobShape&) = default;
};

/// The batch of an iteration: each GPU passes over `local` samples 1 + `accumulations` times before gradients are
/// exchanged.
struct Batch {
  std::uint32_t local = 1;          ///< samples of a pass on a GPU
  std::uint32_t accumulations = 0;  ///< further passes, whose gradients are added up on the GPU
  /// Samples of an iteration on so many GPUs.
  [[nodiscard]] double samples(std::uint32_t gpus) const {
    return static_cast<double>(gpus) * local * (1.0 + accumulations);
  }
  friend bool operator==(const Batch&, const Batch&) = default;
};

/// What slow GPUs and distance do to an iteration.
enum class SlowKind : std::uint8_t {
  whole,  ///< the slowest GPU's slowdown and the penalty stretch all of it, as those of a rigid job
  split,  ///< computing alone feels the slowdown, exchange alone the penalty
};

/// How slow the GPUs of a job are together. 1 and 1 are median GPUs on one node.
struct SlowGpus {
  SlowKind kind = SlowKind::whole;
  double slowdown = 1;  ///< of the slowest GPU, for the job's class
  double penalty = 1;   ///< of the widest level that the GPUs span
};

/// The time of an iteration by Pollux's form (Qiao et al., OSDI'21, section 3.2), with the names of its parameters.
/// All are seconds, or seconds a sample or GPU, but `gamma`.
struct StepTime {
  double alpha_c = 0, beta_c = 0;  ///< a pass: alpha_c + beta_c x local samples
  double alpha_r = 0, beta_r = 0;  ///< exchange of 2 GPUs on one node, and what each further one adds
  double alpha_n = 0, beta_n = 0;  ///< the same over several nodes
  double gamma = 1;                ///< 1: computing and exchange follow each other; 10: they overlap fully
  double alone_s = 0;              ///< "exchange" of one GPU; the programs of Pollux and Sia compute with 1e-8
};

/// One forward and backward pass over so many samples, in seconds.
[[nodiscard]] double pass_s(const StepTime& time, std::uint32_t local);

/// The exchange of gradients, in seconds.
[[nodiscard]] double exchange_s(const StepTime& time, JobShape shape);

/// One iteration, in seconds: all passes, the last of which overlaps with the exchange. Where there is no exchange it
/// is exactly the sum of its passes.
[[nodiscard]] double iteration_s(const StepTime& time, JobShape shape, Batch batch, const SlowGpus& slow = {});

}  // namespace palstudy
