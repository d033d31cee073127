// SPDX-License-Identifier: MIT
// The reader of CONTRIBUTING.md, as it stands there (tests/examples.py takes it out of the page).
#include <gtest/gtest.h>

#include "workload/models.hpp"
#include "workload/trace/left_records.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {

void register_reader_intervals(ReaderRegistry& registry);

namespace {

// Of three rows the second ends before it starts.
TEST(Examples, OfAReader) {
  ReaderRegistry registry("reader");
  register_reader_intervals(registry);
  const ModelTable models = testing_workload::three_models();
  TraceJobs read;
  registry.at("intervals")
      .make.read({"start,end,gpus\n0,100,4\n50,40,1\n60,90,2\n", "t.csv"}, TraceContext{models}, read);
  const auto& jobs = read.workload.jobs;
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].gpus, 4U);
  EXPECT_EQ(jobs[1].submit_s, 60);
  EXPECT_DOUBLE_EQ(jobs[1].iterations * jobs[1].iteration_s, 30);
  EXPECT_EQ(read.workload.notes, left_records(3, {{"ran for no time", 1, 3}}));
}

}  // namespace
}  // namespace palstudy
