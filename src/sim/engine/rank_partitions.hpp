// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include "sim/engine/partition.hpp"
#include "sim/state/exchange.hpp"

namespace palstudy {

/// The partitions that one rank simulates. An exception in the work on them is kept until all ranks know of it, so that
/// none waits for a rank that is gone.
class RankPartitions {
 public:
  /// `owner`: the rank of each partition.
  RankPartitions(const World& world, const Policies& policies, Exchange& exchange, std::vector<int> owner,
                 JobStates& states, RunRows& rows);

  /// Does this rank's own work, unless it has failed before.
  template <class Work>
  void guarded(Work work) {
    if (failure_) return;
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  /// The same for each of its partitions, whose cost is counted where there are several ranks.
  template <class Work>
  void for_each(Work work) {
    guarded([&] {
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        if (!parts_[p]) continue;
        if (exchange_.ranks() == 1) {
          work(*parts_[p]);
          continue;
        }
        const auto begin = std::chrono::steady_clock::now();
        work(*parts_[p]);
        cost_s_[p] += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        exchange_.tick();
      }
    });
  }

  [[nodiscard]] bool failed() const { return failure_ != nullptr; }
  /// Throws the failure of this rank, or that another one has failed, if there are others.
  void throw_failure() const;

  /// Of all ranks.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(parts_.size()); }
  [[nodiscard]] bool single() const { return parts_.size() == 1; }
  /// Null for a partition of another rank.
  [[nodiscard]] Partition* mine(PartitionId p) const { return parts_[p.index()].get(); }
  /// This rank's own, pairs of PartitionId and Partition*, by ascending id.
  [[nodiscard]] auto own() const {
    return std::views::iota(std::size_t{0}, parts_.size()) |
           std::views::filter([this](std::size_t p) { return parts_[p] != nullptr; }) |
           std::views::transform([this](std::size_t p) { return std::pair(PartitionId(p), parts_[p].get()); });
  }
  void close(PartitionId p) { parts_[p.index()].reset(); }

  [[nodiscard]] const std::vector<int>& owner() const { return owner_; }
  [[nodiscard]] std::vector<double>& cost_s() { return cost_s_; }
  [[nodiscard]] const std::vector<double>& cost_s() const { return cost_s_; }

 private:
  Exchange& exchange_;
  std::vector<int> owner_;
  std::vector<std::unique_ptr<Partition>> parts_;  // by partition; null for those of other ranks
  std::vector<double> cost_s_;
  std::exception_ptr failure_;  // of this rank, until all know that there is one
};

/// Which rank simulates which partition, by partition: the dearest first, each to the rank with the least so far
/// (Graham's LPT rule, 1969); ties: lowest. More ranks than partitions leave some with none.
[[nodiscard]] std::vector<int> assign_partitions(const std::vector<double>& cost, int ranks);

/// The cost of the rank that has most.
[[nodiscard]] double heaviest(const std::vector<double>& cost, const std::vector<int>& owner, int ranks);

}  // namespace palstudy
