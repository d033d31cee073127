// SPDX-License-Identifier: MIT
#include "workload/trace/native_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/random.hpp"
#include "workload/generated.hpp"
#include "workload/models.hpp"
#include "workload/trace/recorded_span.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using testing_workload::generated;
using testing_workload::refusal;

Workload read_back(const Workload& workload) {
  return parse_trace(native_trace(workload), "jobs.csv", native_reader, ModelTable{});
}

void expect_same(const Workload& workload) {
  const Workload back = read_back(workload);
  EXPECT_TRUE(same_jobs(workload, back)) << native_trace(workload);
  EXPECT_TRUE(same_order_of_tenants(workload, back)) << native_trace(workload);
}

/// Names that CSV has to quote, and plain ones.
const std::vector<std::string> odd_names = {"",       "plain", "a,b", "say \"hi\"", " before",
                                            "after ", "=1+1",  "\t",  "#",          "µs"};

/// A number of any size with all its digits.
double any_number(RandomStream& random) { return std::exp2(30 * random.uniform() - 15) * (1 + random.uniform()); }

/// A workload with a random part of the optional columns.
Workload random_workload(std::uint64_t seed) {
  RandomStream random(seed, Purpose::job_model, 0);
  const auto coin = [&] { return random.below(2) == 0; };
  Workload made;
  made.classes = {"A", "B b", "C"};
  made.models = coin() ? odd_names : std::vector<std::string>{""};
  made.tenants = coin() ? odd_names : std::vector<std::string>{""};
  if (coin()) made.users = odd_names;
  if (coin()) made.names = odd_names;
  if (coin()) made.queues = odd_names;
  if (coin()) made.accounts = odd_names;
  const bool estimates = coin(), predictions = coin(), records = coin();
  const std::uint32_t running = random.below(4), jobs = running + random.below(30);
  const bool afters = coin(), arrays = coin();
  made.links.at_once =
      arrays ? std::map<std::string, std::uint32_t>{{"a", 0}, {"b c", 2}} : decltype(JobLinks::at_once)();
  double submit_s = 0;
  for (std::uint32_t j = 0; j < jobs + 1; ++j) {
    Job job;
    job.id = static_cast<std::int64_t>(j) - running;
    if (job.id > 0 && coin()) submit_s += any_number(random);
    if (job.id >= 0) job.submit_s = submit_s;
    job.iterations = any_number(random);
    job.iteration_s = any_number(random);
    job.gpus = 1 + random.below(64);
    job.cls = ClassId(random.below(3));
    const auto name = [&](const auto& names) {
      return names.empty() ? 0U : random.below(static_cast<std::uint32_t>(names.size()));
    };
    job.model = static_cast<std::uint16_t>(name(made.models));
    job.tenant = static_cast<std::uint16_t>(name(made.tenants));
    job.user = name(made.users);
    job.name = name(made.names);
    job.queue = static_cast<std::uint16_t>(name(made.queues));
    job.account = static_cast<std::uint16_t>(name(made.accounts));
    if (estimates && coin()) job.estimate_s = any_number(random);
    if (predictions && coin()) job.predicted_s = (coin() ? 1 : -1) * any_number(random);
    if (records && coin()) {
      const double start_s = job.id < 0 ? -any_number(random) : job.submit_s + any_number(random);
      record_times(made, job, {start_s, start_s + any_number(random)});
    }
    if (afters && j > running && coin())
      made.links.after.push_back({job.id, random.below(static_cast<std::uint32_t>(job.id))});
    if (arrays && (j < 2 || coin())) made.links.tasks.push_back({job.id, j % 2 == 0 ? "a" : "b c"});
    made.jobs.push_back(job);
  }
  if (made.jobs.size() < 2) made.links.at_once.erase("b c");  // an array has tasks
  return made;
}

// What is written is read back to the bit, whatever columns there are and whatever names have to be quoted. Of jobs
// that arrive at one time the order is in the file, so tenants may come in another one; that is for the next tests.
TEST(NativeTrace, ReadsBackToTheBit) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Workload workload = random_workload(seed);
    EXPECT_TRUE(same_jobs(workload, read_back(workload))) << "seed " << seed << "\n" << native_trace(workload);
  }
}

// Jobs that run at time 0 have ids under 0; tenants are numbered in other orders than they come in.
TEST(NativeTrace, ReadsGeneratedJobsBack) {
  for (const char* generator : {"philly", "helios"}) {
    const Workload workload = generated({.generator = generator, .gpus = 256, .jobs = 300});
    ASSERT_LT(workload.jobs.front().id, 0);
    expect_same(workload);
  }
}

Job job_of(std::int64_t id, double submit_s, std::uint16_t tenant) {
  Job job;
  job.id = id, job.submit_s = submit_s, job.tenant = tenant;
  job.iterations = job.iteration_s = 1;
  job.gpus = 1;
  return job;
}

// Ties between tenants go to the lower number, and the reader numbers tenants as they come. So the first job of a comes
// first in the file, although jobs of c and b arrive before it.
TEST(NativeTrace, KeepsTheOrderOfTenants) {
  Workload workload;
  workload.classes = {"A"}, workload.models = {""}, workload.tenants = {"a", "none has jobs", "b", "c"};
  workload.jobs = {job_of(-2, 0, 3), job_of(-1, 0, 2), job_of(0, 0, 2),
                   job_of(1, 5, 0),  job_of(2, 5, 2),  job_of(3, 7, 0)};
  expect_same(workload);
  EXPECT_EQ(native_trace(workload),
            "job_id,submit_s,num_gpus,iterations,iteration_s,class,tenant\n"
            "1,5,1,1,1,A,a\n-1,0,1,1,1,A,b\n-2,0,1,1,1,A,c\n0,0,1,1,1,A,b\n2,5,1,1,1,A,b\n3,7,1,1,1,A,a\n");
}

