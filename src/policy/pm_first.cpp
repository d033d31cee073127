// SPDX-License-Identifier: MIT
#include "policy/pm_first.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <vector>

namespace palstudy {
namespace {

struct Nodes {
  NodeId begin, end;
};

/// Takes free GPUs of one bin until none is left or `gpus` are taken; `demand` is the whole job's. What is missing.
std::uint32_t take_bin(Kind bin, std::uint32_t demand, std::uint32_t gpus, Nodes nodes, FreeGpus& free, GpuSet& out) {
  std::uint64_t left = free.present(bin);  // bit q: nodes with q free GPUs of the bin that were not visited
  const auto find = [&](std::uint32_t q, std::uint32_t from) -> std::optional<NodeId> {
    if (q >= 64 || (left >> q & 1) == 0) return std::nullopt;
    const auto node = free.exactly(bin, q, NodeId(from));
    return node && *node < nodes.end ? node : std::nullopt;
  };
  const auto take = [&](NodeId node, std::uint32_t q) {
    const std::uint32_t taken = std::min(q, gpus);
    out.push_back({node, lowest(free.mask(bin, node), taken)});
    gpus -= taken;
  };
  const std::uint32_t widest = static_cast<std::uint32_t>(std::bit_width(left));
  for (std::uint32_t d = demand >= widest ? demand - widest : 0; left != 0 && gpus > 0; ++d) {
    // Nodes with q = demand - d and with q = demand + d are equally far: they come by node id together.
    const std::uint32_t less = demand > d ? demand - d : 64;
    const std::uint32_t more = d > 0 ? demand + d : 64;
    auto below = find(less, nodes.begin.value);
    auto above = find(more, nodes.begin.value);
    while (gpus > 0 && (below || above)) {
      if (below && (!above || *below < *above)) {
        take(*below, less);
        if (gpus > 0) below = find(less, below->value + 1);
      } else {
        take(*above, more);
        if (gpus > 0) above = find(more, above->value + 1);
      }
    }
    if (less < 64) left &= ~(std::uint64_t{1} << less);
    if (more < 64) left &= ~(std::uint64_t{1} << more);
  }
  return gpus;
}

}  // namespace

bool choose_pm_first(ClassId cls, std::uint32_t gpus, FreeGpus& free, GpuSet& out) {
  if (free.total() < gpus) return false;
  choose_pm_first(cls, gpus, NodeId(0), NodeId(free.topology().nodes()), free, out);
  return true;
}

void choose_pm_first(ClassId cls, std::uint32_t gpus, NodeId begin, NodeId end, FreeGpus& free, GpuSet& out) {
  std::uint32_t missing = gpus;
  for (std::uint32_t b = 0; missing > 0; ++b) {
    missing = take_bin(Kind::bin(cls, b), gpus, missing, {begin, end}, free, out);
  }
}

void sort_by_class(const View& view, std::span<JobId> head) {
  thread_local std::vector<JobId> unsorted;
  thread_local std::vector<std::size_t> next;  // by class: where its next job goes
  unsorted.assign(head.begin(), head.end());
  next.clear();
  for (const JobId job : unsorted) {
    const std::size_t after = view.job(job).cls.index() + 1;
    if (next.size() <= after) next.resize(after + 1, 0);
    ++next[after];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const JobId job : unsorted) head[next[view.job(job).cls.index()]++] = job;
}

}  // namespace palstudy
