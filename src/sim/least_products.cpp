// SPDX-License-Identifier: MIT
#include "sim/least_products.hpp"

#include <algorithm>
#include <limits>

#include "cluster/byte_lanes.hpp"

namespace palstudy {

LeastProducts::LeastProducts(const FreeGpus& free, const LocalityPenalty& believed)
    : penalty_(believed), spread_(std::min(believed.cabinet, believed.cluster)), classes_(free.bins().classes()) {}

void LeastProducts::forget() {
  for (ClassFree& known : classes_) known.known = false;
}

void LeastProducts::look(ClassId cls, ClassFree& known, FreeGpus& free) const {
  const std::uint32_t bins = free.bins().bins(cls);
  known.up_to.resize(bins);
  known.on_node.resize(bins);
  known.fastest = bins;
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b < bins; ++b) {
    sum += free.total(Kind::bin(cls, b));
    if (sum > 0) known.fastest = std::min(known.fastest, b);
    known.up_to[b] = sum;
    known.on_node[b] = sum == 0 ? 0 : free.largest(Kind::up_to(cls, b));
  }
  known.known = true;
}

double LeastProducts::of(ClassId cls, const GpuSet& gpus, std::uint32_t count, const Held& held, FreeGpus& free) {
  ClassFree& known = classes_[cls.index()];
  if (!known.known) look(cls, known, free);
  const std::vector<double>& values = free.bins().of(cls).values;
  if (count == 1) return penalty_.node * values[std::min(known.fastest, held.slowest_bin)];
  double least = std::numeric_limits<double>::infinity();
  bool across = false;
  for (std::uint32_t b = known.fastest; b < values.size(); ++b) {
    const std::uint32_t own = count - (b < held.slowest_bin ? held.in_slowest : 0);
    if (!across && known.up_to[b] + own >= count) {
      across = true;
      least = std::min(least, spread_ * values[b]);
    }
    if (!(penalty_.node * values[b] < least)) {
      if (across) break;
      continue;
    }
    bool within = known.on_node[b] >= count;
    if (!within && known.on_node[b] + std::min(own, held.most_on_a_node) >= count) {
      // A job on one node: that node is the only one where its own GPUs help.
      within = gpus.size() > 1 || gpus_in(free.mask(Kind::up_to(cls, b), gpus.front().node)) + own >= count;
    }
    if (within) least = std::min(least, penalty_.node * values[b]);
  }
  return least;
}

}  // namespace palstudy
