// SPDX-License-Identifier: MIT
#include "archive/batch_jobs.hpp"

#include <gtest/gtest.h>

#include "archive/archive_runs.hpp"
#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "message_of.hpp"

namespace palstudy::test {
namespace {

// Before anything is set, a job is of one process and has used nothing.
TEST(BatchJobs, BeginWithNoTime) {
  const BatchJob job;
  EXPECT_EQ(job.start_s, 0);
  EXPECT_EQ(job.end_s, 0);
  EXPECT_EQ(job.nodes, 1);
  EXPECT_EQ(job.ranks, 1);
  EXPECT_EQ(job.cores, 1);
  EXPECT_EQ((BatchJob{"", "", 1, 1, 3, 100, 7300}.core_hours()), 6);
}

// Second 1,700,000,000 of Unix time is 22:13:20 on 14 November 2023 in UTC; a part of a second is cut off there, and
// kept in the core-hours: 4 cores for 90.5 s.
TEST(BatchJobs, TimesAreStoredAsUtcToTheSecond) {
  const TempDir dir;
  const auto path = dir.path() / "f.h5";
  hdf5::make_file(path, [](hdf5::File& file) {
    write_batch_jobs(
        file, {{"12_3", "srun", 2, 8, 4, 1700000000.75, 1700000091.25, "n1: 0 | 1"}, {"", "", 1, 1, 1, 0, 0, ""}});
  });
  using Texts = std::vector<std::string>;
  const hdf5::File file = hdf5::File::open(path);
  const std::string group = "/provenance/jobs";
  EXPECT_EQ(read_texts(file, group + "/start"), (Texts{"2023-11-14T22:13:20Z", "1970-01-01T00:00:00Z"}));
  EXPECT_EQ(read_texts(file, group + "/end"), (Texts{"2023-11-14T22:14:51Z", "1970-01-01T00:00:00Z"}));
  EXPECT_EQ(read_reals(file, group + "/core_hours"), (std::vector<double>{4 * 90.5 / 3600, 0}));
  EXPECT_EQ(read_attribute(file, group, "columns"),
            (Texts{"job", "launcher", "nodes", "ranks", "cores", "start", "end", "core_hours", "binding"}));
  EXPECT_EQ(file.children(group).size(), 10U) << "and the scale that they share";
  EXPECT_TRUE(without_scale(file).empty());
  const auto jobs = archived_jobs(path);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].binding, "n1: 0 | 1");
  EXPECT_DOUBLE_EQ(jobs[0].end_s, 1700000090.5);
  EXPECT_EQ(jobs[1].binding, "");
}

// Where no job is known there is no table, not an empty one.
TEST(BatchJobs, NoneLeaveNoTable) {
  const TempDir dir;
  hdf5::make_file(dir.path() / "f.h5", [](hdf5::File& file) { write_batch_jobs(file, {}); });
  EXPECT_TRUE(hdf5::File::open(dir.path() / "f.h5").groups().empty());
  EXPECT_TRUE(archived_jobs(dir.path() / "f.h5").empty());
}

// Before 1.6 there were no bindings. A job of no cores has used none, and began when it ended; what is no time, or more
// than one, is damage.
TEST(BatchJobs, ThoseOfOlderProgramsAreRead) {
  const TempDir dir;
  const auto of_start = [&](const std::string& start, std::int64_t cores) {
    const auto path = dir.path() / "f.h5";
    hdf5::make_file(path, [&](hdf5::File& file) {
      const std::vector<std::string> starts = {start}, texts = {"7"};
      const std::vector<std::int64_t> numbers = {2}, of_cores = {cores};
      const std::vector<double> hours = {3};
      for (const char* name : {"job", "launcher"})
        write_dataset(file, batch_jobs_group + "/" + name, texts, {"1", "."});
      for (const char* name : {"nodes", "ranks"})
        write_dataset(file, batch_jobs_group + "/" + name, numbers, {"1", "."});
      write_dataset(file, batch_jobs_group + "/cores", of_cores, {"1", "."});
      write_dataset(file, batch_jobs_group + "/start", starts, {"1", "."});
      write_dataset(file, batch_jobs_group + "/core_hours", hours, {"h", "."});
    });
    return archived_jobs(path).at(0);
  };
  const BatchJob job = of_start("2023-11-14T22:13:20Z", 6);
  EXPECT_EQ(job.job, "7");
  EXPECT_EQ(job.start_s, 1700000000);
  EXPECT_EQ(job.end_s, 1700000000 + 1800) << "3 core-hours of 6 cores";
  EXPECT_EQ(job.binding, "");
  EXPECT_EQ(of_start("2023-11-14T22:13:20Z", 0).end_s, 1700000000);
  for (const std::string text : {"yesterday", "2023-11-14T22:13:20", "2023-11-14T22:13:20Z0", ""}) {
    EXPECT_EQ(message_of(ErrorCode::data, [&] { (void)of_start(text, 6); }),
              "/provenance/jobs/start: \"" + text +
                  "\" is no time\n  restore the archive from a copy or run the study again");
  }
}

}  // namespace
}  // namespace palstudy::test
