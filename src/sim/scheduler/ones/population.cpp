// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/population.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

/// A whole number below `n` of a uniform one.
std::uint32_t whole_below(std::uint32_t n, double uniform) { return static_cast<std::uint32_t>(uniform * n); }

}  // namespace

double OnesKey::uniform(OnesOperator of_operator, std::uint32_t member, std::uint32_t of) const {
  const std::uint64_t entity =
      std::uint64_t{generation} << 32 | std::uint64_t{static_cast<std::uint8_t>(of_operator)} << 24 | member;
  const auto words = draw(seed, Purpose::evolution, entity, of);
  return static_cast<double>(std::uint64_t{words[0] >> 5} << 26 | words[1] >> 6) * 0x1.0p-53;
}

OnesPopulation::OnesPopulation(const OnesRates& rates) : rates_(rates) {
  if (rates.members < 2 || rates.members % 2 != 0) {
    throw usage_error("a population of " + std::to_string(rates.members) + " schedules", "", "give an even number");
  }
}

void OnesPopulation::start(std::uint32_t jobs, std::uint32_t gpus, const OnesKey& key) {
  const std::uint32_t first = std::min(jobs, gpus);
  members_.assign(rates_.members, OnesSchedule(gpus, no_job_row));
  for (std::uint32_t m = 0; m < rates_.members; ++m) {
    OnesSchedule& member = members_[m];
    std::iota(member.begin(), member.begin() + first, 0U);
    for (std::uint32_t left = first; left > 1; --left) {
      std::swap(member[left - 1], member[whole_below(left, key.uniform(OnesOperator::shuffle, m, left))]);
    }
  }
}

void rename_rows(OnesSchedule& schedule, std::span<const std::uint32_t> row_now) {
  for (std::uint32_t& row : schedule) {
    if (row != no_job_row) row = row_now[row];
  }
}

void OnesPopulation::rename(std::span<const std::uint32_t> row_now) {
  for (OnesSchedule& member : members_) rename_rows(member, row_now);
}

const OnesSchedule& OnesPopulation::breed(const OnesSurroundings& around, const OnesKey& key) {
  if (members_.empty()) throw fault("a generation before the first population");
  refresh(around.jobs);
  cross(around.jobs, key);
  mutate(around.jobs, key);
  pad(around.jobs);
  if (around.slowness.slowdowns == nullptr) {
    select_blind(around);
  } else {
    select_aware(around);
  }
  return members_.front();
}

void OnesPopulation::refresh(std::span<const OnesJob> jobs) {
  bred_.clear();
  for (const OnesSchedule& member : members_) bred_.push_back(refreshed(member, jobs));
}

void OnesPopulation::cross(std::span<const OnesJob> jobs, const OnesKey& key) {
  for (std::uint32_t pair = 0; pair < rates_.members / 2; ++pair) {
    const std::uint32_t first = whole_below(rates_.members, key.uniform(OnesOperator::parents, pair, 0));
    const std::uint32_t other = whole_below(rates_.members - 1, key.uniform(OnesOperator::parents, pair, 1));
    const std::uint32_t second = other + (other >= first ? 1 : 0);
    auto children = crossed(bred_[first], bred_[second], jobs, rates_.crossover,
                            [&](std::uint32_t gpu) { return key.uniform(OnesOperator::crossover, pair, gpu); });
    bred_.push_back(std::move(children.first));
    bred_.push_back(std::move(children.second));
  }
}

void OnesPopulation::mutate(std::span<const OnesJob> jobs, const OnesKey& key) {
  for (std::uint32_t m = 0; m < rates_.members; ++m) {
    bred_.push_back(mutated(bred_[m], jobs, rates_.mutation, [&](std::uint32_t row) {
      return key.uniform(OnesOperator::mutation, m, jobs[row].job.value);
    }));
  }
}

void OnesPopulation::pad(std::span<const OnesJob> jobs) {
  const std::vector<std::uint32_t> order = fill_order(jobs);
  counts_.clear();
  for (const OnesSchedule& schedule : bred_) counts_.push_back(padded(schedule, jobs, order));
}

/// Without slowdowns a score depends on the counts alone. So the members are selected before they are reordered, which
/// changes nothing and saves two of three reorderings.
void OnesPopulation::select_blind(const OnesSurroundings& around) {
  scores_.clear();
  for (const OnesCounts& counts : counts_) scores_.push_back(usage(counts, around.jobs));
  known_.clear();
  members_.clear();
  for (const std::uint32_t m : lowest(scores_, rates_.members)) members_.push_back(ordered(counts_[m], around));
}

void OnesPopulation::select_aware(const OnesSurroundings& around) {
  scores_.clear();
  known_.clear();
  for (std::size_t m = 0; m < bred_.size(); ++m) {
    bred_[m] = ordered(counts_[m], around);
    scores_.push_back(usage(bred_[m], around.jobs, *around.slowness.slowdowns));
  }
  members_.clear();
  for (const std::uint32_t m : lowest(scores_, rates_.members)) members_.push_back(std::move(bred_[m]));
}

/// Many members have the same counts in the same order, which are reordered once.
OnesSchedule OnesPopulation::ordered(const OnesCounts& counts, const OnesSurroundings& around) {
  const auto same = std::ranges::find_if(known_, [&](const auto& known) { return *known.first == counts; });
  if (same != known_.end()) return same->second;
  known_.emplace_back(&counts, reorder_(counts, around.deployed, around.jobs, around.slowness).schedule);
  return known_.back().second;
}

}  // namespace palstudy
