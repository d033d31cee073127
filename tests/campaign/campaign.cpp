// SPDX-License-Identifier: MIT
// What a start of the program leaves: an archive that says how it came to be, or nothing, or what the next one needs.
#include "campaign/campaign.hpp"

#include "analysis/comparison.hpp"
#include "analysis/looks_taken.hpp"
#include "archive/reader.hpp"
#include "campaign/campaign_status.hpp"
#include "campaign/interim_analysis.hpp"
#include "campaign/small_campaign.hpp"
#include "core/host.hpp"
#include "record/tables.hpp"
#include "shard/campaign_lock.hpp"
#include "shard/frame_format.hpp"
#include "words/looks_text.hpp"
#include "words/measured_text.hpp"

namespace palstudy {
namespace {

using namespace std::chrono_literals;

class Starts : public SmallCampaign {};

// All that an archive says of its origin is that of the campaign: study and folder, host, times, what was measured of
// which inputs.
TEST_F(Starts, AreDescribedByTheirArchive) {
  const Study two = study("study.name = \"small\"\nstudy.title = \"of three jobs\"\n");
  CampaignOptions how = options();
  how.command_line = "palstudy run study.toml";
  const std::string before = utc_now();
  run(two, how);
  const std::string after = utc_now();
  EXPECT_FALSE(std::filesystem::exists(parts));
  Inputs inputs(two);
  (void)inputs.check();
  const ArchiveReader archive(output);
  EXPECT_EQ(archive.table(TableId::runs).rows(), 2u);
  EXPECT_EQ(archive.resolved_study(), two.resolved);
  std::string sums;
  for (const auto& [path, sum] : inputs.sha256()) sums += (sums.empty() ? "" : "\n") + sum + "  " + path;
  const std::vector<std::pair<const char*, std::string>> expected = {
      {"command_line", how.command_line}, {"host", host_name()},   {"ranks", "1"},
      {"mpi_version", mpi_library()},     {"study.name", "small"}, {"study.title", "of three jobs"},
      {"study.folder", dir.string()},     {"input_sha256", sums},  {"looks", ""}};
  for (const auto& [name, value] : expected) EXPECT_EQ(archive.attribute(name), value) << name;
  EXPECT_TRUE(archive.value("measured_sets").known());
  EXPECT_EQ(archive.value("measured_sets"), values_of(inputs.measured()));
  EXPECT_LE(before, archive.attribute("start_utc"));
  EXPECT_LE(archive.attribute("start_utc"), archive.attribute("end_utc"));
  EXPECT_LE(archive.attribute("end_utc"), after);
}

// An archive that grows was made by both commands, in their order.
TEST_F(Starts, ThatGrowAnArchiveFollowThoseBefore) {
  CampaignOptions first = options(), second = resumed();
  first.command_line = "first";
  second.command_line = "second";
  run(study("axes.seed = [1]\n"), first);
  run(study("axes.seed = [1, 2]\n"), second);
  EXPECT_EQ(ArchiveReader(output).attribute("command_line"), "first\nsecond");
  EXPECT_EQ(ArchiveReader(output).table(TableId::runs).rows(), 4u);
}

// A campaign that was killed while it tidied up has left its archive, and beside it what was to go: the next start
// removes that and does nothing else.
TEST_F(Starts, TidyUpBesideAWholeArchive) {
  const Study two = study();
  run(two, options());
  const std::string archive = content(output);
  std::filesystem::create_directory(parts);
  write("out.h5.parts/study.toml", two.resolved);
  run(two, resumed());
  EXPECT_FALSE(std::filesystem::exists(parts));
  EXPECT_EQ(content(output), archive);
}

// Where there is no time at all no run is begun. That is told as an end that can be gone on from, and nothing is left.
TEST_F(Starts, WithoutTimeEndBeforeTheFirstRun) {
  CampaignOptions how = options();
  how.time_limit_s = 0;
  const std::string said = message_of(ErrorCode::stopped, [&] { run(study(), how); });
  EXPECT_EQ(said, output.string() + ": stopped after 0 runs\n  --resume goes on from there");
  EXPECT_FALSE(std::filesystem::exists(parts));
  EXPECT_FALSE(std::filesystem::exists(output));
}

// That another campaign is at work is told before there is advice about its shards, which are there because of it.
// Neither takes anything away.
TEST_F(Starts, BesideAnotherCampaignAreToldOfItFirst) {
  const Study two = study();
  run(two, options(Slice{1, 2}));
  ASSERT_EQ(shard_files(parts).size(), 1u);
  {
    const CampaignLock other = CampaignLock::begin(parts, 0ms);
    expect_parts(message_of(ErrorCode::data, [&] { run(two, options()); }), {"another campaign is at work here"});
  }
  expect_parts(message_of(ErrorCode::usage, [&] { run(two, options()); }),
               {"there are shards of an unfinished campaign", "out.h5.parts", "--resume goes on with it"});
  EXPECT_EQ(shard_files(parts).size(), 1u);
}

// The rule wants all comparisons within a thousandth, which chance does not give: after 20 seeds another one is added,
// and there the looks end. The archive holds all runs and says at how many seeds they were looked at, and why that was
// all.
TEST_F(Starts, WithARuleAddSeedsUntilTheLastLook) {
  const Study ruled =
      read(minimal + "cluster.gpus = 8\naxes.\"policy.placement\" = [\"random-sticky\", \"packed-sticky\"]\n" +
           "[stop]\nmetric = \"jct_mean_s\"\nrelative_half_width = 0.001\nlooks = [20, 21]\n");
  ASSERT_EQ(ruled.runs.size(), 42u);
  run(ruled, options());
  const ArchiveReader archive(output);
  EXPECT_EQ(archive.table(TableId::runs).rows(), 42u);
  EXPECT_EQ(archive.resolved_study(), part_of(ruled, 1).resolved);
  const LooksTaken looks = archived_looks(archive).value();
  EXPECT_EQ(looks.seeds, (std::vector<std::size_t>{20, 21}));
  EXPECT_EQ(looks.most_seeds, 21u);
  EXPECT_EQ(looks.metric, "jct_mean_s");
  EXPECT_EQ(looks.relative_half_width, 0.001);
  EXPECT_FALSE(looks.narrow);
  EXPECT_NE(looks.why.what, LookResult::none);
  const CampaignStatus status = campaign_status(output);
  EXPECT_TRUE(status.archived);
  EXPECT_EQ(status.look, looks_text(looks));
}

// The lines on measured jobs and load are the same of the inputs as of the archive and the study that it keeps: of all
// jobs of a trace, of some of them, of a window, and of two traces.
TEST_F(Starts, LeaveWhatIsSaidOfTheirJobs) {
  write("few.csv", trace.substr(0, trace.find("2,20")));
  const std::string policies = "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n",
                    two =
                        "workload.reader = \"native\"\ncluster.table = \"c.csv\"\ncluster.gpus = 8\n"
                        "axes.\"workload.trace\" = [\"jobs.csv\", \"few.csv\"]\n";
  for (const Study& of : {study(), study("measure.jobs = { first = 1, last = 2 }\n"),
                          study("measure = { warmup_s = 5, window_s = 60 }\n"), read(two + policies)}) {
    std::filesystem::remove(output);
    run(of, options());
    Inputs inputs(of);
    (void)inputs.check();
    const Comparison compared = compare(ArchiveReader(output), {});
    ASSERT_EQ(compared.measured.size(), inputs.measured().size());
    EXPECT_EQ(measured_line(compared.measured), measured_line(inputs.measured()));
    EXPECT_EQ(load_line(compared.measured), load_line(inputs.measured()));
  }
}

// How many failed, of how many, and what to do.
TEST_F(Starts, WithFailedRunsEndWithTheirNumber) {
  EXPECT_NO_THROW(require_no_failed("a.h5", 0, 3));
  EXPECT_EQ(message_of(ErrorCode::data, [] { require_no_failed("a.h5", 1, 1); }),
            "a.h5: 1 of 1 run failed; palstudy export --table runs lists them\n"
            "  palstudy run --resume --retry-failed tries them again");
}

}  // namespace
}  // namespace palstudy
