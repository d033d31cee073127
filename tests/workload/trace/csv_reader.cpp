// SPDX-License-Identifier: MIT
// Any table of jobs, by columns that the study names: made-up tables with what is in them beside (csv/README.md), and
// traps by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/files.hpp"
#include "core/numbers.hpp"
#include "workload/models.hpp"
#include "workload/trace/left_records.hpp"
#include "workload/trace/recorded_span.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using testing_workload::refusal;
using testing_workload::three_models;

const std::filesystem::path tables = PALSTUDY_SOURCE_DIR "/tests/workload/trace/csv";

TraceColumns named(std::map<std::string, std::string> by_role) { return {.by_role = std::move(by_role)}; }

Workload parsed(const std::string& text, const TraceColumns& columns) {
  return parse_trace(text, "t.csv", "csv", {three_models(), 1, columns});
}

const TraceColumns zones = named({{"job", "id"},
                                  {"submit", "submission_time"},
                                  {"start", "start_time"},
                                  {"end", "end_time"},
                                  {"gpus", "gpu_num"},
                                  {"tenant", "team"},
                                  {"user", "owner"},
                                  {"estimate", "limit_min"}});

double gpu_hours(const Workload& workload) {
  double sum = 0;
  for (const Job& job : workload.jobs) sum += job.gpus * job.ideal_s() / 3600;
  return sum;
}

std::int64_t gpus_of(const Workload& workload) {
  std::int64_t sum = 0;
  for (const Job& job : workload.jobs) sum += job.gpus;
  return sum;
}

// Zones, fractions of seconds and a change of clocks, text ids, and a column of durations that holds the queue too and
// is not named.
TEST(CsvReader, TimesWithZonesAreOnesOfOneClock) {
  const auto expected = nlohmann::json::parse(read_text_file(tables / "zones.csv.expected.json"));
  TraceColumns columns = zones;
  columns.estimate_s = minute_s;
  const Workload read = read_trace(tables / "zones.csv", "csv", {three_models(), 1, columns});
  EXPECT_EQ(read.jobs.size(), expected.at("jobs_kept"));
  EXPECT_EQ(gpus_of(read), expected.at("gpus_total"));
  EXPECT_NEAR(gpu_hours(read), expected.at("gpu_hours"), expected.at("gpu_hours_tolerance"));
  const Note* const left = find(read.notes, "left-records");
  ASSERT_NE(left, nullptr);
  std::map<std::string, std::size_t> reasons;
  for (const Value& one : (*left)["reasons"].list()) reasons[one["reason"].name()] = one["records"].count();
  EXPECT_EQ(reasons, (std::map<std::string, std::size_t>{
                         {"end before they start", 3}, {"never started", 6}, {"want no GPU", 8}}));
  EXPECT_EQ((*left)["of"].count(), 220U);
  EXPECT_EQ(read.jobs.front().submit_s, 1774569722.449) << "2026-03-27T00:02:02.449Z";
  EXPECT_EQ(read.jobs.front().estimate_s, 3600);
  EXPECT_EQ(read.site_ids.at(read.jobs.front().site_id), "job-0000");
  EXPECT_NE(find(read.notes, "row-ids"), nullptr);
  EXPECT_EQ(find(read.notes, "zoneless"), nullptr);
}

// GPUs are a product of columns, and a duration takes the place of start and end.
TEST(CsvReader, GpusMayBeAProduct) {
  const auto expected = nlohmann::json::parse(read_text_file(tables / "workers.csv.expected.json"));
  const TraceColumns columns = named({{"job", "run"},
                                      {"submit", "asked_at"},
                                      {"duration", "seconds"},
                                      {"gpus", "gpus_each * workers"},
                                      {"tenant", "group"}});
  const Workload read = read_trace(tables / "workers.csv", "csv", {three_models(), 1, columns});
  EXPECT_EQ(read.jobs.size(), expected.at("jobs_kept"));
  EXPECT_EQ(gpus_of(read), expected.at("gpus_total"));
  EXPECT_NEAR(gpu_hours(read), expected.at("gpu_hours"), 1e-5);
  EXPECT_EQ(read.jobs.back().submit_s, expected.at("last_submit_s"));
  EXPECT_EQ(read.jobs.front().id, 7000) << "ids that are whole numbers are kept";
  EXPECT_TRUE(read.site_ids.empty());
  EXPECT_TRUE(read.users.empty());
}

