// SPDX-License-Identifier: MIT
// The study that `palstudy validate` and `advise` write from the files of a site (campaign/site_study.hpp).
#include "campaign/site/site_study.hpp"

#include <set>
#include <string>
#include <vector>

#include "campaign/scratch.hpp"
#include "campaign/site/replay_of_site.hpp"
#include "core/files.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

class SiteStudy : public Scratch {
 protected:
  SiteStudy() {
    write_jobs("jobs.psv");
    std::string times = "session,host,gpu,time_ms\n";
    for (int gpu = 0; gpu < 16; ++gpu) {
      for (const char* session : {"mon", "thu"}) {
        times += fmt::format("{},n{},{},{}\n", session, gpu / 4 + 1, gpu % 4, gpu == 5 ? 130 : 100 + gpu % 3);
      }
    }
    write("bench.csv", times);
  }
  /// As sacct prints them: a job of a node each hour, which starts at once and runs for half an hour.
  void write_jobs(const char* name) const {
    std::string log = "JobIDRaw|User|Account|Partition|State|Submit|Start|End|TimelimitRaw|AllocTRES|JobName\n";
    for (int job = 0; job < 60; ++job) {
      const int submit = 1788220800 + 3600 * job;
      log += fmt::format("{0}|u{1}|lab|gpu|COMPLETED|{2}|{2}|{3}|60|gres/gpu=4|train\n", job + 1, job % 3, submit,
                         submit + 1800);
    }
    write(name, log);
  }
  [[nodiscard]] SiteFiles files() const { return {dir / "jobs.psv", dir / "bench.csv", {{4, 4}}, dir / "site.toml"}; }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(dir)) found.insert(entry.path().filename().string());
    return found;
  }
};

const std::set<std::string> given = {"bench.csv", "jobs.psv"};

TEST(NodesNamed, AreCountsTimesGpus) {
  const auto two = nodes_named("60x4,10x8");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].count, 60U);
  EXPECT_EQ(two[0].gpus, 4U);
  EXPECT_EQ(two[1].count, 10U);
  EXPECT_EQ(two[1].gpus, 8U);
  EXPECT_EQ(nodes_named("60x4").size(), 1U);
}

TEST(NodesNamed, AreNothingElse) {
  for (const char* text : {"", "60", "x4", "60x", "0x4", "60x0", "-1x4", "60x4x2", "60*4", "60x4,", ",60x4",
                           "60x4 10x8", "60.5x4", "60x99999999", "99999999999x4", "1e2x4"}) {
    expect_parts(message_of(ErrorCode::usage, [&] { (void)nodes_named(text); }), {"--nodes", "60x4"});
  }
}

// The study is one of the site's own nodes, and runs: its model makes the jobs wait as they did.
TEST_F(SiteStudy, Validates) {
  write_site_study(files(), "palstudy validate");
  EXPECT_EQ(names(), (std::set<std::string>{"bench.csv", "jobs.psv", "site.toml", "site.profile.h5",
                                            "site.classes.toml", "site.class-of.csv"}));
  const Study study = read_study(dir / "site.toml", {});
  EXPECT_EQ(study.runs.at(0).cluster.source, "site");
  EXPECT_EQ(study.runs.at(0).policy.backfill, "slurm");
  Inputs inputs(study);
  (void)inputs.check();
  const Validation found = replay_of_site(study, inputs);
  EXPECT_EQ(found.verdict, SiteVerdict::accepted);
  EXPECT_GE(found.jobs, 58U);
  const auto loaded = inputs.load(study.runs.at(0));
  EXPECT_EQ(loaded.topology.gpus(), 16U);
  EXPECT_NEAR(loaded.truth.at(ClassId(0), GpuId(5)), 1.3, 0.02);
}

// A study elsewhere names the files from its own folder.
TEST_F(SiteStudy, NamesFilesFromItsFolder) {
  SiteFiles elsewhere = files();
  elsewhere.study = dir / "a" / "b" / "mine.toml";
  write_site_study(elsewhere, "palstudy validate");
  const Study study = read_study(elsewhere.study, {});
  Inputs inputs(study);
  (void)inputs.check();
  EXPECT_EQ(names(), (std::set<std::string>{"a", "bench.csv", "jobs.psv"}));
}

// No file is replaced, whichever of them is there, and then none is written.
TEST_F(SiteStudy, ReplacesNoFile) {
  for (const char* name : {"site.toml", "site.classes.toml", "site.class-of.csv", "site.profile.h5"}) {
    write(name, "old");
    EXPECT_NE(message_of([&] { write_site_study(files(), "palstudy validate"); }), "") << name;
    EXPECT_EQ(read_text_file(dir / name), "old");
    fs::remove(dir / name);
    EXPECT_EQ(names(), given) << name;
  }
}

// What cannot be read leaves nothing behind.
TEST_F(SiteStudy, LeavesNothingOfFilesThatCannotBeRead) {
  write("bench.csv", "host,gpu,time_ms\nn1,0,fast\n");
  EXPECT_NE(message_of(ErrorCode::data, [&] { write_site_study(files(), "palstudy validate"); }), "");
  EXPECT_EQ(names(), given);
  write("jobs.psv", "no,format\nthat,is known\n");
  EXPECT_NE(message_of(ErrorCode::data, [&] { write_site_study(files(), "palstudy validate"); }), "");
  EXPECT_EQ(names(), given);
}

}  // namespace
}  // namespace palstudy
