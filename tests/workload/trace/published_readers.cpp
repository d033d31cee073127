// SPDX-License-Identifier: MIT
// Readers of traces that others published: each on a few records in the published form, on what is carried, and on what
// is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/error.hpp"
#include "workload/model_table.hpp"
#include "workload/models.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/json_records.hpp"
#include "workload/trace/left_records.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using testing_workload::carried_models;
using testing_workload::refusal;
using testing_workload::three_models;

const std::filesystem::path traces = PALSTUDY_SOURCE_DIR "/jobs/traces";

Workload parsed(const std::string& reader, const std::string& text) {
  return parse_trace(text, "t", reader, three_models());
}
std::string refused(const std::string& reader, const std::string& text) {
  const auto message = refusal(3, [&] { (void)parsed(reader, text); });
  return message.substr(0, message.find('\n'));
}
const std::string& user(const Workload& workload, std::size_t job) {
  return workload.users.at(workload.jobs[job].user);
}
const std::string& tenant(const Workload& workload, std::size_t job) {
  return workload.tenants.at(workload.jobs[job].tenant);
}

// ---- times
// -----------------------------------------------------------------------------------------------------------

// Day numbers by hand: 1970-01-02 is day 1; 2000-03-01 is day 11017 (30 years of 365, 7 leap days, 31 + 29 days).
TEST(TraceTime, CountsSecondsOfTheCalendar) {
  EXPECT_EQ(calendar_s("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(calendar_s("1970-01-02 00:00:01"), 86401);
  EXPECT_EQ(calendar_s("2000-03-01T01:02:03"), 11017 * 86400.0 + 3723);
  EXPECT_EQ(midnight_s(*calendar_s("2000-03-01 23:59:59")), 11017 * 86400.0);
  for (const char* wrong : {"", "2017-10-07", "2017-13-07 01:11:39", "2017-02-29 01:11:39", "2017-10-07 24:00:00",
                            "2017-10-07 01:60:00", "1969-12-31 23:59:59", "0001-01-01 00:00:00",
                            "2017-10-07 01:11:39 PDT", "2017/10/07 01:11:39", "2017-1x-07 01:11:39"}) {
    EXPECT_FALSE(calendar_s(wrong)) << wrong;
  }
}

// ---- Philly's JSON
// ---------------------------------------------------------------------------------------------------

std::string attempt(const std::string& start, const std::string& end, const std::string& gpus) {
  return R"({"start_time": )" + start + R"(, "end_time": )" + end + R"(, "detail": [{"ip": "m1", "gpus": [)" + gpus +
         "]}]}";
}
std::string job(const std::string& submitted, const std::string& attempts) {
  return R"({"status": "Pass", "vc": "ee9e8c", "jobid": "application_1_2", "attempts": [)" + attempts +
         R"(], "submitted_time": )" + submitted + R"(, "user": "ce2f4c"})";
}
const std::string submitted = R"("2017-10-07 01:11:39")";

// The example of the publisher's README in small: two attempts, 74 s on 8 GPUs and then 90 s on 2, are one job of 2
// GPUs and 164 s, submitted 1 h 11 min 39 s after the first day's midnight.
TEST(PhillyJson, AddsUpAttempts) {
  const auto workload = parsed(
      "philly-json",
      "[\n" +
          job(submitted, attempt("\"2017-10-07 01:12:09\"", "\"2017-10-07 01:13:23\"", R"("g0","g1","g2")") + "," +
                             attempt("\"2017-10-07 01:13:30\"", "\"2017-10-07 01:15:00\"", R"("g0","g1")")) +
          "\n]\n");
  ASSERT_EQ(workload.jobs.size(), 1u);
  EXPECT_EQ(workload.jobs[0].id, 0);
  EXPECT_EQ(workload.jobs[0].gpus, 2u);
  EXPECT_EQ(workload.jobs[0].submit_s, 3600 + 11 * 60 + 39);
  EXPECT_NEAR(workload.jobs[0].ideal_s(), 164, 1e-9);
  EXPECT_EQ(tenant(workload, 0), "ee9e8c");
  EXPECT_EQ(user(workload, 0), "ce2f4c");
  EXPECT_TRUE(workload.notes.empty());
}

// What the README calls incomplete makes no job and is counted by reason, with the line of the first; the numbers of
// the others do not change for it.
TEST(PhillyJson, SaysWhatItLeavesOut) {
  const auto good = attempt("\"2017-10-07 01:00:00\"", "\"2017-10-07 02:00:00\"", "\"g0\"");
  const auto workload =
      parsed("philly-json", "[" + job(submitted, "") + ",\n" +
                                job(submitted, attempt("null", "\"2017-10-07 02:00:00\"", "\"g0\"")) + ",\n" +
                                job(submitted, attempt("\"2017-10-07 02:00:00\"", "\"None\"", "\"g0\"")) + ",\n" +
                                job("\"None\"", good) + ",\n" + job(submitted, good) + "]");
  ASSERT_EQ(workload.jobs.size(), 1u);
  EXPECT_EQ(workload.jobs[0].id, 4);
  EXPECT_EQ(workload.notes, left_records(5, {{"have no attempt with a start, a later end and GPUs", 2, 2},
                                             {"have no submitted_time", 1, 4},
                                             {"never started", 1, 1}}));
}

TEST(PhillyJson, RefusesByLine) {
  const auto good = job(submitted, attempt("\"2017-10-07 01:00:00\"", "\"2017-10-07 02:00:00\"", "\"g0\""));
  EXPECT_EQ(refused("philly-json", "[" + good + ",\n{\"vc\": 7}]"), "t:2: this record has no text \"vc\"");
  EXPECT_EQ(refused("philly-json", "[" + good + ",\n{\"vc\": \"a\"}]"), "t:2: this record has no list \"attempts\"");
  EXPECT_EQ(refused("philly-json", "[" + good + ",\n\n{x}]"), "t:3: this record is not JSON");
  EXPECT_EQ(refused("philly-json", "[" + job("\"yesterday\"", "") + "]"), "t:1: \"submitted_time\" is not a time");
  EXPECT_EQ(refused("philly-json", "[" + job(submitted, "7") + "]"), "t:1: an attempt is not a record");
  EXPECT_EQ(refused("philly-json", "[\n{\"vc\": \"a\"\n"), "t:2: this record is not closed");
  EXPECT_EQ(refused("philly-json", "[\n{\"vc: 1}]\n"), "t:2: a text that begins here is not closed");
  EXPECT_EQ(refused("philly-json", "{}"), "t:1: expected \"[\" here");
  EXPECT_EQ(refused("philly-json", "[" + good + "\n" + good + "]"), "t:2: expected \",\" here");
  EXPECT_EQ(refused("philly-json", "[" + good + "] x"), "t:1: more text behind the array");
  EXPECT_EQ(refused("philly-json", "[7]"), "t:1: expected a record here");
  EXPECT_EQ(refused("philly-json", "[]"), "t: has no jobs");
}

// The GPUs of an attempt are those of all of its servers; an attempt that takes no time is none.
TEST(PhillyJson, AddsUpServers) {
  const std::string two = R"({"start_time": "2017-10-07 01:00:00", "end_time": "2017-10-07 02:00:00", "detail": )"
                          R"([{"ip": "m1", "gpus": ["g0", "g1"]}, {"ip": "m2", "gpus": ["g0"]}]})";
  const auto none = attempt("\"2017-10-07 03:00:00\"", "\"2017-10-07 03:00:00\"", "\"g0\"");
  const auto workload = parsed("philly-json", "[" + job(submitted, two + "," + none) + "]");
  ASSERT_EQ(workload.jobs.size(), 1u);
  EXPECT_EQ(workload.jobs[0].gpus, 3u);
  EXPECT_NEAR(workload.jobs[0].ideal_s(), 3600, 1e-6);
  EXPECT_EQ(refused("philly-json", "[" + job(submitted, R"({"detail": [7]})") + "]"),
            "t:1: a server of an attempt is not a record");
}

// Where nothing is left, why: a reader of another format, or a log of jobs that never ran.
TEST(PhillyJson, SaysWhyNoJobIsLeft) {
  EXPECT_EQ(refused("philly-json", "[" + job(submitted, "") + "]"),
            "t: has no jobs: 1 of 1 records left out: 1 never started (first: line 1)");
}

// Braces, brackets and escaped quotes inside texts end nothing.
TEST(JsonRecords, BracketsInTextsAreNoStructure) {
  std::vector<std::pair<std::string, std::size_t>> seen;
  for_each_object("[{\"a\": \"}]\\\"{\"},\n\n {\"b\": [{}, [1]]}]", "t",
                  [&](std::string_view text, std::size_t line) { seen.emplace_back(text, line); });
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], (std::pair<std::string, std::size_t>("{\"a\": \"}]\\\"{\"}", 1)));
  EXPECT_EQ(seen[1], (std::pair<std::string, std::size_t>("{\"b\": [{}, [1]]}", 3)));
}

