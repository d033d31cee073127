// SPDX-License-Identifier: MIT
#include "sim/observers/energy/node_share.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/numbers.hpp"
#include "sim/state/state_archive.hpp"

BOOST_IS_BITWISE_SERIALIZABLE(palstudy::Stay)

namespace palstudy {

namespace {

/// Inserts into what is sorted, from its end on.
template <class Before>
void insert(std::vector<std::uint32_t>& sorted, std::uint32_t added, const Before& before) {
  std::size_t at = sorted.size();
  sorted.push_back(added);
  for (; at > 0 && before(added, sorted[at - 1]); --at) sorted[at] = sorted[at - 1];
  sorted[at] = added;
}

}  // namespace

EnergySums::EnergySums(std::size_t classes) : node_s(classes, 0.0), gpu_s(node_s), work_s(node_s), gpu_j(node_s) {}

void NodeShare::add(std::uint32_t gpus, std::span<const Stay> stays) {
  if (stays.empty()) return;
  gpus_ = gpus;
  stays_ = stays;
  sort();
  held_ = 0;
  part_s_ = 0;
  now_s_ = stays_[by_begin_.front()].begin_s;
  std::size_t begun = 0;
  for (const std::uint32_t ended : by_end_) {
    for (; begun < by_begin_.size() && stays_[by_begin_[begun]].begin_s < stays_[ended].end_s; ++begun) {
      come(by_begin_[begun]);
    }
    leave(ended);
  }
}

/// By begin and by end. Stays are given by end, but for those of one instant, and each begins during at most as many
/// others as the node has GPUs, so that an insertion has few to pass.
void NodeShare::sort() {
  const auto begins_before = [&](std::uint32_t a, std::uint32_t b) {
    if (stays_[a].begin_s != stays_[b].begin_s) return stays_[a].begin_s < stays_[b].begin_s;
    return stays_[a].job < stays_[b].job;
  };
  const auto ends_before = [&](std::uint32_t a, std::uint32_t b) {
    if (stays_[a].end_s != stays_[b].end_s) return stays_[a].end_s < stays_[b].end_s;
    return std::tie(stays_[a].job, stays_[a].begin_s) < std::tie(stays_[b].job, stays_[b].begin_s);
  };
  by_begin_.clear();
  by_end_.clear();
  for (std::uint32_t i = 0; i < stays_.size(); ++i) {
    prefetch(sums_.job_j[stays_[i].job.index()]);
    insert(by_begin_, i, begins_before);
    insert(by_end_, i, ends_before);
  }
  begin_part_s_.resize(stays_.size());
}

void NodeShare::come(std::uint32_t stay) {
  go_on(stays_[stay].begin_s);
  begin_part_s_[stay] = part_s_;
  held_ += stays_[stay].gpus;
}

void NodeShare::leave(std::uint32_t at) {
  const Stay& stay = stays_[at];
  go_on(stay.end_s);
  held_ -= stay.gpus;
  const double node_s = stay.gpus * (part_s_ - begin_part_s_[at]);
  sums_.node_s[stay.cls] += node_s;
  sums_.gpu_s[stay.cls] += stay.gpus * (stay.end_s - stay.begin_s);
  sums_.gpu_j[stay.cls] += stay.gpu_j;
  double& job_j = sums_.job_j[stay.job.index()];
  job_j = (std::isnan(job_j) ? 0.0 : job_j) + model_.pue * (model_.base_w * node_s + stay.gpu_j);
}

void NodeShare::go_on(double to_s) {
  if (held_ > 0) {
    const double length_s = to_s - now_s_;
    sums_.busy_node_s += length_s;
    sums_.unused_gpu_s += (gpus_ - held_) * length_s;
    part_s_ += length_s / held_;
  }
  now_s_ = to_s;
}

/// By counting: each node's place begins where that of the one before it ends.
void NodeStays::sort() {
  std::fill(ends_.begin(), ends_.end(), 0U);
  for (const Stay& stay : stays_) ++ends_[stay.node.index()];
  std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), 0U);
  sorted_.resize(stays_.size());
  for (const Stay& stay : stays_) sorted_[ends_[stay.node.index()]++] = stay;
}

template <class Archive>
void NodeStays::serialize(Archive& archive, unsigned /*version*/) {
  (archive & stays_);
}
template void NodeStays::serialize(StateOut&, unsigned);
template void NodeStays::serialize(StateIn&, unsigned);

}  // namespace palstudy
