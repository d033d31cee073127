// SPDX-License-Identifier: MIT
// Slurm's accounting: made-up dumps with what is in them beside (sacct/README.md), and traps by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "core/files.hpp"
#include "core/text.hpp"
#include "workload/models.hpp"
#include "workload/trace/class_table.hpp"
#include "workload/trace/recorded_span.hpp"
#include "workload/trace/site_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using testing_workload::refusal;
using testing_workload::three_models;

const std::filesystem::path dumps = PALSTUDY_SOURCE_DIR "/tests/workload/trace/sacct";

Workload read_dump(const std::string& file) { return read_trace(dumps / file, "sacct", three_models()); }
Workload parsed(const std::string& text) { return parse_trace(text, "t.psv", "sacct", three_models()); }

std::map<std::string, std::size_t> left_out(const Workload& workload) {
  std::map<std::string, std::size_t> reasons;
  const Note* const left = find(workload.notes, "left-records");
  if (left == nullptr) return reasons;
  for (const Value& one : (*left)["reasons"].list()) reasons[one["reason"].name()] = one["records"].count();
  return reasons;
}

/// The reader's reasons under the names of the expected files.
std::map<std::string, std::size_t> expected_reasons(const nlohmann::json& expected) {
  const std::map<std::string, std::string> names = {{"end before start", "end before they start"},
                                                    {"never started", "never started"},
                                                    {"no GPU", "want no GPU"},
                                                    {"ran for no time", "ran for no time"},
                                                    {"still waiting", "still wait"}};
  std::map<std::string, std::size_t> reasons;
  for (const auto& [reason, count] : expected.at("left_out").items()) reasons[names.at(reason)] = count;
  if (expected.value("steps", 0) > 0) reasons["are steps"] = expected["steps"];
  if (expected.value("still_running", 0) > 0) reasons["still run"] = expected["still_running"];
  if (expected.contains("cut_line")) reasons["are cut off"] = 1;
  return reasons;
}

// Every record makes a job, or is left out for the reason that it has; runs of one job are joined. Jobs have the GPUs
// and ended as they did.
TEST(SacctReader, KeepsAndLeavesOutWhatTheFilesHave) {
  for (const char* file : {"normal.psv", "duplicates.psv", "names.psv", "old-gres.psv", "cut.psv", "crlf.psv",
                           "latin1.psv", "2205.json", "2405.json"}) {
    SCOPED_TRACE(file);
    const auto expected = nlohmann::json::parse(read_text_file(dumps / (std::string(file) + ".expected.json")));
    const Workload workload = read_dump(file);
    EXPECT_EQ(workload.jobs.size(), expected.at("jobs_kept"));
    EXPECT_EQ(left_out(workload), expected_reasons(expected));
    const Note* const ends = find(workload.notes, "recorded-ends");
    ASSERT_NE(ends, nullptr);
    EXPECT_EQ((*ends)["requeued_runs"].count(), expected.value("records_joined", 0U));
    if (expected.contains("gpus_total")) {
      std::size_t gpus = 0;
      for (const Job& job : workload.jobs) gpus += job.gpus;
      EXPECT_EQ(gpus, expected["gpus_total"]);
    }
    if (!expected.contains("states_of_kept")) continue;
    EXPECT_EQ((*ends)["past_limit"].count(), expected.at("timeouts"));
    std::map<std::string, std::size_t> states;
    for (const Value& one : (*ends)["ends"].list()) states[one["state"].name()] = one["jobs"].count();
    EXPECT_EQ(states, (expected["states_of_kept"].get<std::map<std::string, std::size_t>>()));
    EXPECT_EQ(workload.tenants.size(), expected.at("tenants_of_kept"));
    EXPECT_EQ(workload.users.size(), expected.at("users_of_kept"));
  }
}