// ---- Helios
// ----------------------------------------------------------------------------------------------------------

const std::string helios_header =
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n";

// Rows of the publisher's README, and of the kinds that make no job.
TEST(HeliosReader, ReadsTheClusterLog) {
  const auto workload = parsed(
      "helios",
      helios_header +
          "1425511,uXBbc,vcJkd,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0\n"
          "1425512,uVMrF,vchbv,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0\n"
          "1425513,u,vchbv,0,16,1,COMPLETED,2020-06-09 18:41:28,2020-06-09 18:41:28,2020-06-09 18:45:36,248,0\n"
          "1425514,u,vchbv,1,1,1,CANCELLED,2020-06-09 18:41:28,,,,\n"
          "1425515,u,vchbv,1,1,1,CANCELLED,2020-06-09 18:41:28,2020-06-09 18:41:28,2020-06-09 18:41:28,0,0\n");
  ASSERT_EQ(workload.jobs.size(), 2u);
  EXPECT_EQ(workload.jobs[0].id, 1425511);
  EXPECT_EQ(workload.jobs[0].submit_s, 18 * 3600 + 41 * 60 + 1);
  EXPECT_NEAR(workload.jobs[0].ideal_s(), 36848, 1e-6);
  EXPECT_EQ(tenant(workload, 0), "vcJkd");
  EXPECT_EQ(workload.jobs[1].gpus, 4u);
  EXPECT_EQ(tenant(workload, 1), "vchbv");
  EXPECT_EQ(user(workload, 0), "uXBbc");
  EXPECT_EQ(user(workload, 1), "uVMrF");
  EXPECT_EQ(workload.notes,
            left_records(5, {{"never started", 1, 5}, {"ran for no time", 1, 6}, {"want no GPU", 1, 4}}));
}

