// SPDX-License-Identifier: MIT
#pragma once

#include "sim/state/effect.hpp"
#include "sim/state/estimates/expected_time.hpp"

namespace palstudy {

/// Jobs that outlive their expected end are over then, whatever is left of their work.
class Overruns final : public Effect {
 public:
  explicit Overruns(PartitionState& state) : state_(state), expected_(state) {}

  [[nodiscard]] double end_s(std::uint32_t slot, double finish_s) override;
  [[nodiscard]] EndReason end_reason(JobId job) const override;
  void ends(EndedInterval& interval) override;
  void job_ended(JobId job, double time_s, EndReason reason) override;

 private:
  [[nodiscard]] double limit_s(std::uint32_t slot) const;

  PartitionState& state_;
  const ExpectedTime expected_;
};

}  // namespace palstudy