// All GPU hours are there but for those before time 0, less than one here.
TEST(SacctReader, JobsRunForTheirRecordedTimes) {
  const auto expected = nlohmann::json::parse(read_text_file(dumps / "duplicates.psv.expected.json"));
  double gpu_s = 0;
  const Workload workload = read_dump("duplicates.psv");
  for (const Job& job : workload.jobs) gpu_s += job.ideal_s() * job.gpus;
  EXPECT_NEAR(gpu_s / 3600, expected.at("gpu_hours_held").get<double>(), 1);
}

const std::string header = "JobID|User|Account|Partition|State|Submit|Start|End|Timelimit|AllocTRES|JobName\n";

// Job 1 ends first, at 200: times count from 199. Job 2 runs then and has 101 s left; job 3 waits since 150 and starts
// at 250; job 4 comes at 301.
TEST(SacctReader, TimesCountFromTheFirstEnd) {
  const Workload workload = parsed(header +
                                   "1|u|a|p|COMPLETED|50|100|200|00:10:00|gres/gpu=2|x\n"
                                   "2|u|a|p|FAILED|60|100|300|00:10:00|gres/gpu:a100=1,gres/gpu=1|x\n"
                                   "3|u|a|p|TIMEOUT|150|250|400|UNLIMITED|gres/gpu:a100=1,gres/gpu:v100=1|x\n"
                                   "4|v||q|COMPLETED|500|600|700|1-00:00:00|gres/gpu=4|y\n");
  ASSERT_EQ(workload.jobs.size(), 4U);
  const auto& jobs = workload.jobs;
  EXPECT_EQ(jobs[0].id, -3);
  EXPECT_DOUBLE_EQ(jobs[0].ideal_s(), 1);
  EXPECT_EQ(jobs[1].id, -2);
  EXPECT_DOUBLE_EQ(jobs[1].ideal_s(), 101);
  EXPECT_EQ(jobs[1].estimate_s, 600 - 99);
  EXPECT_EQ(jobs[2].id, -1);
  EXPECT_EQ(jobs[2].submit_s, 0);
  EXPECT_EQ(jobs[2].gpus, 2U);
  EXPECT_EQ(jobs[2].estimate_s, 0) << "no limit";
  EXPECT_EQ(jobs[3].id, 4);
  EXPECT_EQ(jobs[3].submit_s, 301);
  EXPECT_EQ(jobs[3].estimate_s, 86400);
  EXPECT_EQ(workload.tenants.at(jobs[3].tenant), "q") << "the partition, where there is no account";
  EXPECT_EQ(workload.queues.at(jobs[3].queue), "q");
  const Note* const zero = find(workload.notes, "time-zero");
  ASSERT_NE(zero, nullptr);
  EXPECT_EQ((*zero)["ran"].count(), 2U);
  EXPECT_EQ((*zero)["waited"].count(), 1U);
  EXPECT_EQ(find(workload.notes, "zoneless"), nullptr) << "seconds since 1970 have one";
  EXPECT_EQ(find(workload.notes, "row-ids"), nullptr);
}

// Starts and ends count from time 0 too, which is 199, a second before the first end. Of jobs that ran then they are
// the true ones, before it. Job 2 was given back at 220 and ran again from 250 to 300.
TEST(SacctReader, KeepsWhenJobsStartedAndEnded) {
  const Workload workload = parsed(header +
                                   "1|u|a|p|COMPLETED|50|100|200||gres/gpu=2|x\n"
                                   "2|u|a|p|REQUEUED|60|110|220||gres/gpu=1|x\n"
                                   "2|u|a|p|COMPLETED|220|250|300||gres/gpu=1|x\n"
                                   "3|u|a|p|COMPLETED|150|250|400||gres/gpu=1|x\n"
                                   "4|v|a|q|COMPLETED|500|600|700||gres/gpu=4|y\n");
  ASSERT_EQ(workload.jobs.size(), 4U);
  EXPECT_EQ(workload.zero_s, 199);
  const auto recorded = [&](std::size_t job) { return recorded_times(workload, workload.jobs.at(job)); };
  EXPECT_EQ(span_of(recorded(0)), RecordedSpan(-99, 1)) << "job 1 ran at time 0";
  EXPECT_EQ(span_of(recorded(1)), RecordedSpan(-89, 101)) << "job 2, from its first start to its last end";
  EXPECT_EQ(span_of(recorded(2)), RecordedSpan(51, 201)) << "job 3 waited at time 0";
  EXPECT_EQ(span_of(recorded(3)), RecordedSpan(401, 501));
}

