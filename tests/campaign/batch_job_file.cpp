// SPDX-License-Identifier: MIT
// Who worked on a campaign and for how long, from the files beside the shards.
#include "campaign/batch_job_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "campaign/campaign.hpp"
#include "campaign/scratch.hpp"
#include "core/files.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "parallel/binding.hpp"
#include "shard/run_frame.hpp"
#include "verified.hpp"
#include "with_environment.hpp"

namespace palstudy {
namespace {

class BatchJobs : public Scratch {
 protected:
  static void changed_at(const std::filesystem::path& file, time_t unix_s) {
    const timespec times[2] = {{unix_s, 0}, {unix_s, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  static BatchJob job_from(double start_s, const std::string& id) {
    BatchJob job;
    job.job = id;
    job.launcher = "srun";
    job.nodes = 2;
    job.ranks = 8;
    job.cores = 16;
    job.start_s = start_s;
    return job;
  }
};

// Two starts, the later one first in the folder; the earlier one was killed, and the last that it wrote was its second
// shard, an hour after its start: 16 core-hours. A shard of the other start is not its sign of life.
TEST_F(BatchJobs, AKilledStartEndsWithItsLastShard) {
  BatchJobFile(dir, "b", job_from(10000, "7"));
  BatchJobFile(dir, "a", job_from(20000, "8_1")).end();
  changed_at(dir / "b.job.json", 10001);
  changed_at(write("b-0.shard", ""), 10100);
  changed_at(write("b-1.shard", ""), 13600);
  changed_at(write("a-0.shard", ""), 30000);
  const auto jobs = read_batch_jobs(dir);
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].job, "7");
  EXPECT_DOUBLE_EQ(jobs[0].core_hours(), 16);
  EXPECT_EQ(jobs[1].job, "8_1");
  EXPECT_EQ(jobs[1].launcher, "srun");
  EXPECT_EQ(jobs[1].nodes, 2);
  EXPECT_EQ(jobs[1].ranks, 8);
  EXPECT_GT(jobs[1].end_s, 1.7e9);  // now
}

// What a start has written of itself is read again, processors of its ranks included; where the clock went backwards
// meanwhile it worked for no time, rather than for less.
TEST_F(BatchJobs, AreReadAsTheyWereWritten) {
  BatchJob job = job_from(4e9, "12_3");  // in 2096
  job.binding = "n1: 0-3 | 4-7";
  BatchJobFile(dir, "late", job).end();
  const auto jobs = read_batch_jobs(dir);
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].job, "12_3");
  EXPECT_EQ(jobs[0].cores, 16);
  EXPECT_EQ(jobs[0].binding, "n1: 0-3 | 4-7");
  EXPECT_EQ(jobs[0].start_s, 4e9);
  EXPECT_EQ(jobs[0].core_hours(), 0);
}

// What is damaged, or from elsewhere, costs its row and nothing else.
TEST_F(BatchJobs, DamagedFilesAreSkipped) {
  BatchJobFile(dir, "good", job_from(10000, "")).end();
  write("torn.job.json", "{\"format\": \"palstudy-host");
  write("other.job.json", "{\"format\": \"palstudy-host-job-1\", \"job\": 3}");
  EXPECT_EQ(read_batch_jobs(dir).size(), 1u);
}

// A process of its own, with or without Slurm around it. Slurm's processors count, for they are what is charged.
TEST_F(BatchJobs, IsDescribedByTheEnvironment) {
  int argc = 0;
  char** argv = nullptr;
  Mpi mpi(argc, argv);
  const WithEnvironment outside{{"SLURM_JOB_ID", ""}, {"SLURM_ARRAY_JOB_ID", ""}, {"SLURM_STEP_ID", ""}};
  const BatchJob alone = this_batch_job(mpi);
  EXPECT_EQ(alone.job, "");
  EXPECT_EQ(alone.launcher, "");
  EXPECT_EQ(alone.nodes, 1);
  EXPECT_EQ(alone.cores, 1);
  EXPECT_GT(alone.start_s, 1.7e9) << "core-hours count from now on";
  EXPECT_EQ(alone.binding, binding_text(gather_bindings(mpi)));
  const WithEnvironment inside{
      {"SLURM_JOB_ID", "9"}, {"SLURM_JOB_NUM_NODES", "2"}, {"SLURM_JOB_CPUS_PER_NODE", "64(x2)"}};
  const BatchJob job = this_batch_job(mpi);
  EXPECT_EQ(job.job, "9");
  EXPECT_EQ(job.nodes, 2);
  EXPECT_EQ(job.cores, 128);
  EXPECT_EQ(job.ranks, 1);
}

// A campaign that does not fit into one go: two starts, two rows, in an archive that verifies. The first leaves its
// file beside the shards, the second ends with neither.
TEST_F(BatchJobs, EachStartOfACampaignHasARow) {
  const auto study = read_study(std::filesystem::path(PALSTUDY_SOURCE_DIR) / "experiments/sia-philly.toml",
                                {"workload.trace=../jobs/traces/sia-philly/continued/sia4.csv"});
  int argc = 0;
  char** argv = nullptr;
  Mpi mpi(argc, argv);
  CampaignOptions options;
  options.output = dir / "a.h5";
  options.resume = true;
  options.slice = Slice{1, 2};
  ASSERT_EQ(run_campaign(study, options, mpi), 0);
  options.slice.reset();
  ASSERT_EQ(run_campaign(study, options, mpi), 0);
  EXPECT_FALSE(std::filesystem::exists(parts_dir(options.output)));
  EXPECT_TRUE(verified_archive(options.output).empty());
  const ArchiveReader archive(options.output);
  for (const char* column : {"job", "launcher", "nodes", "ranks", "cores", "start", "end", "core_hours"}) {
    EXPECT_EQ(read_through(archive.file(), std::string("/provenance/jobs/") + column), 2u) << column;
  }
  EXPECT_EQ(read_attribute(archive.file(), "/provenance/jobs/core_hours", "units"), std::vector<std::string>{"h"});
}

// A file of another version is not taken for one of this, though all fields of this one are in it.
TEST_F(BatchJobs, OfAnotherFormatAreSkipped) {
  BatchJobFile(dir, "a", job_from(10000, "")).end();
  std::string text = read_text_file(dir / "a.job.json");
  const auto place = text.find("palstudy-host-job-1");
  ASSERT_NE(place, std::string::npos) << text;
  text.replace(place, 19, "palstudy-host-job-2");
  write("b.job.json", text);
  testing::internal::CaptureStdout();
  EXPECT_EQ(read_batch_jobs(dir).size(), 1u);
  expect_parts(testing::internal::GetCapturedStdout(), {"b.job.json: its core-hours are not counted: is not what"});
}

// That the end of a start cannot be written down costs its core-hours, which is said, and not what it has done.
TEST_F(BatchJobs, AnEndThatCannotBeWrittenIsOnlyToldOf) {
  const auto folder = dir / "gone";
  std::filesystem::create_directory(folder);
  BatchJobFile file(folder, "a", job_from(10000, ""));
  std::filesystem::remove_all(folder);
  testing::internal::CaptureStdout();
  EXPECT_NO_THROW(file.end());
  expect_parts(testing::internal::GetCapturedStdout(),
               {"core-hours: ", "a.job.json", "cannot create the file: No such file"});
}

}  // namespace
}  // namespace palstudy
