// SPDX-License-Identifier: MIT
// How far the fields of traces may go, reader by reader, and what a reader makes of those that say nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "workload/models.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

Workload limit_trace(const std::string& reader, const std::string& text) {
  return parse_trace(text, "t", reader, testing_workload::three_models());
}
std::string limit_refusal(const std::string& reader, const std::string& text) {
  const auto message = testing_workload::refusal(3, [&] { (void)limit_trace(reader, text); });
  return message.substr(0, message.find('\n'));
}

// Names are numbered as they come, after those that are there already; the largest number is that which can be stored,
// so that there is one name more. What is known stays known when there is no place for another.
TEST(NameIndex, NumbersNamesUpToTheLargestNumber) {
  std::vector<std::string> names = {"x"};
  NameIndex index(names, "tenants", 2);
  const auto number = [&](const std::string& name) {
    return index.number(std::string_view(name), [] { return std::string("t:7"); });
  };
  EXPECT_EQ(number("b"), 1U);
  EXPECT_EQ(number("a"), 2U);
  EXPECT_EQ(number("x"), 0U);
  EXPECT_EQ(number("b"), 1U);
  const auto message = testing_workload::refusal(3, [&] { (void)number("c"); });
  EXPECT_EQ(message.substr(0, message.find('\n')), "t:7: more than 3 tenants");
  EXPECT_EQ(number("a"), 2U);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "b", "a"}));
}

// Tenants and models are numbered in 16 bits: with 65,535 of them each job has its own, and 65,537, of which two would
// share a number, are refused.
TEST(NameIndex, NoTwoTenantsOrModelsShareANumber) {
  const std::string native = "job_id,submit_s,num_gpus,iterations,iteration_s,class,";
  struct Format {
    std::string reader, header;
    std::function<std::string(const std::string&)> row;
    std::string what;
  };
  const auto native_row = [](const std::string& i) { return i + ",0,1,1,1,A," + i + "\n"; };
  const std::vector<Format> formats = {
      {"native", native + "tenant\n", native_row, "tenants"},
      {"native", native + "model\n", native_row, "models"},
      {"philly-csv", "submit_s,duration_s,num_gpus,vc\n", [](const std::string& i) { return "0,60,1," + i + "\n"; },
       "tenants"},
      {"swf", "", [](const std::string& i) { return i + " 0 5 60 1 -1 -1 1 -1 -1 1 -1 " + i + " -1 -1 -1 -1 -1\n"; },
       "groups"}};
  for (const Format& format : formats) {
    std::string text = format.header;
    int next = 0;
    while (next < 65535) text += format.row(std::to_string(next++));
    const Workload workload = limit_trace(format.reader, text);
    ASSERT_EQ(workload.jobs.size(), 65535U) << format.reader;
    int wrong = 0;
    for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
      const Job& job = workload.jobs[j];
      const auto& name = format.what == "models" ? workload.models.at(job.model) : workload.tenants.at(job.tenant);
      wrong += name == std::to_string(j) ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0) << format.reader;
    while (next < 65537) text += format.row(std::to_string(next++));
    const auto refused = limit_refusal(format.reader, text);
    EXPECT_NE(refused.find("more than 6553"), std::string::npos) << refused;
    EXPECT_NE(refused.find(" " + format.what), std::string::npos) << refused;
  }
}

// The day ends at 23:59:59: leap seconds are no times.
TEST(TraceTime, EndsTheDayBeforeTheSixtiethSecond) {
  EXPECT_EQ(calendar_s("1970-01-01 23:59:59"), 86399);
  EXPECT_FALSE(calendar_s("1970-01-01 23:59:60"));
  EXPECT_FALSE(calendar_s("1970-01-01 23:5:590"));
}

// Of a requested 0, as of -1, nothing is known, and what was allocated counts; of neither there is no job.
TEST(SwfReader, TakesWhatWasAllocatedWhereNoneWasRequested) {
  const auto record = [](const std::string& allocated, const std::string& requested) {
    return "1 10 5 60 " + allocated + " -1 -1 " + requested + " -1 -1 1 3 7 -1 -1 -1 -1 -1\n";
  };
  EXPECT_EQ(limit_trace("swf", record("4", "0")).jobs.at(0).gpus, 4U);
  EXPECT_EQ(limit_trace("swf", record("0", "2")).jobs.at(0).gpus, 2U);
  EXPECT_EQ(limit_refusal("swf", record("0", "0")),
            "t: has no jobs: 1 of 1 records left out: 1 have no processors (first: line 1)");
}

// Ids, users and groups are whole numbers up to 2^53, beyond which not every number can be told from the next; one that
// is not known is no name.
TEST(SwfReader, IdsEndWhereNumbersCannotBeToldApart) {
  const auto record = [](const std::string& id, const std::string& user, const std::string& group) {
    return id + " 10 5 60 4 -1 -1 4 -1 -1 1 " + user + " " + group + " -1 -1 -1 -1 -1\n";
  };
  const std::string most = "9007199254740992", beyond = "9007199254740994";
  const auto workload = limit_trace("swf", record(most, most, most) + record("0", "-1", "-1"));
  EXPECT_EQ(workload.jobs.at(0).id, 9007199254740992);
  EXPECT_EQ(workload.users, (std::vector<std::string>{most, ""}));
  EXPECT_EQ(workload.tenants, (std::vector<std::string>{most, ""}));
  const auto refused = [&](const std::string& text, const std::string& beginning) {
    EXPECT_EQ(limit_refusal("swf", text).substr(0, beginning.size()), beginning);
  };
  refused(record(beyond, "1", "1"), "t:1:1: field 1 is ");
  refused(record("1", beyond, "1"), "t:1:29: field 12 is ");
  refused(record("1", "1", beyond), "t:1:31: field 13 is ");
}

