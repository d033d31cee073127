// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/gpu_set.hpp"
#include "topology/topology.hpp"
#include "variability/binning/bins.hpp"

namespace palstudy {

/// How GPUs are put into types, which are the same for all classes.
enum class TypeRule : std::uint8_t {
  widest,  ///< the bins of the class whose believed slowdowns spread most: the largest variance of their logarithm
  joint,   ///< GPUs that share a bin in every class
};

/// The types of a partition's GPUs, the fastest first, by their bins; none is empty.
class GpuTypes {
 public:
  /// `nested`: a job of type k runs on the types 0..k, at the speed of type k.
  GpuTypes(const Topology& topology, const Bins& bins, TypeRule rule, bool nested);

  [[nodiscard]] std::size_t size() const { return gpus_.size(); }
  /// The GPUs of a node that a job of the type may have.
  [[nodiscard]] GpuMask allowed(std::size_t type, NodeId node) const { return allowed_[type][node.index()]; }
  /// Fills `out` with those of `from`, a free index or another that has `mask(node)`, that a job of the type may not
  /// have.
  template <class From>
  void others(std::size_t type, const From& from, GpuSet& out) const {
    out.clear();
    for (std::uint32_t n = 0; n < allowed_[type].size(); ++n) {
      const GpuMask other = from.mask(NodeId(n)) & ~allowed(type, NodeId(n));
      if (other != 0) out.push_back({NodeId(n), other});
    }
  }
  /// The GPUs of the widest job that fits in a type.
  [[nodiscard]] std::uint32_t widest() const;
  /// `gpus` of the available GPUs, of the slowest types, with the lowest ids, a multiple of `group` on every node; they
  /// are taken out of `available`. None, if there are not so many.
  [[nodiscard]] GpuSet take_slowest(std::uint32_t gpus, std::uint32_t group, std::span<GpuMask> available) const;
  /// The GPUs of each type among those of `available`, a mask for each node.
  [[nodiscard]] std::vector<std::uint32_t> count(std::span<const GpuMask> available) const;
  /// By type: the expected speed of a gang, 1 being that of a median GPU: the mean of 1 / the slowest over all gangs of
  /// the type; nested: of 1 / slowdown over its GPUs. Where a gang does not fit: that on all of its GPUs.
  [[nodiscard]] std::vector<double> speeds(ClassId cls, std::uint32_t gang) const;

 private:
  const Bins& bins_;
  bool nested_;
  std::vector<std::vector<std::uint32_t>> gpus_;         // of each type, ascending
  std::vector<std::vector<GpuMask>> members_, allowed_;  // by type and node
};

}  // namespace palstudy