// Where the only job of a arrives right behind one of b, no order of rows has both orders: the jobs stay as they are.
TEST(NativeTrace, KeepsTheOrderOfJobsFirst) {
  Workload workload;
  workload.classes = {"A"}, workload.models = {""}, workload.tenants = {"a", "b"};
  workload.jobs = {job_of(0, 5, 1), job_of(1, 5, 0)};
  const Workload back = read_back(workload);
  EXPECT_TRUE(same_jobs(workload, back));
  EXPECT_FALSE(same_order_of_tenants(workload, back));
}

// A number that differs in its last bit, and another name, are other jobs.
TEST(NativeTrace, SeesOtherJobs) {
  const Workload workload = generated({.gpus = 64, .jobs = 50});
  const auto changed = [&](auto change) {
    Workload other = workload;
    change(other);
    return same_jobs(workload, other);
  };
  EXPECT_TRUE(changed([](Workload&) {}));
  EXPECT_FALSE(
      changed([](Workload& other) { other.jobs.back().submit_s = std::nextafter(other.jobs.back().submit_s, 0); }));
  EXPECT_FALSE(changed([](Workload& other) { other.jobs.back().predicted_s = 1; }));
  EXPECT_FALSE(changed([](Workload& other) { other.models[other.jobs[3].model] += "x"; }));
  EXPECT_FALSE(changed([](Workload& other) { other.jobs.pop_back(); }));
  EXPECT_FALSE(changed([](Workload& other) { other.users = {""}; }));
  EXPECT_FALSE(changed([](Workload& other) { record_times(other, other.jobs.back(), {1e6, 2e6}); }));
}

// A row has both a start and an end, or neither. A job that runs at time 0 started before, or then.
TEST(NativeReader, RecordedTimesAreInOrder) {
  const auto read = [](const std::string& rows) {
    return parse_trace("job_id,submit_s,num_gpus,iterations,iteration_s,class,end_s,start_s\n" + rows, "t.csv",
                       native_reader, ModelTable{});
  };
  const Workload workload = read("-1,0,1,10,1,A,7.5,-30\n0,5,1,10,1,A,20,5\n1,6,1,10,1,A,,\n");
  EXPECT_EQ(span_of(recorded_times(workload, workload.jobs[0])), RecordedSpan(-30, 7.5));
  EXPECT_EQ(span_of(recorded_times(workload, workload.jobs[1])), RecordedSpan(5, 20));
  EXPECT_FALSE(recorded_times(workload, workload.jobs[2]).known());
  EXPECT_EQ(workload.zero_s, 0);
  const auto place = [&](const std::string& row) {
    const std::string message = refusal(3, [&] { (void)read(row); });
    return message.substr(0, message.find(": "));
  };
  EXPECT_EQ(place("0,5,1,10,1,A,20,4.9\n"), "t.csv:2:17") << "before it is submitted";
  EXPECT_EQ(place("0,5,1,10,1,A,20,-1\n"), "t.csv:2:17");
  EXPECT_EQ(place("0,5,1,10,1,A,20,20\n"), "t.csv:2:14") << "it ran for no time";
  EXPECT_EQ(place("-1,0,1,10,1,A,-8,-7\n"), "t.csv:2:15");
  EXPECT_EQ(place("0,5,1,10,1,A,20,\n"), "t.csv:2:14") << "an end alone";
  EXPECT_EQ(place("0,5,1,10,1,A,,6\n"), "t.csv:2:15") << "a start alone";
  EXPECT_EQ(place("0,5,1,10,1,A,1e99,6\n"), "t.csv:2:14");
}

constexpr const char* few_columns = "job_id,submit_s,num_gpus,iterations,iteration_s,class,estimate_s\n";

// A job whose user said nothing takes exactly as long as it takes: its field is empty.
TEST(NativeReader, AnEstimateMayBeLeftOut) {
  const auto read =
      parse_trace(std::string(few_columns) + "0,0,1,10,1,A,\n1,0,1,10,1,A,20\n", "t.csv", native_reader, ModelTable{});
  EXPECT_EQ(read.jobs[0].requested_s(), 10);
  EXPECT_EQ(read.jobs[1].requested_s(), 20);
}

// A job with an id under 0 runs at time 0, before all that arrive then and wherever it stands in the file; so it cannot
// be submitted later.
TEST(NativeReader, IdsUnder0RunAtTime0) {
  const auto read = parse_trace(std::string(few_columns) + "4,0,1,1,1,A,\n-1,0,1,1,1,A,\n-2,0,1,1,1,A,\n", "t.csv",
                                native_reader, ModelTable{});
  std::vector<std::int64_t> ids;
  for (const Job& job : read.jobs) ids.push_back(job.id);
  EXPECT_EQ(ids, (std::vector<std::int64_t>{-2, -1, 4}));
  const std::string message = refusal(
      3, [] { (void)parse_trace(std::string(few_columns) + "-7,5,1,1,1,A,\n", "t.csv", native_reader, ModelTable{}); });
  EXPECT_EQ(message.substr(0, message.find('\n')), "t.csv:2:1: the job -7 is submitted at 5 s");
}

}  // namespace
}  // namespace palstudy