TEST(CsvReader, SharesOfAGpuAreRefusedByTheirLines) {
  const TraceColumns columns =
      named({{"job", "pod"}, {"submit", "created"}, {"start", "scheduled"}, {"end", "deleted"}, {"gpus", "gpus"}});
  const std::string message = refusal(3, [&] {
    (void)read_trace(tables / "shares.csv", "csv", {three_models(), 1, columns});
  });
  EXPECT_NE(message.find("shares.csv:3:8"), std::string::npos) << message;
  EXPECT_NE(message.find("line 3, 5"), std::string::npos) << message;
}

// Two workers with half a GPU each are no whole GPU, though the product is.
TEST(CsvReader, SharesAreThoseOfEachFactor) {
  const TraceColumns columns = named({{"submit", "s"}, {"duration", "d"}, {"gpus", "g * w"}});
  EXPECT_NE(refusal(3, [&] { (void)parsed("s,d,g,w\n0,60,0.5,2\n", columns); }).find("t.csv:2:6"), std::string::npos);
  EXPECT_EQ(parsed("s,d,g,w\n0,60,4.0,2\n", columns).jobs.at(0).gpus, 8U);
}

// Tables of other programs have semicolons or tabs between their columns; a decimal comma is no number, by its place.
TEST(CsvReader, ColumnsStandApartAsInTheHeader) {
  const TraceColumns columns = named({{"submit", "s"}, {"start", "b"}, {"end", "e"}, {"gpus", "g"}});
  for (const char* text : {"s;b;e;g\n0;1.5;3;2\n", "s\tb\te\tg\n0\t1.5\t3\t2\n", "s|b|e|g\n0|1.5|3|2\n"}) {
    const Workload read = parsed(text, columns);
    ASSERT_EQ(read.jobs.size(), 1U) << text;
    EXPECT_EQ(read.jobs[0].ideal_s(), 1.5);
    EXPECT_EQ(read.jobs[0].gpus, 2U);
  }
  const auto refused = [&](const std::string& text) {
    const std::string message = refusal(3, [&] { (void)parsed(text, columns); });
    return message.substr(0, message.find(": "));
  };
  EXPECT_EQ(refused("s;b;e;g\n0;1,5;3;2\n"), "t.csv:2:3");
  EXPECT_EQ(refused("s;b;e;g\n0;1;3;2,0\n"), "t.csv:2:7");
  EXPECT_EQ(refused("s,b,e,g\n0,1,5,3,2\n"), "t.csv:2:9");
}

constexpr auto few_names = "s,b,e,g\n";
const TraceColumns few = named({{"submit", "s"}, {"start", "b"}, {"end", "e"}, {"gpus", "g"}});

// The start and the end are kept if the study names a column of starts; a duration alone says nothing of a wait.
TEST(CsvReader, RecordedTimesNeedAStart) {
  const Workload read = parsed(std::string(few_names) + "10,12,20,1\n11,11,15,1\n", few);
  EXPECT_EQ(span_of(recorded_times(read, read.jobs.at(0))), RecordedSpan(12, 20));
  EXPECT_EQ(span_of(recorded_times(read, read.jobs.at(1))), RecordedSpan(11, 15));
  EXPECT_EQ(read.zero_s, 0);
  const TraceColumns lasting = named({{"submit", "s"}, {"duration", "e"}, {"gpus", "g"}});
  EXPECT_TRUE(parsed(std::string(few_names) + "10,12,20,1\n", lasting).recorded.empty());
  TraceColumns both = few;
  both.by_role["duration"] = "g";
  const Workload by_duration = parsed(std::string(few_names) + "10,12,20,1\n", both);
  EXPECT_EQ(span_of(recorded_times(by_duration, by_duration.jobs.at(0))), RecordedSpan(12, 13));
}

// Units are those of numbers: dates and spans in words of hours have their own.
TEST(CsvReader, UnitsAreThoseOfNumbers) {
  TraceColumns columns = named({{"submit", "s"}, {"duration", "d"}, {"gpus", "g"}, {"estimate", "l"}});
  columns.time_s = minute_s;
  columns.estimate_s = 3600;
  const auto jobs = parsed("s,d,g,l\n2,3,1,4\n2.5,00:10:00,1,1-02:00:00\n3,1,1,UNLIMITED\n", columns).jobs;
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].submit_s, 120);
  EXPECT_EQ(jobs[0].ideal_s(), 180);
  EXPECT_EQ(jobs[0].estimate_s, 4 * 3600);
  EXPECT_EQ(jobs[1].submit_s, 150);
  EXPECT_EQ(jobs[1].ideal_s(), 600);
  EXPECT_EQ(jobs[1].estimate_s, 26 * 3600);
  EXPECT_EQ(jobs[2].estimate_s, 0) << "no estimate";
}

