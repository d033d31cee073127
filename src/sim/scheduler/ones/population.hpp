// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/scheduler/ones/counts.hpp"
#include "sim/scheduler/ones/reorder.hpp"
#include "sim/scheduler/ones/schedule.hpp"

namespace palstudy {

/// What a study may say of the evolution; as published.
struct OnesRates {
  std::uint32_t members = 16;  ///< an even number
  double crossover = 0.5;      ///< by GPU
  double mutation = 0.3;       ///< by job
};

/// What numbers of the evolution are for.
enum class OnesOperator : std::uint8_t { shuffle, parents, crossover, mutation, progress };

/// Names the numbers of one generation, so that no number depends on the order of draws.
struct OnesKey {
  std::uint64_t seed = 0;
  std::uint32_t generation = 0;
  /// Uniform in [0, 1), 53 bits, for a GPU, a job or a place `of` of a member.
  [[nodiscard]] double uniform(OnesOperator of_operator, std::uint32_t member, std::uint32_t of) const;
};

/// What a generation is bred for.
struct OnesSurroundings {
  std::span<const OnesJob> jobs;
  const OnesSchedule& deployed;
  SlownessCost slowness{};  ///< with slowdowns the search is aware of them, in the order of jobs and in the score
};

/// The schedules of the evolutionary search of ONES (SC'21), which live on from one decision to the next.
class OnesPopulation {
 public:
  /// Errors (usage): an odd number of members, or fewer than two.
  explicit OnesPopulation(const OnesRates& rates);

  /// The first population: shuffles of the first jobs, one GPU each.
  void start(std::uint32_t jobs, std::uint32_t gpus, const OnesKey& key);
  /// Takes the rows of another table of jobs: `row_now` has for each old row the new one, or `no_job_row`.
  void rename(std::span<const std::uint32_t> row_now);
  /// One generation, in the published order: refresh, crossover, mutation, padding, reordering, selection of the
  /// members with the lowest usage. Returns the best.
  const OnesSchedule& breed(const OnesSurroundings& around, const OnesKey& key);
  /// The best first; none before `start`.
  [[nodiscard]] const std::vector<OnesSchedule>& members() const { return members_; }

  void serialize(auto& archive, unsigned /*version*/) { (archive & members_); }

 private:
  void refresh(std::span<const OnesJob> jobs);
  void cross(std::span<const OnesJob> jobs, const OnesKey& key);
  void mutate(std::span<const OnesJob> jobs, const OnesKey& key);
  void pad(std::span<const OnesJob> jobs);
  void select_blind(const OnesSurroundings& around);
  void select_aware(const OnesSurroundings& around);
  [[nodiscard]] OnesSchedule ordered(const OnesCounts& counts, const OnesSurroundings& around);

  OnesRates rates_;
  std::vector<OnesSchedule> members_;

  // Of one generation.
  std::vector<OnesSchedule> bred_;
  std::vector<OnesCounts> counts_;
  std::vector<double> scores_;
  std::vector<std::pair<const OnesCounts*, OnesSchedule>> known_;  // what has been reordered
  OnesReorder reorder_;
};

/// The rows of a schedule in another table; `row_now` as in `OnesPopulation::rename`.
void rename_rows(OnesSchedule& schedule, std::span<const std::uint32_t> row_now);

}  // namespace palstudy
