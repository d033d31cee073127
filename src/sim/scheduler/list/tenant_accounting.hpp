// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/rounds.hpp"
#include "sim/state/tenant_rules.hpp"
#include "sim/state/with_state.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// The GPUs that tenants use, and when their jobs joined the queue, from boundary to boundary.
class TenantAccounting {
 public:
  TenantAccounting(const TenantRules& rules, const Workload& workload)
      : jobs_(workload.jobs), used_(rules.quota.size(), 0) {}

  [[nodiscard]] std::uint16_t tenant(JobId job) const { return jobs_[job.index()].tenant; }
  [[nodiscard]] std::uint32_t width(JobId job) const { return jobs_[job.index()].gpus; }
  /// GPUs that running jobs of each tenant hold, and parts of gangs.
  [[nodiscard]] const std::vector<std::uint64_t>& used() const { return used_; }

  void on_enqueue(JobId job, double now_s);
  void on_start(JobId job);
  /// It leaves its GPUs.
  void on_end(JobId job);
  /// The jobs that run, in the order in which they started; at one boundary by ascending id.
  [[nodiscard]] const std::vector<JobId>& started() const { return started_; }
  /// When a job joined the queue.
  [[nodiscard]] double since_s(JobId job) const { return since_s_[job.index()]; }

  /// GPUs of the parts that a waiting job holds, until the boundary at which it has to give them back.
  [[nodiscard]] std::uint32_t held(JobId job) const { return held_[job.index()]; }
  [[nodiscard]] Boundary held_until(JobId job) const { return held_until_[job.index()]; }
  void hold(JobId job, std::uint32_t gpus, Boundary until);
  void let_go(JobId job);
  /// It is not tried before that boundary.
  [[nodiscard]] Boundary retry_from(JobId job) const { return retry_from_[job.index()]; }
  void back_off(JobId job, Boundary until) { retry_from_[job.index()] = until; }

  template <class Archive>
  void serialize(Archive& archive, unsigned /*version*/) {
    (archive & started_ & since_s_ & held_ & held_until_ & retry_from_);
    if constexpr (Archive::is_loading::value) count_use();
  }

 private:
  void count_use();

  std::span<const Job> jobs_;
  std::vector<std::uint64_t> used_;  // by tenant
  std::vector<JobId> started_;
  // By job, as far as jobs have arrived.
  std::vector<double> since_s_;
  std::vector<std::uint32_t> held_;
  std::vector<Boundary> held_until_, retry_from_;
};

}  // namespace palstudy
