// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/scheduler/list/list_scheduler.hpp"
#include "sim/scheduler/list/tenancy.hpp"

namespace palstudy {

/// For placements that are not sticky: places all jobs again, running or not, whenever they or their order have
/// changed, or one that had to stay where it was no longer has to. Those that stay have their GPUs before all others.
class Repack : public WithState<Repack, ListScheduler> {
 public:
  using WithState::WithState;

  [[nodiscard]] bool wants_events() const override { return true; }
  void notify(const JobEvent& event) override;
  void capacity_changed() override { previous_.clear(); }
  [[nodiscard]] bool idle() const override {
    return state_.queue.empty() && state_.running.size() == 0 && !observes_running();
  }
  void decide(const View& view, Transaction& transaction) override;
  void serialize(auto& archive, unsigned /*version*/) {
    (archive & static_cast<ListScheduler&>(*this) & previous_ & stayed_);
  }

 protected:
  /// Changes `ordered_` before anything is placed.
  virtual void rearrange(const View& view) { (void)view; }

 private:
  void find_places(const View& view, const Transaction& transaction);
  void sort_by_class(const Transaction& transaction);
  [[nodiscard]] bool same_as_before();
  void place(Transaction& transaction);

  std::vector<std::uint32_t> order_index_;  // places among the active jobs, in the order of `ordered_`
  std::size_t fitting_ = 0;                 // how many of the first jobs fit the partition together
  std::vector<JobId> previous_;             // placed last time; empty before the first
  std::vector<JobId> stayed_;               // last time
};

/// Repacks where there are tenants: all jobs, running or not, in the order of the tenants, as if all GPUs were
/// free but those of jobs that stay where they are.
class TenantRepack final : public WithState<TenantRepack, Repack> {
 public:
  explicit TenantRepack(const SchedulerContext& context) : WithState(context), tenancy_(state_) {}

  void notify(const JobEvent& event) override;
  void committed(const View& view, Transaction& transaction) override { tenancy_.note_delays(view, transaction); }
  [[nodiscard]] double next_change_s(const View& view) override;
  void serialize(auto& archive, unsigned /*version*/) { (archive & static_cast<Repack&>(*this) & tenancy_); }
  void check(double now_s) const override { tenancy_.check_usage(now_s); }

 protected:
  void rearrange(const View& view) override;
  [[nodiscard]] double next_turn_s(const View& view) const override {
    return std::min(Repack::next_turn_s(view), tenancy_.next_change_s());
  }

 private:
  Tenancy tenancy_;
};

}  // namespace palstudy
