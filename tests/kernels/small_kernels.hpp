// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernels/kernel.hpp"

namespace palstudy {

/// Sizes at which a launch takes a millisecond; odd ones where the kernel allows them.
inline const std::map<std::string, std::map<std::string, std::string>>& small_sizes() {
  static const std::map<std::string, std::map<std::string, std::string>> sizes = {
      {"allreduce", {{"ranks", "3"}, {"n", "999"}}},
      {"chase", {{"kib", "8"}, {"chains", "4"}, {"hops", "1024"}}},
      {"conv3x3", {{"batch", "2"}, {"in", "5"}, {"out", "7"}, {"side", "9"}}},
      {"fft3d", {{"n", "8"}}},
      {"fma-peak", {{"chains", "2048"}, {"steps", "300"}}},
      {"gemm-tc", {{"n", "256"}}},
      {"interp3d", {{"n", "10"}}},
      {"link", {{"kib", "3"}}},
      {"pagerank", {{"scale", "9"}}},
      {"sgemm", {{"n", "150"}}},
      {"transformer", {{"hidden", "24"}, {"heads", "3"}, {"length", "10"}, {"batch", "3"}}},
      {"triad", {{"n", "4100"}}},
  };
  return sizes;
}

inline std::unique_ptr<Problem> small_problem(const std::string& name, std::map<std::string, std::string> sizes = {}) {
  const KernelEntry& kernel = kernels().at(name);
  if (sizes.empty()) sizes = small_sizes().at(name);
  return kernel.make.make(kernel_params(kernel, Backend::host, sizes));
}

/// A problem with its arrays filled and one launch done.
struct Computed {
  std::unique_ptr<Problem> problem;
  Arrays arrays;

  explicit Computed(std::unique_ptr<Problem> made, std::uint64_t seed = 7)
      : problem(std::move(made)), arrays(problem->arrays()) {
    problem->fill(arrays, seed);
    arrays.poison_outputs();
    problem->compute(arrays);
  }
};

}  // namespace palstudy
