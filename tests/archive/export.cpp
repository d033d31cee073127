// SPDX-License-Identifier: MIT
#include "archive/export.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "archive/archive_runs.hpp"
#include "archive/reader.hpp"
#include "archive/write_archive.hpp"
#include "core/csv.hpp"
#include "core/error.hpp"
#include "message_of.hpp"

namespace palstudy::test {
namespace {

struct Exported {
  TempDir dir;
  std::unique_ptr<ArchiveReader> archive;
  Exported() {
    write_archive(dir.path() / "a.h5", three_runs(), {}, {});
    archive = std::make_unique<ArchiveReader>(dir.path() / "a.h5");
  }
  std::string csv(TableId id, std::int64_t run = -1) const { return export_table(*archive, id, run, false); }
  nlohmann::json json(TableId id, std::int64_t run = -1) const {
    return nlohmann::json::parse(export_table(*archive, id, run, true));
  }
};

// SmallRun's events in the order time, kind, job (launch of job 70 on GPUs 0 and 1, of job 50 on 4; 70 finishes): jobs
// by the trace's id, no GPUs but of a launch, 360 and not 360.0.
TEST(ArchiveExport, EventsHaveTheColumnsOfTheContract) {
  const Exported exported;
  EXPECT_EQ(exported.csv(TableId::events, 1),
            "run,time_s,kind,job,gpus\n"
            "1,360,launch,70,0 1\n"
            "1,360,launch,50,4\n"
            "1,1000.125,finish,70,\n");
  const auto json = exported.json(TableId::events, 1);
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[0]["gpus"], (std::vector<int>{0, 1}));
  EXPECT_EQ(json[2]["gpus"], std::vector<int>{});
  EXPECT_EQ(json[2]["kind"], "finish");
}

TEST(ArchiveExport, RoundsAreWrittenInFull) {
  const Exported exported;
  EXPECT_EQ(exported.csv(TableId::rounds, 0),
            "run,time_s,queued,running,free_gpus,demand_gpus\n0,0,2,0,6,3\n0,360,1,2,3,11\n");
}

// Axes by their key, values as in the study, doubles that read back as they were.
TEST(ArchiveExport, RunsHaveTheirAxesAndMetrics) {
  const Exported exported;
  const auto table = CsvTable::parse(exported.csv(TableId::runs), "runs.csv");
  ASSERT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.text(1, table.column("policy.placement")), "pal");
  EXPECT_EQ(table.text(1, table.column("engine.round_s")), "360");
  EXPECT_EQ(table.text(1, table.column("workload.seed")), "-5");
  EXPECT_EQ(table.text(1, table.column("status")), "done");
  EXPECT_EQ(table.text(1, table.column("digest")).size(), 64U);
  EXPECT_EQ(table.number(2, table.column("jct_mean_s")), 1e9 + 0.1 - 10);
  EXPECT_EQ(table.text(0, table.column("makespan_s")), "nan");
}

// A spreadsheet would compute a name that begins like a formula, so an apostrophe goes before it; not before numbers,
// nor in JSON.
TEST(ArchiveExport, NoNameIsAFormula) {
  const TempDir dir;
  std::vector<RunRecord> records;
  const std::vector<std::string> names = {"=1+1", "+x", "-x", "@x", "a=b", "-5", "+.5e3", "-", "=a,b"};
  for (const std::string& name : names) records.push_back(MeasuredRun(std::int64_t(records.size()), name).record());
  write_archive(dir.path() / "a.h5", records, {}, {});
  const ArchiveReader archive(dir.path() / "a.h5");
  const auto table = CsvTable::parse(export_table(archive, TableId::runs, -1, false), "runs.csv");
  std::vector<std::string> written;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    written.emplace_back(table.text(row, table.column("policy.placement")));
  }
  EXPECT_EQ(written, (std::vector<std::string>{"'=1+1", "'+x", "'-x", "'@x", "a=b", "-5", "+.5e3", "'-", "'=a,b"}));
  const auto json = nlohmann::json::parse(export_table(archive, TableId::runs, -1, true));
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(json[i]["policy.placement"], names[i]);
}

// NaN is null in JSON, text is text, and one run can be picked.
TEST(ArchiveExport, JobsAsJson) {
  const Exported exported;
  const auto all = exported.json(TableId::jobs);
  EXPECT_EQ(all.size(), 9U);
  const auto jobs = exported.json(TableId::jobs, 2);
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0]["run"], 2);
  EXPECT_EQ(jobs[0]["job"], 70);
  EXPECT_EQ(jobs[0]["finish_s"].get<double>(), 1e9 + 0.1);
  EXPECT_TRUE(jobs[1]["finish_s"].is_null());
  EXPECT_EQ(jobs[1]["class"], "B");
}

