// SPDX-License-Identifier: MIT
// When sites started and ended jobs, as readers of published logs keep it, and what becomes of it. sacct, csv and
// native have tests of their own.
#include <gtest/gtest.h>

#include <string>

#include "core/numbers.hpp"
#include "workload/job.hpp"
#include "workload/models.hpp"
#include "workload/synthetic/resample.hpp"
#include "workload/synthetic/superpose.hpp"
#include "workload/trace/recorded_span.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using testing_workload::refusal;
using testing_workload::three_models;

Workload read_log(const std::string& reader, const std::string& text) {
  return parse_trace(text, "t", reader, three_models());
}
RecordedTimes recorded_of(const Workload& workload, std::size_t job) {
  return recorded_times(workload, workload.jobs.at(job));
}

constexpr double day_of_2017 = 17446 * day_s;  // 2017-10-07: 47 years, 12 leap days, 279 days

const std::string swf_rest = " 8 -1 -1 16 -1 -1 1 3 7 -1 -1 -1 -1 -1\n";

// A job starts after its wait, field 3, and runs for field 4; -1 says that the wait is not known.
TEST(RecordedTimes, SwfHasWaits) {
  const Workload read = read_log(
      "swf", "; UnixStartTime: 870000000 \r\n1 10 5 100" + swf_rest + "2 20 -1 7" + swf_rest + "3 30.5 0 7" + swf_rest);
  EXPECT_EQ(span_of(recorded_of(read, 0)), RecordedSpan(15, 115));
  EXPECT_FALSE(recorded_of(read, 1).known());
  EXPECT_EQ(span_of(recorded_of(read, 2)), RecordedSpan(30.5, 37.5));
  EXPECT_EQ(read.zero_s, 870000000);
  const std::string refused = refusal(3, [] { (void)read_log("swf", "1 10 1e13 100" + swf_rest); });
  EXPECT_EQ(refused.substr(0, refused.find(": ")), "t:1:6");
  EXPECT_TRUE(read_log("swf", "1 10 -1 100" + swf_rest).recorded.empty());
}

// Time 0 is not known without the header's key, or where it is no time. A log with times since 1970 has time 0 then.
TEST(RecordedTimes, SwfMaySayWhatTimeZeroIs) {
  const auto zero = [](const std::string& header, const std::string& submit) {
    return read_log("swf", header + "1 " + submit + " 5 100" + swf_rest).zero_s;
  };
  EXPECT_EQ(zero(";UnixStartTime:\t870000000\n; Note: UnixStartTime: 1\n", "0"), 870000000);
  EXPECT_EQ(zero("; Note: x\n", "0"), 0);
  EXPECT_EQ(zero("; UnixStartTime: -1\n", "0"), 0);
  EXPECT_EQ(zero("; UnixStartTime:\n", "0"), 0);
  EXPECT_EQ(zero("; UnixStartTime: 870000000\n", "870000007"), 0);
}

// Times count from the midnight before the first submission, 2020-06-09, day 18422.
TEST(RecordedTimes, HeliosHasStartsAndDurations) {
  const Workload read = read_log("helios",
                                 "job_id,vc,gpu_num,submit_time,start_time,duration\n"
                                 "1,v,1,2020-06-09 00:01:00,2020-06-09 00:02:00,7\n"
                                 "2,v,1,2020-06-10 00:01:00,2020-06-10 00:01:00,8.5\n");
  EXPECT_EQ(span_of(recorded_of(read, 0)), RecordedSpan(120, 127));
  EXPECT_EQ(span_of(recorded_of(read, 1)), RecordedSpan(day_s + 60, day_s + 68.5));
  EXPECT_EQ(read.zero_s, 18422 * day_s);
}

std::string tried(const std::string& start, const std::string& end) {
  return R"({"start_time": "2017-10-07 )" + start + R"(", "end_time": "2017-10-07 )" + end +
         R"(", "detail": [{"ip": "m1", "gpus": ["g0"]}]})";
}

// From the first start to the last end of the attempts that count, in whatever order they stand; not known where a
// clock was set back.
TEST(RecordedTimes, PhillyHasAttempts) {
  const auto record = [](const std::string& attempts) {
    return R"({"vc": "a", "attempts": [)" + attempts + R"(], "submitted_time": "2017-10-07 00:01:00", "user": "u"})";
  };
  const Workload read =
      read_log("philly-json", "[" +
                                  record(tried("00:10:00", "00:20:00") + "," + tried("00:02:00", "00:03:00") + "," +
                                         tried("00:01:30", "00:01:30")) +
                                  ",\n" + record(tried("00:00:59", "00:20:00")) + "]");
  ASSERT_EQ(read.jobs.size(), 2U);
  EXPECT_EQ(span_of(recorded_of(read, 0)), RecordedSpan(120, 1200));
  EXPECT_FALSE(recorded_of(read, 1).known());
  EXPECT_EQ(read.zero_s, day_of_2017);
}

// All times move together, and time 0 with them.
TEST(RecordedTimes, CountFromAnotherTime) {
  Workload read = read_log("swf", "1 10 5 100" + swf_rest + "2 20 -1 7" + swf_rest);
  count_from(read, 10);
  EXPECT_EQ(read.jobs[0].submit_s, 0);
  EXPECT_EQ(span_of(recorded_of(read, 0)), RecordedSpan(5, 105));
  EXPECT_FALSE(recorded_of(read, 1).known());
  EXPECT_EQ(read.zero_s, 10);
}

// Jobs that are drawn again or copied are none that the site ran.
TEST(RecordedTimes, DrawnAndCopiedJobsHaveNone) {
  std::string days;
  for (int day = 0; day < 3; ++day)
    days += std::to_string(day) + " " + std::to_string(86400 * day) + " 5 100" + swf_rest;
  const Workload read = read_log("swf", days);
  ASSERT_TRUE(recorded_of(read, 2).known());
  Workload drawn = read, copied = read;
  resample(drawn, Resampling::days, 1);
  superpose(copied, {2, 0, 3 * day_s, 1});
  for (const Workload* const made : {&drawn, &copied}) {
    EXPECT_TRUE(made->recorded.empty());
    for (const Job& job : made->jobs) EXPECT_FALSE(recorded_times(*made, job).known());
  }
}

}  // namespace
}  // namespace palstudy
