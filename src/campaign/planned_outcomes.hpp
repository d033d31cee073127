// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "analysis/offered_load.hpp"
#include "core/note.hpp"
#include "inputs/inputs.hpp"
#include "sim/state/stands_still.hpp"
#include "study/study.hpp"

namespace palstudy {

struct RunResult;

/// What the runs that `plan` simulates to their end will be told of by `compare`.
class PlannedOutcomes {
 public:
  void add(const Study& study, const RunPlan& run, const Inputs::Loaded& inputs, const RunResult& result);
  void add(const Study& study, const RunPlan& run, const StandsStill& still);
  /// "overloaded", if a simulated run ends so.
  [[nodiscard]] std::optional<Note> overloaded() const;
  /// "simulated here: 2 of 4 runs make no claim, ..."; "" if all make one.
  [[nodiscard]] std::string no_claim_line() const;
  /// "simulated here: 1 of 4 runs will fail: ..."; "" if none does.
  [[nodiscard]] std::string standing_line() const;

 private:
  std::size_t runs_ = 0;
  Overload loads_;
  bool backfills_ = false;
  std::map<std::int64_t, std::string> no_claims_, standing_;  // by number of the run
};

/// Before a study is run: "no interval: 4 of at least 8 replications (combinations of seeds)", as
/// `compare` will say of its gains, whatever the runs give; "" if they can have intervals, or there is nothing to
/// compare. Loads the trace that is resampled, if one is.
[[nodiscard]] std::string no_interval_line(const Study& study, Inputs& inputs);

}  // namespace palstudy
