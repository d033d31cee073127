// SPDX-License-Identifier: MIT
// races [--without FILE:LINE] [KERNEL...]: runs the device code of the kernels (all, if none is named) with a thread
// for each of CUDA's, under the thread sanitizer, and checks the results; prints the barriers that each kernel came to.
// Ends with 1 if a result is wrong, with 66 (the sanitizer's) if there is a race, with 2 if the barrier to be left out
// was not met.
#include "races.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {

void register_emulated_kernels(CudaKernelRegistry& registry);  // generated

namespace emulated {
std::set<std::string>& barriers_seen() {
  static std::set<std::string> seen;
  return seen;
}
std::string& barrier_left_out() {
  static std::string place;
  return place;
}
}  // namespace emulated

namespace {

// Small: each thread of a GPU is one here. Two tiles along k, two steps of a transform, pieces of several threads.
const std::map<std::string, std::map<std::string, std::string>> sizes = {
    {"allreduce", {{"ranks", "3"}, {"n", "300"}}},
    {"chase", {{"kib", "8"}, {"chains", "4"}, {"hops", "1024"}}},
    {"conv3x3", {{"batch", "1"}, {"in", "3"}, {"out", "7"}, {"side", "5"}}},
    {"fft3d", {{"n", "16"}}},
    {"fma-peak", {{"chains", "2048"}, {"steps", "3"}}},
    {"gemm-tc", {{"n", "256"}}},
    {"interp3d", {{"n", "6"}}},
    {"link", {{"kib", "3"}}},
    {"pagerank", {{"scale", "4"}, {"iterations", "2"}}},
    {"sgemm", {{"n", "20"}}},
    {"transformer", {{"hidden", "24"}, {"heads", "2"}, {"length", "10"}, {"batch", "1"}}},
    {"triad", {{"n", "4100"}}},
};

bool is_right(const std::string& name, const CudaKernelRegistry& raced) {
  const KernelEntry& kernel = kernels().at(name);
  const ParamValues params = kernel_params(kernel, Backend::host, sizes.at(name));
  const auto problem = kernel.make.make(params);
  Arrays arrays(problem->arrays());
  problem->fill(arrays, 11);
  arrays.poison_outputs();
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < arrays.size(); ++i) pointers.push_back(arrays.bytes(i).data());
  emulated::barriers_seen().clear();
  raced.at(name).make(params, pointers, nullptr)();
  for (const std::string& place : emulated::barriers_seen()) std::printf("%s %s\n", name.c_str(), place.c_str());
  const Verdict verdict = problem->check(arrays);
  if (!verdict.passed()) std::fprintf(stderr, "%s is wrong: %s\n", name.c_str(), verdict.worst.c_str());
  return verdict.passed();
}

int run(std::vector<std::string> names) {
  std::string& without = emulated::barrier_left_out();
  if (names.size() >= 2 && names[0] == "--without") {
    without = names[1];
    names.erase(names.begin(), names.begin() + 2);
  }
  if (names.empty()) {
    for (const auto& [name, size] : sizes) names.push_back(name);
  }
  CudaKernelRegistry raced("kernel");
  register_emulated_kernels(raced);
  for (const auto& kernel : raced.entries()) (void)sizes.at(kernel.name);  // none is forgotten
  bool right = true, met = without.empty();
  for (const std::string& name : names) {
    right = is_right(name, raced) && right;
    met = met || emulated::barriers_seen().contains(without);
  }
  if (!met) std::fprintf(stderr, "no kernel came to %s\n", without.c_str());
  return !met ? 2 : right ? 0 : 1;
}

}  // namespace
}  // namespace palstudy

int main(int argc, char** argv) { return palstudy::run({argv + 1, argv + argc}); }
