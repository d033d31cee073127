// SPDX-License-Identifier: MIT
#pragma once

#include "sim/scheduler/list/repack.hpp"
#include "sim/scheduler/list/tenancy.hpp"

namespace palstudy {

/// Repacks where there are tenants: all jobs, running or not, in the order of the tenants, as if all GPUs were
/// free but those of jobs that stay where they are.
class TenantRepack final : public Repack {
 public:
  explicit TenantRepack(const SchedulerContext& context) : Repack(context), tenancy_(state_) {}

  void notify(const JobEvent& event) override;
  void committed(const View& view, Transaction& transaction) override { tenancy_.note_delays(view, transaction); }
  [[nodiscard]] double next_change_s(const View& view) override;
  void serialize(Fields& f) override;
  void check(double now_s) const override { tenancy_.check_usage(now_s); }

 protected:
  void rearrange(const View& view) override;

 private:
  Tenancy tenancy_;
};

}  // namespace palstudy
