// SPDX-License-Identifier: MIT
// The rows of a run from those of its partitions, by hand.
#include "sim/output/merge_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace palstudy {
namespace {

/// Appends an event of a job with these GPUs.
void append_event(EventRows& rows, double time_s, EventKind kind, std::uint32_t job,
                  const std::vector<std::uint32_t>& gpus = {}) {
  rows.time_s.push_back(time_s);
  rows.kind.push_back(kind);
  rows.job.push_back(JobId(job));
  rows.gpu_begin.push_back(rows.gpus.size());
  rows.gpu_count.push_back(static_cast<std::uint32_t>(gpus.size()));
  rows.gpus.insert(rows.gpus.end(), gpus.begin(), gpus.end());
}

std::vector<std::string> events_as_text(const EventRows& rows) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string text = fmt::format("{} {} {}:", rows.time_s[i], static_cast<int>(rows.kind[i]), rows.job[i].value);
    for (std::uint32_t g = 0; g < rows.gpu_count[i]; ++g) text += fmt::format(" {}", rows.gpus[rows.gpu_begin[i] + g]);
    texts.push_back(text);
  }
  return texts;
}

// By time, then finishes (0), stops (1) and launches (2), then job. Job 5 is launched in two parts at 30 and again at
// 40: parts of one launch are one row, with the GPUs of the first list first. Job 6 fails at 50, starts again at once
// and ends at 60: a stop and a launch are two rows.
TEST(MergedRows, EventsAreByTimeKindAndJobAndPartsAreJoined) {
  EventRows first, second, wide;
  append_event(first, 10, EventKind::launch, 1, {0, 1});
  append_event(first, 20, EventKind::finish, 1);
  append_event(first, 20, EventKind::launch, 3, {0});
  append_event(first, 30, EventKind::launch, 5, {2, 3});
  append_event(first, 40, EventKind::launch, 5, {1});
  append_event(first, 50, EventKind::launch, 6, {3});
  append_event(second, 10, EventKind::launch, 0, {4});
  append_event(second, 10, EventKind::launch, 2, {5, 6});
  append_event(second, 20, EventKind::stop, 2);
  append_event(second, 30, EventKind::launch, 5, {4, 5});
  append_event(second, 40, EventKind::launch, 5, {6, 7});
  append_event(wide, 50, EventKind::stop, 6);
  append_event(wide, 60, EventKind::finish, 6);
  EXPECT_EQ(events_as_text(merged(std::vector<EventRows>{first, second, wide})),
            (std::vector<std::string>{"10 2 0: 4", "10 2 1: 0 1", "10 2 2: 5 6", "20 0 1:", "20 1 2:", "20 2 3: 0",
                                      "30 2 5: 2 3 4 5", "40 2 5: 1 6 7", "50 1 6:", "50 2 6: 3", "60 0 6:"}));
}

// The events of one partition are put in order too: a failure, which is seen at the next boundary, stands behind what
// came later or goes before it by kind or by job.
TEST(MergedRows, EventsOfOnePartitionAreInOrderToo) {
  const auto sorted_texts = [](double time_s, EventKind kind, std::uint32_t job) {
    EventRows rows;
    append_event(rows, 60, EventKind::stop, 3, {8});
    append_event(rows, time_s, kind, job, {9, 7});
    return events_as_text(merged(std::vector<EventRows>{rows}));
  };
  EXPECT_EQ(sorted_texts(50, EventKind::launch, 4), (std::vector<std::string>{"50 2 4: 9 7", "60 1 3: 8"}));
  EXPECT_EQ(sorted_texts(60, EventKind::finish, 4), (std::vector<std::string>{"60 0 4: 9 7", "60 1 3: 8"}));
  EXPECT_EQ(sorted_texts(60, EventKind::stop, 2), (std::vector<std::string>{"60 1 2: 9 7", "60 1 3: 8"}));
  EXPECT_EQ(sorted_texts(60, EventKind::stop, 4), (std::vector<std::string>{"60 1 3: 8", "60 1 4: 9 7"}));
}

