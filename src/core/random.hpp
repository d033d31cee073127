// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace palstudy {

/// What a random number is for. Numbers are stored nowhere, but they are part of the results: append, never renumber.
enum class Purpose : std::uint32_t {
  cluster_draw = 1,      ///< which measurement a simulated GPU gets
  random_placement = 2,  ///< which free GPUs the random policies take
  arrival = 3,
  job_shape = 4,
  job_duration = 5,
  job_model = 6,
  running_job = 7,     ///< the jobs that a generated workload begins with
  trace_model = 9,     ///< which model a job of a trace has that names none
  block_node = 32,     ///< which measured node stands for a generated one
  block_noise = 33,    ///< what smooths a generated cluster
  simulated_run = 34,  ///< run-to-run noise of a simulated measurement
  drift = 35,          ///< how far a GPU has wandered since it was measured
  reliability = 36,    ///< halves of runs, and resampled nodes
  classifier = 37,     ///< where K-means of kernels starts
  kernel_input = 48,   ///< the operands of the measuring kernels
  kernel_order = 49,   ///< in which order kernels are measured
  hash_routing = 64,   ///< which partition a job goes to under `routing.policy = "hash"`
  resample = 80,       ///< the resamples of a bootstrap
  superposed = 96,     ///< which jobs the broken copy of a trace has
  resampled = 97,      ///< which block of a trace comes at a position
  attempt = 112,       ///< how an attempt at a job ends, by job and attempt
  killed_job = 113,    ///< whether its user kills a job
  faulty_place = 114,  ///< how prone to faults a node or a GPU is
  prediction = 128,    ///< the error of a predicted duration, by job
  estimate = 129,      ///< by how much a user overestimates a job
  off_order = 144,     ///< which idle node is powered off first, by node
  evolution = 160,     ///< what an evolutionary search varies, by generation, operator, member and GPU or job
};

/// Counter-based random words (Random123's Philox4x32-10; Salmon et al., SC'11): a pure function of its arguments, so
/// neither rank nor order of drawing matters, and the same seed gives every policy the same numbers.
[[nodiscard]] std::array<std::uint32_t, 4> draw(std::uint64_t seed, Purpose purpose, std::uint64_t entity,
                                                std::uint32_t index);

/// A stream of one entity: successive `index` values, four words each.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t entity);

  std::uint32_t word();
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Uniform in (0, 1]; safe under a logarithm.
  double uniform_positive();
  /// Standard normal: the first of the two deviates of Box and Muller (Ann. Math. Stat. 29, 1958).
  double normal();
  /// Uniform in [0, n), without bias (Lemire's method). n > 0.
  std::uint32_t below(std::uint32_t n);

 private:
  std::uint64_t seed_;
  Purpose purpose_;
  std::uint64_t entity_;
  std::uint32_t index_ = 0;
  std::uint32_t used_ = 4;
  std::array<std::uint32_t, 4> words_{};
};

}  // namespace palstudy
