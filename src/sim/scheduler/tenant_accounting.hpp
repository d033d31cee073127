// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "sim/state/delays.hpp"
#include "sim/state/tenant_rules.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// What is kept of tenants and of their waiting jobs from boundary to boundary.
class TenantBook {
 public:
  TenantBook(const TenantRules& rules, const Workload& workload) : jobs_(workload.jobs), used_(rules.quota.size(), 0) {}

  [[nodiscard]] std::uint16_t tenant(JobId job) const { return jobs_[job.index()].tenant; }
  [[nodiscard]] std::uint32_t width(JobId job) const { return jobs_[job.index()].gpus; }
  /// GPUs that running jobs of each tenant hold, and parts of gangs.
  [[nodiscard]] const std::vector<std::uint64_t>& used() const { return used_; }

  /// A job joins the queue at boundary `k`, at `now_s`.
  void waits(JobId job, double now_s, Boundary k);
  void starts(JobId job, double now_s);
  /// It leaves its GPUs.
  void ends(JobId job);
  /// The jobs that run, in the order in which they started; at one boundary by ascending id.
  [[nodiscard]] const std::vector<JobId>& started() const { return started_; }
  /// A running job of a state that is restored.
  void restored(JobId job) { used_[tenant(job)] += width(job); }

  /// Why it waits from now on.
  void because(JobId job, DelayCause cause, double now_s);
  [[nodiscard]] Boundary since(JobId job) const { return since_[job.index()]; }
  [[nodiscard]] double since_s(JobId job) const { return since_s_[job.index()]; }

  /// It has held GPUs of so many nodes for so long.
  void held(JobId job, std::size_t nodes, double length_s, bool disturbed) {
    delays_.node_s[job.index()] += static_cast<double>(nodes) * length_s;
    if (disturbed) delays_.shared_s[job.index()] += length_s;
  }

  /// For how long it has waited, since it joined the queue, though its tenant could have had GPUs for it: for what its
  /// attempts to get them have taken.
  [[nodiscard]] double tried_s(JobId job, double now_s) const {
    const std::size_t j = job.index();
    const bool tries = cause_[j] != DelayCause::none && cause_[j] != DelayCause::fair_share;
    return attempts_s(j) - tried_before_s_[j] + (tries ? now_s - changed_s_[j] : 0.0);
  }
  [[nodiscard]] DelayCause cause(JobId job) const { return cause_[job.index()]; }

  // Parts of gangs.
  [[nodiscard]] std::uint32_t holds(JobId job) const { return holds_[job.index()]; }
  void hold(JobId job, std::uint32_t gpus);
  void let_go(JobId job);
  [[nodiscard]] Boundary tried_again(JobId job) const { return tried_again_[job.index()]; }
  void back_off(JobId job, Boundary until) { tried_again_[job.index()] = until; }

  /// Settles those who still wait.
  [[nodiscard]] DelayRows close(double end_s);

  /// To or from a checkpoint (state.cpp); usage by running jobs is told by `restored`.
  template <class F>
  void state(F& f) {
    for (auto& seconds : delays_.seconds) f(seconds);
    f(delays_.node_s), f(delays_.shared_s);
    f(started_), f(changed_s_), f(cause_), f(since_), f(since_s_), f(holds_), f(tried_again_), f(tried_before_s_);
    if constexpr (!F::saving) {
      check_sizes();
      for (std::size_t j = 0; j < holds_.size(); ++j) used_[jobs_[j].tenant] += holds_[j];
    }
  }

 private:
  void settle(std::size_t job, double now_s);
  [[nodiscard]] double attempts_s(std::size_t job) const {
    return delays_.of(DelayCause::fragmentation)[job] + delays_.of(DelayCause::gang)[job] +
           delays_.of(DelayCause::locality)[job];
  }
  void check_sizes() const;

  std::span<const Job> jobs_;
  std::vector<std::uint64_t> used_;  // by tenant
  std::vector<JobId> started_;
  // By job, as far as jobs have arrived.
  DelayRows delays_;
  std::vector<double> changed_s_;       // since when the cause is this one
  std::vector<DelayCause> cause_;       // none: it does not wait
  std::vector<Boundary> since_;         // when it joined the queue
  std::vector<double> since_s_;         // the same as a time
  std::vector<std::uint32_t> holds_;    // GPUs of a part
  std::vector<Boundary> tried_again_;   // not before
  std::vector<double> tried_before_s_;  // attempts of earlier waits
};

}  // namespace palstudy
