// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/error.hpp"
#include "core/ids.hpp"

namespace palstudy {

/// Why a job waits for ever where nothing runs.
enum class Hindrance : std::uint8_t {
  too_few_gpus,   ///< no more are free, and no node comes back
  not_placeable,  ///< enough are free, but not as the placement or the model of the job wants them
  passed_over,    ///< it would fit, but the scheduler never gives it its turn
};

/// A job that nobody takes.
struct StandingJob {
  std::int64_t id = 0;  ///< as the trace has it
  std::uint32_t gpus = 0;
  std::int32_t partition = -1;  ///< -1: it is wider than any, and waits for all of them
  std::uint32_t free_gpus = 0;  ///< there
  Hindrance why = Hindrance::passed_over;
  friend bool operator==(const StandingJob&, const StandingJob&) = default;
};

/// The same within the engine.
struct Hindered {
  JobId job;
  std::int32_t partition = -1;
  std::uint32_t free_gpus = 0;
  Hindrance why = Hindrance::passed_over;
};

/// Nothing in a run can change any more, and measured jobs are unfinished. Values; the sentence is made by
/// campaign/standing_text.hpp.
class StandsStill : public Error {
 public:
  explicit StandsStill(const StandingJob& standing)
      : Error(ErrorCode::data, "the run stands still"), standing_(standing) {}
  /// The first job that is hindered by more than its turn, if there is one.
  [[nodiscard]] const StandingJob& job() const { return standing_; }

 private:
  StandingJob standing_;
};

}  // namespace palstudy