TEST(ArchiveExport, ARunThatIsNotThereIsAUsageError) {
  const Exported exported;
  EXPECT_EQ(message_of(ErrorCode::usage, [&] { static_cast<void>(exported.csv(TableId::jobs, 17)); }),
            "--run: the archive has no run 17\n  its runs are 0 to 2; palstudy export --table runs lists them");
}

// A launch whose GPUs lie beyond the five of /events/gpu is damage, not read; all five are the most that there can be.
TEST(ArchiveExport, EventsBeyondTheGpusAreRefused) {
  const auto exported = [](std::int64_t begin, std::int64_t count) {
    RunRecord record = MeasuredRun(0).record();
    for (std::size_t c = 0; c < record.events.columns.size(); ++c) {
      const std::string& name = record.events.columns[c].name;
      auto* integers = std::get_if<std::vector<std::int64_t>>(&record.events.values[c]);
      if (name == "gpu_begin") integers->at(0) = begin;
      if (name == "gpu_count") integers->at(0) = count;
    }
    const TempDir dir;
    write_archive(dir.path() / "a.h5", {record}, {}, {});
    return export_table(ArchiveReader(dir.path() / "a.h5"), TableId::events, -1, false);
  };
  EXPECT_NE(exported(0, 5).find("0,360,launch,70,0 1 4 0 1\n"), std::string::npos);
  EXPECT_THROW((void)exported(0, 6), Error);
  EXPECT_THROW((void)exported(1, 5), Error);
  EXPECT_THROW((void)exported(-1, 1), Error);
}

// Every table of rows of its own can be exported; the GPUs of events come with these, and provenance does not.
TEST(ArchiveExport, TheTablesAreThoseOfTheSchema) {
  EXPECT_EQ(exported_tables(), (std::vector<std::string>{"runs", "jobs", "events", "rounds", "nodes", "delays",
                                                         "failures", "power", "solves", "notes"}));
}

// Notes have their values as an object, which CSV keeps as JSON; without any there is a header alone.
TEST(ArchiveExport, NotesHaveTheirValues) {
  EXPECT_EQ(export_notes(*Exported().archive, false), "id,severity,subject,values,text\n");
  EXPECT_EQ(export_notes(*Exported().archive, true), "[\n]\n");
  const TempDir dir;
  Provenance from;
  from.notes = {
      {{"donors", Severity::info, "-m", {{"gpus", 3}, {"share", 0.5}, {"of", ValueList{"a"}}}}, "three, GPUs"}};
  write_archive(dir.path() / "a.h5", three_runs(), {}, from);
  const ArchiveReader archive(dir.path() / "a.h5");
  EXPECT_EQ(export_notes(archive, false),
            "id,severity,subject,values,text\n"
            "donors,info,'-m,\"{\"\"gpus\"\":3,\"\"share\"\":0.5,\"\"of\"\":[\"\"a\"\"]}\",\"three, GPUs\"\n");
  EXPECT_EQ(export_notes(archive, true),
            "[\n{\"id\":\"donors\",\"severity\":\"info\",\"subject\":\"-m\",\"values\":"
            "{\"gpus\":3,\"share\":0.5,\"of\":[\"a\"]},\"text\":\"three, GPUs\"}\n]\n");
}

// An array with an object a line, so that lines can be taken out; reals have a point.
TEST(ArchiveExport, JsonHasARowALine) {
  const Exported exported;
  EXPECT_EQ(export_table(*exported.archive, TableId::rounds, 1, true),
            "[\n"
            "{\"run\":1,\"time_s\":0.0,\"queued\":2,\"running\":0,\"free_gpus\":6,\"demand_gpus\":3},\n"
            "{\"run\":1,\"time_s\":360.0,\"queued\":1,\"running\":2,\"free_gpus\":3,\"demand_gpus\":11}\n"
            "]\n");
}

// A text with commas and quotes reads back as it was; bytes that are no UTF-8 are the sign for that in JSON.
TEST(ArchiveExport, TextsOfAnyKindAreExported) {
  const TempDir dir;
  write_archive(dir.path() / "a.h5", {MeasuredRun(0, "a, \"b\"").record(), MeasuredRun(1, "\xff").record()}, {}, {});
  const ArchiveReader archive(dir.path() / "a.h5");
  const auto table = CsvTable::parse(export_table(archive, TableId::runs, 0, false), "runs.csv");
  EXPECT_EQ(table.text(0, table.column("policy.placement")), "a, \"b\"");
  const auto json = nlohmann::json::parse(export_table(archive, TableId::runs, -1, true));
  EXPECT_EQ(json.at(0).at("policy.placement"), "a, \"b\"");
  EXPECT_EQ(json.at(1).at("policy.placement"), "\xef\xbf\xbd");
}

}  // namespace
}  // namespace palstudy::test
