// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "topology/topology.hpp"

namespace palstudy {

/// The locality penalty of every job: one for all jobs, or a few distinct ones. Cheap to copy: the
/// list by job is shared.
class Penalties {
 public:
  /// One penalty for every job. Not explicit, since that is what a constant penalty means.
  Penalties(const LocalityPenalty& same) : distinct_{same} {}  // NOLINT(google-explicit-constructor)
  Penalties() : Penalties(LocalityPenalty{}) {}
  /// `of_job`: for every job its place in `distinct`.
  Penalties(std::vector<LocalityPenalty> distinct, std::vector<std::uint16_t> of_job)
      : distinct_(std::move(distinct)),
        of_job_(std::make_shared<const std::vector<std::uint16_t>>(std::move(of_job))) {}

  [[nodiscard]] const std::vector<LocalityPenalty>& distinct() const { return distinct_; }
  /// Which of the distinct ones a job has.
  [[nodiscard]] std::size_t place(JobId job) const { return of_job_ ? (*of_job_)[job.index()] : 0; }
  [[nodiscard]] const LocalityPenalty& of(JobId job) const { return distinct_[place(job)]; }

 private:
  std::vector<LocalityPenalty> distinct_;
  std::shared_ptr<const std::vector<std::uint16_t>> of_job_;  // none where all jobs have the first
};

}  // namespace palstudy
