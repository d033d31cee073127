// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace palstudy {

enum class JobState : std::uint8_t {
  future,  ///< it has not arrived, or it waits in the queue of another partition
  waiting,
  running,
  finished,
};

/// All that can happen to a job.
enum class JobChange : std::uint8_t {
  arrived,
  turned_away,  ///< it is over as it arrives: no attempt is left after validation
  moved_in,     ///< from the queue of another partition, where it never started
  moved_out,    ///< to the queue of another partition
  started,
  moved,    ///< to other GPUs
  resized,  ///< to another number of GPUs, or another batch size
  stopped,  ///< by the scheduler, or because a node goes down; it waits again
  failed,   ///< its attempt has; it waits again
  ended,    ///< it is over: finished, given up or killed
};

/// The life of a job, for schedulers, effects and observers alike: its state after a change; none if that cannot happen
/// to a job in this state.
[[nodiscard]] constexpr std::optional<JobState> state_after(JobState state, JobChange change) {
  const auto only_from = [state](JobState from, JobState to) {
    return state == from ? std::optional(to) : std::nullopt;
  };
  switch (change) {
    case JobChange::arrived:
    case JobChange::moved_in:
      return only_from(JobState::future, JobState::waiting);
    case JobChange::turned_away:
      return only_from(JobState::future, JobState::finished);
    case JobChange::moved_out:
      return only_from(JobState::waiting, JobState::future);
    case JobChange::started:
      return only_from(JobState::waiting, JobState::running);
    case JobChange::moved:
    case JobChange::resized:
      return only_from(JobState::running, JobState::running);
    case JobChange::stopped:
    case JobChange::failed:
      return only_from(JobState::running, JobState::waiting);
    case JobChange::ended:
      return only_from(JobState::running, JobState::finished);
  }
  return std::nullopt;
}

}  // namespace palstudy
