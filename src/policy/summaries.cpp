// SPDX-License-Identifier: MIT
#include "policy/summaries.hpp"

#include <algorithm>
#include <utility>

namespace palstudy {

Summaries::Summaries(const Partitioning& partitioning, const Bins& bins, std::size_t candidates, bool with_bins,
                     std::vector<std::uint32_t> group_sizes, std::size_t tenants, bool with_off)
    : partitioning_(partitioning),
      candidates_(candidates),
      group_sizes_(std::move(group_sizes)),
      cells_(cells + candidates) {
  for (std::size_t c = 0; with_bins && c < bins.classes(); ++c) {
    first_bin_.push_back(cells_);
    bins_.push_back(bins.bins(ClassId(c)));
    cells_ += bins_.back();
  }
  first_group_ = cells_;
  first_tenant_ = first_group_ + group_sizes_.size();
  first_off_ = first_tenant_ + tenants;
  cells_ = first_off_ + (with_off ? 1 + group_sizes_.size() : 0);
  table_.assign(cells_ * partitioning.partitions(), 0);
}

std::int64_t Summaries::sum(Cell cell) const {
  std::int64_t sum = 0;
  for (std::uint32_t p = 0; p < partitions(); ++p) sum += at(PartitionId(p), cell);
  return sum;
}

std::optional<JobId> Summaries::candidate(PartitionId p, std::size_t i) const {
  const std::int64_t job = row(p)[cells + i];  // 0 is none
  return job == 0 ? std::nullopt : std::optional(JobId(static_cast<std::uint32_t>(job - 1)));
}

void Summaries::set_candidate(PartitionId p, std::size_t i, std::optional<JobId> job) {
  row(p)[cells + i] = job ? std::int64_t{job->value} + 1 : 0;
}

std::span<std::int64_t> Summaries::free_by_bin(PartitionId p, ClassId cls) {
  if (!with_bins()) return {};
  return row(p).subspan(first_bin_[cls.index()], bins_[cls.index()]);
}

std::span<const std::int64_t> Summaries::free_by_bin(PartitionId p, ClassId cls) const {
  if (!with_bins()) return {};
  return row(p).subspan(first_bin_[cls.index()], bins_[cls.index()]);
}

std::vector<std::int64_t> Summaries::tenant_use() const {
  std::vector<std::int64_t> used(first_off_ - first_tenant_, 0);
  for (std::uint32_t p = 0; p < partitions(); ++p) {
    const auto here = tenant_use(PartitionId(p));
    for (std::size_t tenant = 0; tenant < used.size(); ++tenant) used[tenant] += here[tenant];
  }
  return used;
}

void Summaries::assign(PartitionId p, const Job& job) {
  const bool fits = at(p, free_gpus) >= job.gpus && at(p, queued_jobs) == 0;
  add(p, demand_gpus, job.gpus);
  if (!fits) return add(p, queued_jobs, 1);
  add(p, free_gpus, -std::int64_t{job.gpus});
  // Which GPUs they are in the bins of the other classes is not known; those of its own go from the fastest on.
  std::int64_t left = job.gpus;
  for (std::int64_t& bin : free_by_bin(p, job.cls)) {
    const std::int64_t taken = std::min(bin, left);
    bin -= taken;
    left -= taken;
  }
}

}  // namespace palstudy
