// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "topology/partitioning.hpp"
#include "variability/binning/bins.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// What the partitions of a run say of themselves at a boundary, a row each: all that routing, levelling and the wide
/// jobs are told. A row is a fixed number of 64-bit cells whatever the number of GPUs and jobs, because it is sent to
/// every rank.
class Summaries {
 public:
  enum Cell : std::size_t { free_gpus, queued_jobs, demand_gpus, running_jobs, finished, largest_node, flags, cells };
  /// In `flags`: the rank of the partition has failed. Less than it is what that rank wishes
  /// (sim/state/checkpoints.hpp).
  static constexpr std::int64_t failed = 1000;

  /// `candidates`: how many jobs that could be moved a row names. The bins of `bins` are counted if `with_bins`.
  /// `group_sizes`: sizes of the tensor groups of jobs wider than any partition, each once. `tenants`: those with
  /// quotas. `with_off`: nodes may be off that such jobs want.
  Summaries(const Partitioning& partitioning, const Bins& bins, std::size_t candidates, bool with_bins,
            std::vector<std::uint32_t> group_sizes = {}, std::size_t tenants = 0, bool with_off = false);

  [[nodiscard]] std::uint32_t partitions() const { return partitioning_.partitions(); }
  [[nodiscard]] std::uint32_t gpus(PartitionId p) const { return partitioning_.gpus(p); }
  /// Whether all have as many GPUs.
  [[nodiscard]] bool alike() const { return partitioning_.alike(); }

  [[nodiscard]] std::int64_t at(PartitionId p, Cell cell) const { return row(p)[cell]; }
  void set(PartitionId p, Cell cell, std::int64_t value) { row(p)[cell] = value; }
  void add(PartitionId p, Cell cell, std::int64_t value) { row(p)[cell] += value; }
  /// Of all partitions.
  [[nodiscard]] std::int64_t sum(Cell cell) const;
  /// GPUs that queued and running jobs want / GPUs; compared without dividing, which every arrival would do once for
  /// each partition. (Neither product overflows below 2^43 GPUs wanted of 2^20.)
  struct Load {
    std::int64_t wanted, gpus;
    friend bool operator<(const Load& a, const Load& b) { return a.wanted * b.gpus < b.wanted * a.gpus; }
  };
  [[nodiscard]] Load load(PartitionId p) const { return {at(p, demand_gpus), gpus(p)}; }

  /// Waiting jobs that never started, those that would start last first.
  [[nodiscard]] std::optional<JobId> candidate(PartitionId p, std::size_t i) const;
  void set_candidate(PartitionId p, std::size_t i, std::optional<JobId> job);
  [[nodiscard]] std::size_t candidates() const { return candidates_; }

  /// Free GPUs by bin of a class, fastest first; empty unless `with_bins`.
  [[nodiscard]] std::span<std::int64_t> free_by_bin(PartitionId p, ClassId cls);
  [[nodiscard]] std::span<const std::int64_t> free_by_bin(PartitionId p, ClassId cls) const;
  [[nodiscard]] bool with_bins() const { return !first_bin_.empty(); }

  /// Free GPUs in whole groups of `group_sizes()[i]`, each group on one node.
  [[nodiscard]] std::span<const std::uint32_t> group_sizes() const { return group_sizes_; }
  [[nodiscard]] std::int64_t free_in_groups(PartitionId p, std::size_t i) const { return row(p)[first_group_ + i]; }
  void set_free_in_groups(PartitionId p, std::size_t i, std::int64_t gpus) { row(p)[first_group_ + i] = gpus; }

  /// GPUs of nodes that have to be powered on first, in all, and then in whole groups of each of `group_sizes()`.
  [[nodiscard]] std::span<std::int64_t> off(PartitionId p) { return row(p).subspan(first_off_); }
  [[nodiscard]] std::span<const std::int64_t> off(PartitionId p) const { return row(p).subspan(first_off_); }

  /// GPUs that the jobs of each tenant with a quota hold, parts of jobs on several partitions aside.
  [[nodiscard]] std::span<std::int64_t> tenant_use(PartitionId p) {
    return row(p).subspan(first_tenant_, first_off_ - first_tenant_);
  }
  [[nodiscard]] std::span<const std::int64_t> tenant_use(PartitionId p) const {
    return row(p).subspan(first_tenant_, first_off_ - first_tenant_);
  }
  /// Those of all partitions.
  [[nodiscard]] std::vector<std::int64_t> tenant_use() const;

  /// Books a job that a partition has been given at this boundary, so that a burst does not herd: its demand, and the
  /// GPUs that it would take, as far as they are free.
  void assign(PartitionId p, const Job& job);

  /// The table as it is sent: `width` cells a partition, by partition.
  [[nodiscard]] std::size_t width() const { return cells_; }
  [[nodiscard]] std::span<std::int64_t> table() { return table_; }
  [[nodiscard]] std::span<std::int64_t> row(PartitionId p) { return {table_.data() + p.index() * cells_, cells_}; }
  [[nodiscard]] std::span<const std::int64_t> row(PartitionId p) const {
    return {table_.data() + p.index() * cells_, cells_};
  }

 private:
  const Partitioning& partitioning_;
  std::size_t candidates_;
  std::vector<std::size_t> first_bin_, bins_;  // by class: cell of the first bin, number of bins
  std::vector<std::uint32_t> group_sizes_;
  std::size_t first_group_ = 0, first_tenant_ = 0, first_off_ = 0;  // cells
  std::size_t cells_;
  std::vector<std::int64_t> table_;
};

}  // namespace palstudy