// A duration that is named is taken, whatever the end says; one that is not named is not looked at.
TEST(CsvReader, ADurationIsUsedIfItIsNamed) {
  const std::string text = "s,b,e,g,d\n0,10,40,1,500\n";
  EXPECT_EQ(parsed(text, few).jobs.at(0).ideal_s(), 30);
  TraceColumns columns = few;
  columns.by_role["duration"] = "d";
  EXPECT_EQ(parsed(text, columns).jobs.at(0).ideal_s(), 500);
}

TEST(CsvReader, WhatMakesNoJobIsCounted) {
  const Workload read = parsed(
      std::string(few_names) + "0,1,2,1\n0,,,1\n0,None,7,1\n0,5,NaN,1\n0,5,5,1\n0,5,4,1\n0,1,2,0\n0,1,2,\n3,2,9,1\n",
      few);
  EXPECT_EQ(read.jobs.size(), 1U);
  EXPECT_EQ(std::vector<Note>(read.notes.begin(), read.notes.begin() + 1),
            left_records(9, {{"end before they start", 1, 7},
                             {"never started", 2, 3},
                             {"ran for no time", 1, 6},
                             {"start before they are submitted", 1, 10},
                             {"still run", 1, 5},
                             {"want no GPU", 2, 8}}));
}

TEST(CsvReader, TimesWithoutAZoneAreNoted) {
  const Workload read =
      parsed(std::string(few_names) + "2026-09-01 12:00:00,2026-09-01T12:00:05,2026-09-01 12:01:00,2\n", few);
  EXPECT_NE(find(read.notes, "zoneless"), nullptr);
  EXPECT_EQ(read.jobs.at(0).ideal_s(), 55);
  const Note* const recorded = find(read.notes, "recorded-ends");
  ASSERT_NE(recorded, nullptr) << "the recorded time is taken as that at slowdown 1";
  EXPECT_TRUE((*recorded)["ends"].list().empty());
}

// A column of models or classes says what jobs are; a model of the table has its own time for an iteration.
TEST(CsvReader, ModelsAndClassesAreThoseOfTheirColumns) {
  TraceColumns columns = few;
  columns.by_role["model"] = "m";
  const Workload models = parsed("s,b,e,g,m\n0,0,179,1,BERT\n", columns);
  EXPECT_EQ(models.models, std::vector<std::string>{"BERT"});
  EXPECT_EQ(models.classes, std::vector<std::string>{three_models().models.at("BERT").cls});
  EXPECT_EQ(models.jobs.at(0).iteration_s, three_models().models.at("BERT").iteration_s);
  EXPECT_DOUBLE_EQ(models.jobs.at(0).ideal_s(), 179);
  EXPECT_NE(refusal(3, [&] { (void)parsed("s,b,e,g,m\n0,0,179,1,nobody\n", columns); }).find("t.csv:2"),
            std::string::npos);
  columns.by_role["class"] = "c";
  const Workload both = parsed("s,b,e,g,m,c\n0,0,179,1,nobody,Q\n", columns);
  EXPECT_EQ(both.classes, std::vector<std::string>{"Q"});
  EXPECT_EQ(both.jobs.at(0).iteration_s, 1);
  EXPECT_NE(refusal(3, [&] { (void)parsed("s,b,e,g,m,c\n0,0,179,1,,\n", columns); }).find("t.csv:2"),
            std::string::npos);
}

// The place is that of the field that is wrong.
TEST(CsvReader, BadFieldsAreRefusedByPlace) {
  const auto refused = [&](const std::string& row, const TraceColumns& columns = few) {
    const std::string message = refusal(3, [&] { (void)parsed(std::string(few_names) + row, columns); });
    return message.substr(0, message.find(": "));
  };
  EXPECT_EQ(refused("soon,1,2,1\n"), "t.csv:2:1");
  EXPECT_EQ(refused("0,1,2,one\n"), "t.csv:2:7");
  EXPECT_EQ(refused(",1,2,1\n"), "t.csv:2");
  EXPECT_EQ(refused("0,1,2,-1\n"), "t.csv:2:7");
  TraceColumns other = few;
  other.by_role["end"] = "x";
  EXPECT_EQ(refused("0,1,2,1\n", other), "t.csv:1");
  TraceColumns lacking = few;
  lacking.by_role.erase("end");
  EXPECT_EQ(refused("0,1,2,1\n", lacking), "t.csv");
}

}  // namespace
}  // namespace palstudy