// A partition counts from its first row on, with the values of its last one. At 40 both change and the sums do not: no
// row.
TEST(MergedRows, RoundsAreSumsWhereTheyChange) {
  RoundRows first, second;
  first.add(0, 1, 0, 4, 1);
  first.add(20, 0, 1, 3, 1);
  first.add(40, 1, 1, 2, 5);
  second.add(10, 2, 0, 4, 6);
  second.add(20, 0, 2, 0, 6);
  second.add(30, 1, 1, 2, 5);
  second.add(40, 0, 1, 3, 1);
  const RoundRows all = merged(std::vector<RoundRows>{first, second});
  EXPECT_EQ(all.time_s, (std::vector<double>{0, 10, 20, 30}));
  EXPECT_EQ(all.queued, (std::vector<std::uint32_t>{1, 3, 0, 1}));
  EXPECT_EQ(all.running, (std::vector<std::uint32_t>{0, 0, 3, 2}));
  EXPECT_EQ(all.free_gpus, (std::vector<std::uint32_t>{4, 8, 3, 5}));
  EXPECT_EQ(all.demand_gpus, (std::vector<std::uint64_t>{1, 7, 7, 6}));
  EXPECT_EQ(merged(std::vector<RoundRows>{second}).queued, second.queued);
  EXPECT_EQ(merged(std::vector<RoundRows>(2)).size(), 0U);
}

// Partitions know different numbers of jobs, since each knows those up to its last one. Every column is added.
TEST(MergedRows, DelaysAddUpInEveryColumn) {
  const auto rows_of = [](std::size_t jobs, double factor) {
    DelayRows rows;
    rows.resize(jobs);
    for (std::size_t j = 0; j < jobs; ++j) {
      const double of_job = factor * static_cast<double>(j + 1);
      for (std::size_t cause = 0; cause < delay_causes; ++cause) {
        rows.seconds[cause][j] = of_job * static_cast<double>(cause + 1);
      }
      rows.node_s[j] = 10 * of_job;
      rows.shared_s[j] = 100 * of_job;
    }
    return rows;
  };
  const DelayRows all = merged(std::vector<DelayRows>{rows_of(2, 1), rows_of(3, 0.25), DelayRows()});
  ASSERT_EQ(all.size(), 3U);
  for (std::size_t cause = 0; cause < delay_causes; ++cause) {
    const double weight = static_cast<double>(cause + 1);
    EXPECT_EQ(all.seconds[cause], (std::vector<double>{1.25 * weight, 2.5 * weight, 0.75 * weight})) << cause;
  }
  EXPECT_EQ(all.node_s, (std::vector<double>{12.5, 25, 7.5}));
  EXPECT_EQ(all.shared_s, (std::vector<double>{125, 250, 75}));
}

// Jobs on several partitions have a part without rows of power, wherever it stands.
TEST(MergedRows, PowerIsThatOfThePartsThatHaveAny) {
  PowerRows one, other;
  one.push_back(PowerState::busy, 0, 1, 2, 3, 4);
  other.push_back(PowerState::busy, 0, 10, 20, 30, 40);
  const PowerRows all = merged(std::vector<PowerRows>{{}, one, {}, other, {}});
  EXPECT_EQ(all.state, std::vector{PowerState::busy});
  EXPECT_EQ(all.cls, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(all.node_s, (std::vector<double>{11}));
  EXPECT_EQ(all.gpu_s, (std::vector<double>{22}));
  EXPECT_EQ(all.work_s, (std::vector<double>{33}));
  EXPECT_EQ(all.energy_j, (std::vector<double>{44}));
  EXPECT_EQ(merged(std::vector<PowerRows>(2)).size(), 0U);
}

// Failed attempts go by time, job and attempt, solutions by time and partition; what is alike by the partitions' order.
TEST(MergedRows, OtherRowsGoByTheirPlace) {
  const auto failed = [](double time_s, std::uint32_t job, std::uint32_t attempt, std::int32_t reason) {
    FailedAttempt row;
    row.time_s = time_s, row.job = JobId(job), row.attempt = attempt, row.reason = reason;
    return row;
  };
  FailureRows first, second;
  first.push_back(failed(5, 2, 1, 0));
  first.push_back(failed(5, 1, 2, 1));
  first.push_back(failed(5, 1, 2, 2));
  second.push_back(failed(5, 1, 1, 3));
  second.push_back(failed(4, 9, 1, 4));
  second.push_back(failed(5, 1, 2, 5));
  EXPECT_EQ(merged(std::vector<FailureRows>{first, second}).reason, (std::vector<std::int32_t>{4, 3, 1, 2, 5, 0}));
  const SolveRows of_one{{10, 30}, {1, 1}, {{}, {}}, {1, 2}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  const SolveRows of_none{{10, 20}, {0, 0}, {{}, {}}, {3, 4}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  EXPECT_EQ(merged(std::vector<SolveRows>{of_one, of_none}).jobs, (std::vector<std::uint32_t>{3, 1, 4, 2}));
}

}  // namespace
}  // namespace palstudy
