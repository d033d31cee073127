// SPDX-License-Identifier: MIT
#include "sim/engine/standstill.hpp"

#include <array>
#include <cstdint>
#include <optional>

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {
namespace {

/// As ranks exchange it: numbers of which the largest counts, place by place.
using Told = std::array<double, 4>;

/// The less, the sooner the job is named: who is never hindered by more than others comes last.
double place_of(const Hindered& hindered) {
  constexpr double jobs = 1 + static_cast<double>(UINT32_MAX);
  return hindered.job.value + (hindered.why == Hindrance::passed_over ? jobs : 0.0);
}

Told told(const Hindered& hindered) {
  return {static_cast<double>(hindered.job.value), static_cast<double>(hindered.partition),
          static_cast<double>(hindered.free_gpus), static_cast<double>(hindered.why)};
}

}  // namespace

StandingJob standing_job(const World& world, RankPartitions& parts, const WideJobs* wide, Exchange& exchange) {
  std::optional<Hindered> first = wide == nullptr ? std::nullopt : wide->hindered();
  parts.for_each([&](Partition& part) {
    const std::optional<Hindered> here = part.hindered();
    if (here && (!first || place_of(*here) < place_of(*first))) first = here;
  });
  std::array<double, 1> place = {first ? -place_of(*first) : -infinity};
  exchange.max(place);
  if (place[0] == -infinity) throw fault("a run without a job that waits stands still");
  Told all;
  all.fill(-infinity);
  if (first && -place_of(*first) == place[0]) all = told(*first);
  exchange.max(all);
  const JobId id(static_cast<std::uint32_t>(all[0]));
  const Job& job = world.workload.jobs[id.index()];
  return {job.id, job.gpus, static_cast<std::int32_t>(all[1]), static_cast<std::uint32_t>(all[2]),
          static_cast<Hindrance>(static_cast<int>(all[3]))};
}

}  // namespace palstudy
