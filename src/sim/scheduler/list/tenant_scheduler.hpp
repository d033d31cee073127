// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/scheduler/list/dedicated_nodes.hpp"
#include "sim/scheduler/list/list_scheduler.hpp"
#include "sim/scheduler/list/migration.hpp"
#include "sim/scheduler/list/tenancy.hpp"

namespace palstudy {

/// Places waiting jobs where there are tenants (Jeon et al., ATC'19, section 2.3), for sticky placements: first jobs
/// that keep their tenants within quota, then those that borrow what is left; in both, the tenant that uses the least
/// share of its quota is next, and a job that does not fit holds up no other. So no job borrows GPUs that a job within
/// quota waits for and could use.
class TenantScheduler final : public WithState<TenantScheduler, ListScheduler> {
 public:
  explicit TenantScheduler(const SchedulerContext& context);

  [[nodiscard]] bool wants_events() const override { return true; }
  void notify(const JobEvent& event) override;
  [[nodiscard]] bool idle() const override;
  void decide(const View& view, Transaction& transaction) override;
  void committed(const View& view, Transaction& transaction) override { tenancy_.note_delays(view, transaction); }
  [[nodiscard]] double next_change_s(const View& view) override;
  template <class Archive>
  void serialize(Archive& archive, unsigned /*version*/) {
    (archive & static_cast<ListScheduler&>(*this) & tenancy_);
    if constexpr (Archive::is_loading::value) reserve_nodes();
  }
  void check(double now_s) const override;
  [[nodiscard]] const std::vector<GpuMask>& kept_free() const override { return dedicated_.kept(); }

 protected:
  [[nodiscard]] bool may_change_any_time() const override;
  [[nodiscard]] double next_turn_s(const View& view) const override {
    return std::min(ListScheduler::next_turn_s(view), tenancy_.next_change_s());
  }

 private:
  void serve(Transaction& transaction, bool borrowing);
  void end_late_holds(Transaction& transaction);
  void serve_gang(Transaction& transaction, JobId job, bool borrowing);
  bool place_or_reclaim(Transaction& transaction, JobId job, bool borrowing);
  bool place(Transaction& transaction, JobId job);
  bool place_at_level(Transaction& transaction, JobId job);
  bool place_on_free_nodes(Transaction& transaction, JobId job);
  bool place_by_clearing(Transaction& transaction, JobId job);
  bool place_by_reclaiming(Transaction& transaction, JobId job);
  void release(Transaction& transaction, JobId victim);
  void reserve_nodes();
  [[nodiscard]] bool dedicates(JobId job) const { return tenancy_.rules.dedicated && state_.job(job).gpus > 1; }
  [[nodiscard]] const GpuSet& gpus_of(JobId running) const {
    return state_.running.allocation[state_.running.slot_of(running)].gpus;
  }

  Tenancy tenancy_;
  DedicatedNodes dedicated_;
  LocalityRelaxation relaxation_;
  Migration migration_;
  // At the boundary under way.
  Boundary now_ = 0;
  double now_s_ = 0;
  std::uint32_t unmet_ = UINT32_MAX;    // stopping does not give so many GPUs, nor more
  std::uint32_t no_room_ = UINT32_MAX;  // moving others together gives no nodes to jobs of so many GPUs
  GpuSet preferred_, partly_used_;
  std::vector<NodeId> nodes_;
};

}  // namespace palstudy
