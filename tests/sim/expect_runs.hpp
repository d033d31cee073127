// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "sim/small_world.hpp"

namespace palstudy {

/// As they lie in memory: what has not happened is NaN, which equals nothing.
template <class Values>
std::vector<std::uint64_t> bits(const Values& values) {
  std::vector<std::uint64_t> all;
  for (const double value : values) all.push_back(std::bit_cast<std::uint64_t>(value));
  return all;
}

/// All that a run gives, to the last bit.
inline void expect_same(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(bits(a.jobs.finish_s), bits(b.jobs.finish_s));
  EXPECT_EQ(bits(a.jobs.start_s), bits(b.jobs.start_s));
  EXPECT_EQ(a.jobs.partition, b.jobs.partition);
  EXPECT_EQ(a.events.time_s, b.events.time_s);
  EXPECT_EQ(a.events.kind, b.events.kind);
  EXPECT_EQ(a.events.gpus, b.events.gpus);
  EXPECT_EQ(a.rounds.time_s, b.rounds.time_s);
  EXPECT_EQ(a.node_busy_s, b.node_busy_s);
  EXPECT_EQ(bits(a.metrics), bits(b.metrics));
  EXPECT_EQ(bits(a.power.energy_j), bits(b.power.energy_j));
  EXPECT_EQ(bits(a.power.node_s), bits(b.power.node_s));
  EXPECT_EQ(bits(a.power.work_s), bits(b.power.work_s));
  EXPECT_EQ(bits(a.job_energy_j), bits(b.job_energy_j));
  EXPECT_EQ(bits(a.power_wait_s), bits(b.power_wait_s));
}

/// Follows the events: no GPU is held twice, a job that cannot change holds as many as it asked for, what is launched
/// was not running on the same set, and whoever stops or finishes was running.
inline void expect_sound(const SmallWorld& world, const RunResult& result) {
  std::map<std::uint32_t, std::set<std::uint32_t>> held;  // by job
  std::size_t i = 0;
  while (i < result.events.size()) {
    const double now = result.events.time_s[i];
    for (; i < result.events.size() && result.events.time_s[i] == now; ++i) {
      const std::uint32_t job = result.events.job[i].value;
      if (result.events.kind[i] != EventKind::launch) {
        ASSERT_EQ(held.erase(job), 1U);
        continue;
      }
      const auto* first = result.events.gpus.data() + result.events.gpu_begin[i];
      std::set<std::uint32_t> gpus(first, first + result.events.gpu_count[i]);
      const bool resized = world.elastic != nullptr && world.elastic->elasticity != Elasticity::none;
      if (!resized) {
        ASSERT_EQ(gpus.size(), world.jobs[job].gpus);
      }
      ASSERT_NE(held[job], gpus) << "a launch that changes nothing";
      held[job] = gpus;
    }
    std::set<std::uint32_t> all;
    std::size_t sum = 0;
    for (const auto& [job, gpus] : held) {
      all.insert(gpus.begin(), gpus.end());
      sum += gpus.size();
    }
    ASSERT_EQ(all.size(), sum) << "a GPU is held twice at " << now;
  }
}

}  // namespace palstudy