// A job cannot start before it is there; a start that is no time is refused as a submission that is none.
TEST(HeliosReader, LeavesOutImpossibleStarts) {
  const auto row = [](int id, const std::string& start) {
    return std::to_string(id) + ",u,v,1,1,1,COMPLETED,2020-06-09 18:41:01," + start + ",2020-06-09 19:41:01,60,0\n";
  };
  const auto workload = parsed("helios", helios_header + row(1, "2020-06-09 18:41:01") + row(2, "2020-06-09 18:41:00"));
  EXPECT_EQ(workload.jobs.size(), 1u);
  EXPECT_EQ(workload.notes, left_records(2, {{"start before they are submitted", 1, 3}}));
  EXPECT_EQ(refused("helios", helios_header + row(1, "2020-06-09 25:41:01")),
            "t:2:43: \"2020-06-09 25:41:01\" is not a time");
}

TEST(HeliosReader, RefusesAtItsPlace) {
  const auto with = [](const std::string& gpus, const std::string& submit, const std::string& duration) {
    return helios_header + "1,u,v," + gpus + ",1,1,COMPLETED," + submit + ",2020-06-09 18:41:01,2020-06-09 18:41:01," +
           duration + ",0\n";
  };
  EXPECT_EQ(refused("helios", with("-1", "2020-06-09 18:41:01", "9")), "t:2:7: -1 is not within 0 and 16777216");
  EXPECT_EQ(refused("helios", with("1", "06/09/2020", "9")), "t:2:23: \"06/09/2020\" is not a time");
  EXPECT_EQ(refused("helios", with("1", "2020-06-09 18:41:01", "-9")), "t:2:83: a run time of -9");
  EXPECT_EQ(refused("helios", "job_id,vc\n1,v\n"), "t:1: the header names no column \"gpu_num\"");
}

// ---- the Standard Workload Format
// ------------------------------------------------------------------------------------