// A name may hold the separator and a line end; a trailing separator is that of -p.
TEST(SacctReader, NamesHaveAnyCharacters) {
  const Workload workload =
      parsed(header + "1|u|a|p|COMPLETED|1|2|90||gres/gpu=2|a|b\nc\n2_1|u|a|p|COMPLETED|9|9|95||gres/gpu=2|d\n");
  ASSERT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(workload.names, (std::vector<std::string>{"a|b\nc", "d"}));
  EXPECT_NE(find(workload.notes, "row-ids"), nullptr) << "2_1 is no number";
  const Workload closed = parsed("JobID|State|Submit|Start|End|AllocTRES|JobName|\n1|COMPLETED|1|2|90|gres/gpu=2|a|\n");
  EXPECT_EQ(closed.names, (std::vector<std::string>{"a"}));
}

// Columns stand in any order. A line that ends too early is a record that is left out; dumps may overlap.
TEST(SacctReader, CountsWhatIsCutOffOrThereTwice) {
  const std::string columns = "User|State|JobIDRaw|Submit|Start|End|AllocTRES|JobName\n",
                    row = "u|COMPLETED|1|1|2|90|gres/gpu=2|x\n";
  const Workload workload =
      parsed(columns + row + "u|COMPLETED|2|1\n" + columns + row + "v|COMPLETED|3|1|2|90|gres/gpu=2|y\n");
  EXPECT_EQ(workload.jobs.size(), 2U);
  EXPECT_EQ(left_out(workload), (std::map<std::string, std::size_t>{{"are cut off", 1}, {"are there twice", 1}}));
}

// With -n there is no header: the study names the columns. One that is there all the same is no record.
TEST(SacctReader, ColumnsOfATableWithoutAHeaderAreNamed) {
  const std::string all = read_text_file(dumps / "normal.psv");
  const std::string header = all.substr(0, all.find('\n')), rows = all.substr(header.size() + 1);
  const TraceColumns columns{.in_order = split(header, '|')};
  const Workload without = parse_trace(rows, "t.psv", "sacct", {three_models(), 1, columns});
  const Workload with = parsed(all);
  ASSERT_EQ(without.jobs.size(), with.jobs.size());
  EXPECT_EQ(left_out(without), left_out(with));
  for (std::size_t i = 0; i < with.jobs.size(); ++i) {
    EXPECT_EQ(std::tuple(without.jobs[i].id, without.jobs[i].submit_s, without.jobs[i].ideal_s()),
              std::tuple(with.jobs[i].id, with.jobs[i].submit_s, with.jobs[i].ideal_s()));
  }
  const auto both = [&] { (void)parse_trace(all, "t.psv", "sacct", {three_models(), 1, columns}); };
  EXPECT_EQ(refusal(3, both).find("t.psv:1: "), 0U);
}

// Where End is not there, a job ended at its start, the time for which it ran and that for which it was suspended.
TEST(SacctReader, ElapsedTakesThePlaceOfEnd) {
  const auto jobs =
      parsed(
          "JobID|State|Submit|Start|ElapsedRaw|Suspended|AllocTRES\n1|COMPLETED|100|100|50|00:00:00|gres/gpu=1\n"
          "2|COMPLETED|200|210|50|00:00:07|gres/gpu=1\n3|RUNNING|200|210|50|00:00:00|gres/gpu=1\n")
          .jobs;
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_DOUBLE_EQ(jobs[0].ideal_s(), 1) << "it ran for a second of the window, which begins before its end";
  EXPECT_DOUBLE_EQ(jobs[1].ideal_s(), 57);
}

