// SPDX-License-Identifier: MIT
#include "sim/observers/energy/node_share.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/numbers.hpp"

namespace palstudy {

EnergySums::EnergySums(std::size_t classes) : node_s(classes, 0.0), gpu_s(node_s), work_s(node_s), gpu_j(node_s) {}

void EnergySums::serialize(Fields& f) {
  f(node_s), f(gpu_s), f(work_s), f(gpu_j), f(busy_node_s), f(unused_gpu_s);
  job_j.resize(f.count(job_j.size(), sizeof(double)));
  f.first_of(job_j.size(), job_j);
}

void NodeShare::add(std::uint32_t gpus, std::span<const Stay> stays) {
  if (stays.empty()) return;
  gpus_ = gpus;
  sort(stays);
  share();
  for (const Stay* stay : by_begin_) {
    sums_.gpu_s[stay->cls] += stay->gpus * (stay->end_s - stay->begin_s);
    sums_.gpu_j[stay->cls] += stay->gpu_j;
    sums_.job_j[stay->job.index()] += model_.pue * stay->gpu_j;
  }
}

/// By begin. Stays are given by end, and each begins during at most as many others as the node has GPUs, so that an
/// insertion has few to pass.
void NodeShare::sort(std::span<const Stay> stays) {
  const auto before = [](const Stay& a, const Stay& b) {
    if (a.begin_s != b.begin_s) return a.begin_s < b.begin_s;
    return std::tie(a.end_s, a.job) < std::tie(b.end_s, b.job);
  };
  by_begin_.clear();
  end_s_.clear();
  for (const Stay& stay : stays) {
    prefetch(sums_.job_j[stay.job.index()]);
    end_s_.push_back(stay.end_s);
    std::size_t at = by_begin_.size();
    by_begin_.push_back(&stay);
    for (; at > 0 && before(stay, *by_begin_[at - 1]); --at) by_begin_[at] = by_begin_[at - 1];
    by_begin_[at] = &stay;
  }
  if (!std::is_sorted(end_s_.begin(), end_s_.end())) std::sort(end_s_.begin(), end_s_.end());
}

void NodeShare::share() {
  present_.clear();
  held_ = 0;
  double now_s = by_begin_.front()->begin_s;
  for (std::size_t begun = 0, ended = 0;;) {
    if (end_s_[ended] <= now_s) {
      while (ended < end_s_.size() && end_s_[ended] <= now_s) ++ended;
      leave(now_s);
      if (ended == end_s_.size()) return;
    }
    for (; begun < by_begin_.size() && by_begin_[begun]->begin_s <= now_s; ++begun) come(*by_begin_[begun]);
    double next_s = end_s_[ended];
    if (begun < by_begin_.size()) next_s = std::min(next_s, by_begin_[begun]->begin_s);
    if (!present_.empty()) share(next_s - now_s);
    now_s = next_s;
  }
}

void NodeShare::come(const Stay& stay) {
  const double before_j = sums_.job_j[stay.job.index()];
  present_.push_back({stay.end_s, std::isnan(before_j) ? 0.0 : before_j, stay.gpus, stay.cls, stay.job});
  held_ += stay.gpus;
}

void NodeShare::leave(double now_s) {
  std::erase_if(present_, [&](const Present& job) {
    if (job.end_s > now_s) return false;
    sums_.job_j[job.job.index()] = job.base_j;
    held_ -= job.gpus;
    return true;
  });
}

void NodeShare::share(double length_s) {
  sums_.busy_node_s += length_s;
  sums_.unused_gpu_s += (gpus_ - held_) * length_s;
  for (Present& job : present_) {
    const double node_s = length_s * job.gpus / held_;
    sums_.node_s[job.cls] += node_s;
    job.base_j += model_.pue * (model_.base_w * node_s);
  }
}

}  // namespace palstudy