// Fields: number, submit, wait, run, allocated, cpu, memory, requested, time, memory, status, user, group, ... to 18.
TEST(SwfReader, ReadsFieldsOfTheStandard) {
  const auto workload = parsed("swf",
                               "; UnixStartTime: 0\n"
                               "1  10  5 100.5 8 -1 -1 16 300 -1 1 3 7 -1 -1 -1 -1 -1\r\n"
                               "2  20  5   60  4 -1 -1 -1 -1 -1 0 3 -1 -1 -1 -1 -1 -1\n"
                               "\n"
                               "3  20  5   -1  4 -1 -1 -1 -1 -1 5 3 -1 -1 -1 -1 -1 -1\n"
                               "4  20  5   60  4 -1 -1 -1 -1 -1 2 3 -1 -1 -1 -1 -1 -1\n"
                               "5  20  5    0  4 -1 -1 -1 -1 -1 1 3 -1 -1 -1 -1 -1 -1\n"
                               "6  20  5   60 -1 -1 -1 -1 -1 -1 1 3 -1 -1 -1 -1 -1 -1\n");
  ASSERT_EQ(workload.jobs.size(), 2u);
  EXPECT_EQ(workload.jobs[0].gpus, 16u);  // requested, not allocated
  EXPECT_EQ(workload.jobs[0].submit_s, 10);
  EXPECT_NEAR(workload.jobs[0].ideal_s(), 100.5, 1e-9);
  EXPECT_EQ(tenant(workload, 0), "7");
  EXPECT_EQ(user(workload, 0), "3");
  EXPECT_EQ(workload.jobs[0].estimate_s, 300);
  EXPECT_EQ(workload.jobs[1].estimate_s, 0);  // its user gave none
  EXPECT_EQ(workload.jobs[1].gpus, 4u);       // what was requested is not known
  EXPECT_EQ(tenant(workload, 1), "");
  EXPECT_EQ(workload.notes, left_records(6, {{"are parts of jobs", 1, 6},
                                             {"have no processors", 1, 8},
                                             {"have no run time", 1, 5},
                                             {"ran for no time", 1, 7}}));
}

// What other programs add to the format is not read, and that is said.
TEST(SwfReader, AHeaderAndFurtherFieldsAreNotRead) {
  const std::string job = "1\t10 5 100 8 -1 -1 16 -1 -1 1 3 7 -1 -1 -1 -1 -1";
  const auto notes = [](bool header, int longer) {
    return std::vector<Note>{{"swf-layout", Severity::info, "", {{"header", header}, {"longer", longer}}}};
  };
  EXPECT_EQ(parsed("swf", "; made by x\njob\tsubmit wait\n" + job + "\n").notes, notes(true, 0));
  const auto longer = parsed("swf", job + " 9 x\n2" + job.substr(1) + "\n");
  EXPECT_EQ(longer.notes, notes(false, 1));
  ASSERT_EQ(longer.jobs.size(), 2U);
  EXPECT_EQ(longer.jobs[0].gpus, 16U);
  EXPECT_EQ(refused("swf", job + "\njob submit\n"), "t:2:1: field 1 is not a finite number");
}

TEST(SwfReader, RefusesAtItsPlace) {
  const std::string rest = " -1 -1 1 3 7 -1 -1 -1 -1 -1\n";
  EXPECT_EQ(refused("swf", "1 10 5 100 8 -1 -1 16" + rest + "1 10 5 9 8 -1 -1 1" + rest),
            "t:2:1: the job id 1 is there twice");
  EXPECT_EQ(refused("swf", "1 10 5 x 8 -1 -1 16" + rest), "t:1:8: field 4 is not a finite number");
  EXPECT_EQ(refused("swf", "1 10 5 -3 8 -1 -1 16" + rest), "t:1:8: a run time of -3 s");
  EXPECT_EQ(refused("swf", "1 -10 5 3 8 -1 -1 16" + rest), "t:1:3: submitted at -10 s");
  EXPECT_EQ(refused("swf", "1 10 5 3 8 -1 -1 1.5" + rest), "t:1:18: field 8 is 1.5");
  EXPECT_EQ(refused("swf", "1 10 5 3 8 -1 -1 16 2e12 -1 1 3 7 -1 -1 -1 -1 -1\n"),
            "t:1:21: a requested time of 2000000000000 s");
  EXPECT_EQ(refused("swf", "1 10 5 3 8 -1 -1 16" + rest + "2 3 4\n"), "t:2: 3 fields");
  EXPECT_EQ(refused("swf", "; nothing\n"), "t: has no jobs");
}