// The layouts between those of the samples, by the reference's table of what changed when: 21.08 has the time from
// which a job could start in the place of its start; 23.02 has limits as objects, and states as one text.
TEST(SacctReader, LayoutsOfJsonBetweenTheSamples) {
  const auto starts = [](const Workload& workload) {
    std::vector<std::tuple<std::int64_t, double, double, double>> all;
    for (const Job& job : workload.jobs) all.emplace_back(job.id, job.submit_s, job.ideal_s(), job.estimate_s);
    return all;
  };
  auto dump = nlohmann::json::parse(read_text_file(dumps / "2205.json"));
  const Workload of_22_05 = parsed(dump.dump());
  dump["meta"]["Slurm"]["release"] = "21.08.8";
  for (auto& job : dump["jobs"]) {
    auto& times = job["time"];
    if (times["end"] != 0 && times["start"].is_number()) times["start"] = times["eligible"];
  }
  const Workload of_21_08 = parsed(dump.dump());
  EXPECT_EQ(starts(of_21_08), starts(of_22_05));
  EXPECT_NE(find(of_21_08.notes, "start-by-end"), nullptr);
  EXPECT_EQ(find(of_22_05.notes, "start-by-end"), nullptr);

  dump = nlohmann::json::parse(read_text_file(dumps / "2405.json"));
  const Workload of_24_05 = parsed(dump.dump());
  for (auto& job : dump["jobs"]) {
    const nlohmann::json last = job["state"]["current"].back();
    job["state"]["current"] = last;
  }
  EXPECT_EQ(starts(parsed(dump.dump())), starts(of_24_05));
}

// Jobs that got other numbers keep the site's.
TEST(SacctReader, TheSitesOwnIdsAreKept) {
  const Workload read = parsed(
      "JobID|State|Submit|Start|End|AllocTRES\n7|COMPLETED|1|2|90|gres/gpu=1\n8|COMPLETED|95|95|99|gres/gpu=1\n");
  ASSERT_EQ(read.jobs.size(), 2U);
  EXPECT_EQ(read.jobs[0].id, -1);
  EXPECT_EQ(read.site_ids.at(read.jobs[0].site_id), "7");
  EXPECT_EQ(read.jobs[1].id, 8);
  EXPECT_EQ(read.site_ids.at(read.jobs[1].site_id), "");
}

TEST(SacctReader, RefusesWhatItCannotRead) {
  const auto begins = [](const std::string& text, const std::string& beginning) {
    const auto message = refusal(3, [&] { (void)parsed(text); });
    EXPECT_EQ(message.substr(0, beginning.size()), beginning) << message;
  };
  begins(read_text_file(dumps / "fixed-width.txt"), "t.psv:1: has columns of fixed width");
  begins("1|u|a\n", "t.psv:1: has no header line");
  begins("JobID\n1|u|a\n", "t.psv:1: has a header of one column");
  begins("JobID,State,Submit,Start,End,AllocTRES\n", "t.psv:1: has commas between the columns");
  begins("JobID|State|Submit|Start|End|JobName\n", "t.psv:1: lacks AllocTRES");
  begins("JobID|State|Submit|Start|End|AllocTRES\n1|COMPLETED|x|2|3|gres/gpu=1\n",
         "t.psv:2: Submit \"x\" is not a time");
  begins("JobID|JobName|State|Submit|Start|End|AllocTRES\n1|a|b|COMPLETED|1|2|3|gres/gpu=1\n",
         "t.psv:2: 8 fields where there are 7 columns");
  begins("JobID|State|Submit|Start|End|AllocTRES\n1|COMPLETED|1|2|1e13|gres/gpu=1\n",
         "t.psv:2: a time of 10000000000000 s");
  begins(
      "JobID|State|Submit|Start|End|AllocTRES\n1|COMPLETED|1|2|3|gres/gpu=99999999999,gres/gpu:a=9223372036854775807\n",
      "t.psv:2: a job of 1000000000 GPUs");
  begins("{\"jobs\": [{}]}", "t.psv: is no sacct --json");
  begins("JobID|State|Submit|Start|End|AllocTRES\n1|PENDING|1|Unknown|Unknown|\n", "t.psv: has no jobs");
}

