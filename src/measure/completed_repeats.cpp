// SPDX-License-Identifier: MIT
#include "measure/completed_repeats.hpp"

#include <algorithm>

namespace palstudy {

CompletedRepeat completed_repeat(const MeasuredRepeat& measured, std::size_t rank, std::size_t kernel) {
  const BatchSummary batch = summarize(measured.repeat.batch_ms);
  const auto launches = static_cast<double>(measured.repeat.launches);
  return {rank, kernel, static_cast<std::size_t>(measured.repeat.repeat), batch.median / launches,
          batch.mad / launches};
}

std::vector<CompletedRepeat> completed_repeats(const Measured& measured, const std::vector<ChosenKernel>& kernels,
                                               const std::vector<std::string>& uuids) {
  std::vector<CompletedRepeat> completed;
  for (const MeasuredRepeat& each : measured.repeats) {
    const auto rank = std::ranges::find(uuids, each.gpu.uuid);
    const auto kernel = std::ranges::find_if(kernels, [&](const ChosenKernel& chosen) {
      return chosen.record.name == each.kernel.name && chosen.record.params == each.kernel.params;
    });
    if (rank == uuids.end() || kernel == kernels.end()) continue;
    completed.push_back(completed_repeat(each, static_cast<std::size_t>(rank - uuids.begin()),
                                         static_cast<std::size_t>(kernel - kernels.begin())));
  }
  return completed;
}

std::size_t reruns_of_gpu(std::size_t kernels, std::size_t repeats) { return (kernels * repeats + 4) / 5; }

WorkList::WorkList(std::size_t rank, std::size_t kernels, const Protocol& protocol,
                   const std::vector<CompletedRepeat>& completed)
    : protocol_(protocol), rank_(rank), completed_(kernels) {
  for (const CompletedRepeat& repeat : completed) add(repeat);
}

bool WorkList::done(std::size_t kernel, std::size_t repeat) const {
  const auto& completed = completed_.at(kernel);
  return std::ranges::any_of(completed, [&](const CompletedRepeat& done) { return done.repeat == repeat; });
}

void WorkList::add(const CompletedRepeat& repeat) {
  if (repeat.rank == rank_) completed_.at(repeat.kernel).push_back(repeat);
}

std::size_t WorkList::reruns(std::size_t kernel) const {
  const auto& completed = completed_.at(kernel);
  return static_cast<std::size_t>(std::ranges::count_if(
      completed, [&](const CompletedRepeat& repeat) { return repeat.repeat >= protocol_.repeats; }));
}

bool WorkList::wants_rerun(std::size_t kernel, std::size_t attempt) const {
  std::size_t all = 0;
  for (std::size_t k = 0; k < completed_.size(); ++k) all += reruns(k);
  if (completed_.at(kernel).empty()) return false;  // it was left out
  if (reruns(kernel) != attempt || attempt >= reruns_of_kernel) return false;
  if (all >= reruns_of_gpu(completed_.size(), protocol_.repeats)) return false;
  std::vector<double> medians, scatter;
  for (const CompletedRepeat& repeat : completed_.at(kernel)) {
    medians.push_back(repeat.median_ms);
    scatter.push_back(repeat.mad_ms);
  }
  const auto off = unstable_repeats(medians, scatter, protocol_);
  return std::ranges::find(off, true) != off.end();
}

}  // namespace palstudy