// A state from -1 to 5 (4: a part of a job; 5: cancelled, and a job if it ran), ids from 0 on, and no field more.
TEST(SwfReader, FieldsHaveLimits) {
  const auto with = [](const std::string& id, const std::string& run_s, const std::string& rest) {
    return id + " 10 5 " + run_s + " 8 -1 -1 " + rest + " 7 -1 -1 -1 -1 -1";
  };
  EXPECT_EQ(parsed("swf", with("0", "1e12", "16777216 -1 -1 5 3")).jobs.at(0).gpus, 16777216u);
  EXPECT_EQ(refused("swf", with("1", "2e12", "16 -1 -1 1 3")), "t:1:8: a run time of 2000000000000 s");
  EXPECT_EQ(refused("swf", with("1", "3", "16777217 -1 -1 1 3")), "t:1:18: field 8 is 16777217");
  EXPECT_EQ(refused("swf", with("1", "3", "16 -1 -1 6 3")), "t:1:27: field 11 is 6");
  EXPECT_EQ(refused("swf", with("1", "3", "16 -1 -1 1 -2")), "t:1:29: field 12 is -2");
  EXPECT_EQ(refused("swf", with("-1", "3", "16 -1 -1 1 3")), "t:1:1: field 1 is -1");
  EXPECT_EQ(refused("swf", with("1", "3", "16 -1 -1 4 3")),
            "t: has no jobs: 1 of 1 records left out: 1 are parts of jobs (first: line 1)");
}

// ---- what is carried
// -------------------------------------------------------------------------------------------------

// Counts of its README: 82,247 jobs of 15 virtual clusters, 41,226 of one of them, 978,078 GPU-hours, at most 128 GPUs.
TEST(PhillyCsv, ReadsTheCarriedJobs) {
  const auto workload = read_trace(traces / "philly/philly_82k.csv.gz", "philly-csv", carried_models());
  EXPECT_EQ(workload.jobs.size(), 82247u);
  EXPECT_EQ(workload.tenants.size(), 15u);
  EXPECT_TRUE(workload.notes.empty());
  double gpu_h = 0;
  std::uint32_t widest = 0;
  std::map<std::string, int> jobs_of;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    gpu_h += workload.jobs[j].gpus * workload.jobs[j].ideal_s() / 3600;
    widest = std::max(widest, workload.jobs[j].gpus);
    ++jobs_of[tenant(workload, j)];
  }
  EXPECT_NEAR(gpu_h, 978078, 1);
  EXPECT_EQ(widest, 128u);
  EXPECT_EQ(jobs_of["6214e9"], 41226);
  EXPECT_EQ(workload.jobs[0].submit_s, 37841);
  EXPECT_EQ(workload.jobs[0].gpus, 8u);
}

TEST(GavelReader, LeavesOutJobsWithoutARunTime) {
  const auto workload = read_trace(traces / "gavel-philly/gavel_philly_by_vc.csv", "gavel", carried_models());
  EXPECT_EQ(workload.jobs.size(), 15264u - 1548u);
  EXPECT_EQ(workload.tenants.size(), 15u);
  const Note* left = find(workload.notes, "left-records");
  ASSERT_NE(left, nullptr);
  EXPECT_EQ((*left)["left"], Value(1548));
  EXPECT_EQ((*left)["of"], Value(15264));
}

// Both traces have 100 jobs of one GPU; the first of the static one is alexnet with 3349 iterations of 0.6 s.
TEST(SynergyReader, ReadsTheCarriedTraces) {
  for (const char* name : {"static_100job.csv", "dynamic_srtf.csv"}) {
    const auto workload = read_trace(traces / "synergy" / name, "synergy", carried_models());
    EXPECT_EQ(workload.jobs.size(), 100u) << name;
    EXPECT_TRUE(workload.notes.empty()) << name;
  }
  const auto workload = read_trace(traces / "synergy/static_100job.csv", "synergy", carried_models());
  EXPECT_EQ(workload.models.at(workload.jobs[0].model), "alexnet");
  EXPECT_NEAR(workload.jobs[0].ideal_s(), 3349 * 0.6, 1e-9);
  EXPECT_EQ(refused("synergy", "0,BERT,0,10,1\n1,BERD,0,10,1\n"),
            "t:2:3: unknown model \"BERD\"; did you mean \"BERT\"?");
}