// A time of -0 is 0: it is written down, and compared, as such.
TEST(Trace, TakesMinusZeroForZero) {
  const auto native = limit_trace("native", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,-0,1,1,1,A\n");
  EXPECT_FALSE(std::signbit(native.jobs.at(0).submit_s));
  const auto swf = limit_trace("swf", "1 -0 5 60 4 -1 -1 4 -1 -1 1 3 7 -1 -1 -1 -1 -1\n");
  EXPECT_FALSE(std::signbit(swf.jobs.at(0).submit_s));
}

// Run times are over 0 and at most 1e12 s in every format, and Gavel's jobs all want GPUs.
TEST(PublishedReaders, RunTimesHaveLimits) {
  const std::string philly = "submit_s,duration_s,num_gpus,vc\n", gavel = "vc,arrival_s,num_gpus,runtime_v100_s\n";
  EXPECT_NEAR(limit_trace("philly-csv", philly + "0,1e12,1,a\n").jobs.at(0).ideal_s(), 1e12, 1);
  EXPECT_EQ(limit_refusal("philly-csv", philly + "0,2e12,1,a\n"), "t:2:3: a job of 2000000000000 s");
  EXPECT_EQ(limit_refusal("philly-csv", philly + "0,0,1,a\n"), "t:2:3: a run time of 0");
  EXPECT_EQ(limit_refusal("philly-csv", philly + "0,,1,a\n").substr(0, 7), "t:2:3: ");
  EXPECT_EQ(limit_refusal("gavel", gavel + "a,0,1,-1\n"), "t:2:7: a run time of -1");
  EXPECT_EQ(limit_refusal("gavel", gavel + "a,0,0,60\n"), "t:2:5: a job of 0 GPUs");
}

// A log of Helios without the column user names no users. A start of None is none, and a run time has its limit too.
TEST(HeliosReader, ReadsLogsWithoutUsers) {
  const std::string header = "job_id,vc,gpu_num,submit_time,start_time,duration\n",
                    begun = "1,v,1,2020-06-09 18:41:01,2020-06-09 18:41:01,";
  const auto workload = limit_trace("helios", header + begun + "60\n");
  EXPECT_EQ(workload.jobs.size(), 1U);
  EXPECT_TRUE(workload.users.empty());
  EXPECT_EQ(limit_refusal("helios", header + begun + "2e12\n"), "t:2:47: a job of 2000000000000 s");
  EXPECT_EQ(limit_refusal("helios", header + "1,v,1,2020-06-09 18:41:01,None,60\n"),
            "t: has no jobs: 1 of 1 records left out: 1 never started (first: line 2)");
}

// From 1970 to the end of 9999 there are 253,402,300,799 s: three attempts of that length are a job, and four, over
// 1e12 s, are refused. Who submitted a job need not be there; attempts have servers, and these GPUs.
TEST(PhillyJson, RecordsHaveLimits) {
  const auto record = [](const std::string& attempts, const std::string& submitted) {
    return R"([{"vc": "a", "submitted_time": )" + submitted + R"(, "attempts": [)" + attempts + "]}]";
  };
  const std::string time = R"("2017-10-07 01:11:39")";
  const std::string one = R"({"start_time": "1970-01-01 00:00:00", "end_time": "9999-12-31 23:59:59", )"
                          R"("detail": [{"ip": "m", "gpus": ["g"]}]})";
  const std::string three = one + "," + one + "," + one;
  const auto workload = limit_trace("philly-json", record(three, time));
  EXPECT_NEAR(workload.jobs.at(0).ideal_s(), 3 * 253402300799.0, 1);
  EXPECT_EQ(workload.users, std::vector<std::string>{""});
  const auto refused = [&](const std::string& attempts, const std::string& submitted) {
    return limit_refusal("philly-json", record(attempts, submitted));
  };
  EXPECT_EQ(refused(three + "," + one, time), "t:1: a job of 1 GPUs and 1013609203196 s");
  EXPECT_EQ(refused(one, "7"), "t:1: \"submitted_time\" is not a time");
  EXPECT_EQ(refused("{}", time), "t:1: this record has no list \"detail\"");
  EXPECT_EQ(refused(R"({"detail": [{"ip": "m"}]})", time), "t:1: this record has no list \"gpus\"");
}

// Models are drawn by the seed 1 where none is given.
TEST(DrawnForTraces, TheSeedIsOneUnlessGiven) {
  const ModelTable models = testing_workload::three_models();
  std::string text = "submit_s,duration_s,num_gpus,vc\n";
  for (int i = 0; i < 50; ++i) text += "0,60,1,a\n";
  const auto first = parse_trace(text, "t", "philly-csv", {models, 1}),
             usual = parse_trace(text, "t", "philly-csv", models);
  TraceJobs read;
  readers().at("philly-csv").make.read({text, "t"}, TraceContext{models}, read);
  ASSERT_EQ(read.workload.jobs.size(), 50U);
  const auto file = std::filesystem::path(testing::TempDir()) / "palstudy-trace-of-the-usual-seed.csv";
  std::ofstream(file) << text;
  const Workload of_file = read_trace(file, "philly-csv", models);
  std::filesystem::remove(file);
  for (std::size_t j = 0; j < 50; ++j) {
    EXPECT_EQ(usual.jobs.at(j).model, first.jobs.at(j).model) << j;
    EXPECT_EQ(read.workload.jobs[j].model, first.jobs[j].model) << j;
    EXPECT_EQ(of_file.jobs.at(j).model, first.jobs[j].model) << j;
  }
}

}  // namespace
}  // namespace palstudy
