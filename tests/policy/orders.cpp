// SPDX-License-Identifier: MIT
// What orders keep of jobs: by job, as an order of them, and as the numbers of a checkpoint.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "default_params.hpp"
#include "policy/active_records.hpp"
#include "policy/order_policy.hpp"

namespace palstudy {
namespace {

std::vector<JobId> jobs_of(const std::vector<std::uint32_t>& numbers) {
  std::vector<JobId> jobs;
  for (const std::uint32_t number : numbers) jobs.emplace_back(number);
  return jobs;
}

std::vector<JobId> ordered_as(const std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& given) {
  std::vector<JobId> jobs = jobs_of(given);
  order_as(jobs_of(all), jobs);
  return jobs;
}

// Fewer jobs than are named, more, or as many: those that are named come in that order, the others after them by id.
TEST(OrderAs, PutsJobsThatAreNotNamedLast) {
  EXPECT_EQ(ordered_as({5, 2, 9, 1}, {1, 4, 5}), jobs_of({5, 1, 4}));
  EXPECT_EQ(ordered_as({5, 2, 9, 1}, {1, 2, 4, 5, 9}), jobs_of({5, 2, 9, 1, 4}));
  EXPECT_EQ(ordered_as({5, 2, 9, 1}, {1, 2, 5, 9}), jobs_of({5, 2, 9, 1}));
}

// Who stays active keeps what is known of it, who comes is made once, and who has gone is forgotten.
TEST(ActiveRecords, AreMadeOnceAndKeptWhileTheJobIsActive) {
  struct Seen {
    JobId job;
    int made = 0;
  };
  ActiveRecords<Seen> records;
  int made = 0;
  const auto update = [&](const std::vector<std::uint32_t>& active) {
    return records.update(jobs_of(active), [&](JobId job) { return Seen{job, ++made}; });
  };
  EXPECT_TRUE(update({1, 4}));
  EXPECT_FALSE(update({1, 4}));
  EXPECT_TRUE(update({2, 4, 6}));
  EXPECT_EQ(made, 4);
  ASSERT_EQ(records.all.size(), 3U);
  EXPECT_EQ(records.all[0].made, 3);
  EXPECT_EQ(records.all[1].made, 2);
  EXPECT_EQ(records.all[2].made, 4);
  EXPECT_EQ(records.find(JobId(4)), &records.all[1]);
  EXPECT_EQ(records.find(JobId(1)), nullptr);
  EXPECT_EQ(records.find(JobId(7)), nullptr);
}

std::unique_ptr<OrderPolicy> of_partition(const std::string& name) {
  const auto& entry = orders().at(name);
  ParamValues params = default_params(entry.params);
  params.set("PriorityWeightFairshare", 1000.0);  // none is no order
  return entry.make(params)->for_partition();
}

// What a checkpoint has takes the place of all that the order knew, and is given back as it came. Jobs stand in their
// order, not by id.
TEST(OrderState, IsReplacedByThatOfACheckpoint) {
  struct States {
    const char* order;
    std::vector<double> first, second;
  };
  const std::vector<States> all = {
      {"las2d", {7, 0, 1.5, 4, 3, 1, 2, 5}, {5, 2, 2, 3}},
      {"rho", {10, 2, 1, 7, 0, 0, 1, 5, 3, 1, 2, -1, 0}, {11, 3, 2, 5, 1, 1, 1, 6}},
      {"multifactor",
       {2, 2, 2, 2, 0, 1, 0, 3, 1, 4, 5, 6, 10, 0.5, 1, 20, 0.25, 0, 0.3, 0.7, 7, 1, 9, 0},
       {1, 1, 1, 1, 0, 0, 1, 1, 5, 1, 1, 1}},
  };
  for (const States& states : all) {
    const auto order = of_partition(states.order);
    order->restore(states.first);
    EXPECT_EQ(order->state(), states.first) << states.order;
    order->restore(states.second);
    EXPECT_EQ(order->state(), states.second) << states.order;
  }
}

// Las2d keeps four numbers a job, rho five and three, multifactor four, one a tenant, five a user, two an account and
// two a job: numbers of another length are those of another program.
TEST(OrderState, OfAnotherLengthIsRefused) {
  const auto refused = [](const std::string& name, const std::vector<double>& state) {
    EXPECT_THROW(of_partition(name)->restore(state), Error) << name << ", " << state.size() << " numbers";
  };
  for (const std::size_t length : {1U, 3U, 5U}) refused("las2d", std::vector<double>(length, 1));
  for (const std::size_t length : {0U, 2U, 4U, 5U}) refused("rho", std::vector<double>(length, 1));
  for (const std::size_t length : {0U, 3U, 4U, 5U, 7U, 8U, 11U, 12U})
    refused("multifactor", std::vector<double>(length, 1));
}

}  // namespace
}  // namespace palstudy