// Jobs of processors alone are counted and left out; the others are what they were. What is no number of GPUs at all is
// refused where it stands, with the columns that are expected.
TEST(PublishedReaders, LeaveOutJobsWithoutGpus) {
  const auto workload = parsed("synergy", "0,BERT,0,10,1\n1,BERT,5,10,0\n2,BERT,6,10,0\n3,BERT,7,10,2\n");
  ASSERT_EQ(workload.jobs.size(), 2u);
  EXPECT_EQ(workload.jobs[1].id, 3);
  EXPECT_EQ(workload.notes, left_records(4, {{"want no GPU", 2, 2}}));
  const std::string header = "submit_s,duration_s,num_gpus,vc\n";
  const auto philly = parsed("philly-csv", header + "0,60,0,a\n1,60,4,a\n");
  ASSERT_EQ(philly.jobs.size(), 1u);
  EXPECT_EQ(philly.jobs[0].id, 1) << "ids stay row numbers";
  EXPECT_EQ(philly.notes, left_records(2, {{"want no GPU", 1, 2}}));
  EXPECT_EQ(refused("philly-csv", header + "0,60,-1,a\n"), "t:2:6: a job of -1 GPUs");
  EXPECT_EQ(refused("philly-csv", header + "0,60,0,a\n"),
            "t: has no jobs: 1 of 1 records left out: 1 want no GPU (first: line 2)");
  EXPECT_EQ(refused("synergy", "0,BERT,0,10\n"), "t:1:12: 4 fields where the format has 5 columns");
}

// ---- models that a trace does not name
// -------------------------------------------------------------------------------

// Drawn by seed and id: the same again, other ones by another seed, each of three about as often (2000 +- 5 sigma), and
// a job's model does not depend on which others there are.
TEST(DrawnForTraces, DependsOnSeedAndIdAlone) {
  std::string text = "submit_s,duration_s,num_gpus,vc\n", half;
  for (int i = 0; i < 6000; ++i) {
    if (i == 3000) half = text;
    text += "0,60,1,a\n";
  }
  const auto one = parse_trace(text, "t", "philly-csv", {three_models(), 1});
  const auto again = parse_trace(text, "t", "philly-csv", {three_models(), 1});
  const auto other = parse_trace(text, "t", "philly-csv", {three_models(), 2});
  const auto fewer = parse_trace(half, "t", "philly-csv", {three_models(), 1});
  std::map<int, int> count;
  int differ = 0;
  for (std::size_t j = 0; j < one.jobs.size(); ++j) {
    ++count[one.jobs[j].model];
    EXPECT_EQ(one.jobs[j].model, again.jobs[j].model);
    differ += one.jobs[j].model != other.jobs[j].model ? 1 : 0;
    if (j < fewer.jobs.size()) {
      EXPECT_EQ(one.jobs[j].model, fewer.jobs[j].model);
    }
  }
  for (const auto& [model, jobs] : count) EXPECT_NEAR(jobs, 2000, 183) << model;
  EXPECT_GT(differ, 3000);
}

// A model with drawn = false is never taken, and a table of such models alone is refused.
TEST(DrawnForTraces, TakesOnlyWhatMayBeDrawn) {
  ModelTable table = three_models();
  table.models["BERT"].drawn = false;
  std::string text = "submit_s,duration_s,num_gpus,vc\n";
  for (int i = 0; i < 50; ++i) text += "0,60,1,a\n";
  const auto workload = parse_trace(text, "t", "philly-csv", table);
  EXPECT_EQ(workload.models, (std::vector<std::string>{"resnet50", "vgg19"}));
  for (auto& [name, info] : table.models) info.drawn = false;
  EXPECT_EQ(refusal(3, [&] { (void)parse_trace(text, "t", "philly-csv", table); }).substr(0, 15), "workload.models");
}

// Every reader says where its traces are to be had, and under which licence.
TEST(Readers, SayWhereTracesArePublished) {
  for (const auto& entry : readers().entries()) {
    EXPECT_FALSE(entry.make.published.empty()) << entry.name;
    EXPECT_FALSE(entry.make.licence.empty()) << entry.name;
  }
}

}  // namespace
}  // namespace palstudy
