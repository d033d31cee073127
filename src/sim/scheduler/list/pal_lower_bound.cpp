// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/pal_lower_bound.hpp"

#include <algorithm>
#include <bit>

namespace palstudy {

PalLowerBound::PalLowerBound(const FreeGpus& free) : classes_(free.bins().classes()) {}

void PalLowerBound::forget() {
  for (ClassFree& known : classes_) known.known = false;
}

void PalLowerBound::count_free(ClassId cls, ClassFree& known, FreeGpus& free) {
  const std::uint32_t bins = free.bins().bins(cls);
  known.up_to.resize(bins);
  known.on_node.resize(bins);
  known.fastest = bins;
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b < bins; ++b) {
    sum += free.total(GpuFilter::bin(cls, b));
    if (sum > 0) known.fastest = std::min(known.fastest, b);
    known.up_to[b] = sum;
    known.on_node[b] = sum == 0 ? 0 : free.largest(GpuFilter::up_to(cls, b));
  }
  known.known = true;
}

/// Whether a node on which the job is would hold all of it with GPUs of bins 0..bin.
bool PalLowerBound::fits_own_node(ClassId cls, std::uint32_t bin, const GpuSet& gpus, std::uint32_t count,
                                  FreeGpus& free) {
  const auto& of_gpu = free.bins().of(cls).of_gpu;
  return std::any_of(gpus.begin(), gpus.end(), [&](const NodeGpus& part) {
    const std::size_t first = free.topology().first_gpu(part.node).index();
    int usable = std::popcount(free.mask(GpuFilter::up_to(cls, bin), part.node));
    for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1)
      usable += of_gpu[first + static_cast<std::size_t>(std::countr_zero(rest))] <= bin ? 1 : 0;
    return static_cast<std::uint32_t>(usable) >= count;
  });
}

double PalLowerBound::least_product(const Wanted& job, const GpuSet& gpus, const BelievedCost& own_cost,
                                    FreeGpus& free) {
  const ClassId cls = job.cls;
  const std::uint32_t count = job.gpus;
  const double within = job.believed.node, spread = across_penalty(job.believed);
  ClassFree& known = classes_[cls.index()];
  if (!known.known) count_free(cls, known, free);
  const std::vector<double>& values = free.bins().of(cls).values;
  if (count == 1) return within * values[std::min(known.fastest, own_cost.slowest_bin)];
  const auto own = [&](std::uint32_t b) { return count - (b < own_cost.slowest_bin ? own_cost.in_slowest : 0); };
  double least = own_cost.product;
  for (std::uint32_t b = known.fastest; b < values.size() && within * values[b] < least; ++b) {
    if (known.on_node[b] < count) {
      if (known.on_node[b] + std::min(own(b), own_cost.most_on_a_node) < count) continue;
      if (!fits_own_node(cls, b, gpus, count, free)) continue;
    }
    least = within * values[b];
  }
  for (std::uint32_t b = known.fastest; b < values.size() && spread * values[b] < least; ++b) {
    if (known.up_to[b] + own(b) >= count) least = spread * values[b];
  }
  return least;
}

}  // namespace palstudy