// The row of a job's name counts before that of its user, and that before its account's; "*" is all others.
TEST(ClassTable, GoesByNameUserAndAccount) {
  const Workload workload = parsed(header +
                                   "1|u|a|p|COMPLETED|1|2|90||gres/gpu=1|x\n2|u|a|p|COMPLETED|1|2|90||gres/gpu=1|y\n"
                                   "3|v|a|p|COMPLETED|1|2|90||gres/gpu=1|y\n4|v|b|p|COMPLETED|1|2|90||gres/gpu=1|y\n");
  const auto with = [&](const std::string& rows) {
    Workload made = workload;
    const AssignedClasses assigned = assign_classes(made, CsvTable::parse("name,class\n" + rows, "c.csv"));
    std::string classes;
    for (const Job& job : made.jobs) classes += made.classes.at(job.cls.index());
    return std::tuple(classes, assigned.others, assigned.idle);
  };
  using Assigned = std::tuple<std::string, std::size_t, std::vector<std::string>>;
  EXPECT_EQ(with("a,M\nu,N\nx,O\n*,P\n"), Assigned("ONMP", 0, {}));
  EXPECT_EQ(std::get<1>(with("x,O\n")), 3U);
  EXPECT_EQ(std::get<2>(with("x*,O\n*,P\n")), (std::vector<std::string>{"x*"}));
  for (const char* wrong : {"x,\n", ",A\n", "x,A\nx,B\n"}) {
    EXPECT_NE(refusal(3, [&] { (void)with(wrong); }).find("c.csv:"), std::string::npos) << wrong;
  }
}

TEST(SiteFields, TimesHaveZonesOrNone) {
  const double noon = site_time("2026-09-01T12:00:00Z")->s;
  EXPECT_EQ(site_time("1788264000")->s, noon);
  EXPECT_EQ(site_time("2026-09-01T14:00:00+02:00")->s, noon);
  EXPECT_EQ(site_time("2026-09-01 06:30:00.5-0530")->s, noon + 0.5);
  EXPECT_TRUE(site_time("2026-09-01T12:00:00")->zoneless);
  EXPECT_FALSE(site_time("2026-09-01T12:00:00Z")->zoneless);
  for (const char* wrong : {"", "Unknown", "2026-09-01", "2026-09-01T12:00:00 CET", "-5", "16:18:46"}) {
    EXPECT_FALSE(site_time(wrong).has_value()) << wrong;
  }
}

TEST(SiteFields, LimitsAreSpansOrMinutes) {
  EXPECT_EQ(slurm_span_s("00:30:00"), 1800);
  EXPECT_EQ(slurm_span_s("125-00:00:01"), 125 * 86400.0 + 1);
  EXPECT_EQ(slurm_span_s("90"), 5400);
  for (const char* none : {"", "99999999999999999999", "UNLIMITED", "Partition_Limit", "1:2", "x-00:00:00"}) {
    EXPECT_FALSE(slurm_span_s(none).has_value()) << none;
  }
}

TEST(SiteFields, GpusAreTheTotalOrTheSumOfTheTypes) {
  EXPECT_EQ(slurm_gpus("billing=8,cpu=8,gres/gpu=4,mem=64G,node=1").whole, 4);
  EXPECT_EQ(slurm_gpus("gres/gpu:a100=2,gres/gpu=2,gres/gpumem=5,gres/gpuutil=9").whole, 2);
  EXPECT_EQ(slurm_gpus("gres/gpu:a100=2,gres/gpu:v100=1").whole, 3);
  EXPECT_EQ(slurm_gpus("gpu:2").whole, 2);
  EXPECT_EQ(slurm_gpus("gpu:a100:2").whole, 2);
  EXPECT_EQ(slurm_gpus("billing=8,cpu=8").whole, 0);
  EXPECT_TRUE(slurm_gpus("gres/gpu:1g.10gb=2").shares);
  EXPECT_TRUE(slurm_gpus("gres/shard=2").shares);
  EXPECT_EQ(slurm_gpus("gres/gpu:1g.10gb=2").whole, 0);
}

}  // namespace
}  // namespace palstudy
