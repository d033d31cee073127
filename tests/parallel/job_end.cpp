// SPDX-License-Identifier: MIT
// The time limit that a campaign gives itself inside a Slurm job.
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>

#include "parallel/slurm_job.hpp"
#include "with_environment.hpp"

namespace palstudy {
namespace {

// The forms of squeue's %L, added up by hand; what is no time is no limit.
TEST(JobEnd, ReadsWhatIsLeft) {
  const std::map<std::string, std::optional<double>> expected = {{"0:00", 0},
                                                                 {"1:05", 65},
                                                                 {"59:59", 3599},
                                                                 {"1:00:00", 3600},
                                                                 {"2-00:00:01", 172801},
                                                                 {"1-02:03:04", 93784},
                                                                 {"UNLIMITED", std::nullopt},
                                                                 {"INVALID", std::nullopt},
                                                                 {"NOT_SET", std::nullopt},
                                                                 {"", std::nullopt},
                                                                 {"1:2:3:4", std::nullopt},
                                                                 {"-5", std::nullopt},
                                                                 {"1:-1", std::nullopt}};
  for (const auto& [text, left] : expected) EXPECT_EQ(parse_time_left(text), left) << text;
}

// A tenth, at least 10 s, at most 120 s; and a job that has hardly anything left still has half of it.
TEST(JobEnd, LeavesAMargin) {
  EXPECT_DOUBLE_EQ(limit_before_job_end(600), 540);
  EXPECT_DOUBLE_EQ(limit_before_job_end(60), 50);
  EXPECT_DOUBLE_EQ(limit_before_job_end(86400), 86280);
  EXPECT_DOUBLE_EQ(limit_before_job_end(12), 6);
  EXPECT_DOUBLE_EQ(limit_before_job_end(0), 0);
  EXPECT_DOUBLE_EQ(limit_before_job_end(600, 30), 540) << "a tenth is more";
  EXPECT_DOUBLE_EQ(limit_before_job_end(600, 100), 500) << "a tenth is less";
  EXPECT_DOUBLE_EQ(limit_before_job_end(600, 400), 300) << "never less than half";
}

class JobEndAsked : public ::testing::Test {
 protected:
  JobEndAsked() {
    std::string name = (std::filesystem::temp_directory_path() / "palstudy-test-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    dir = name;
  }
  ~JobEndAsked() override {
    std::error_code ignored;
    std::filesystem::remove_all(dir, ignored);
  }
  // A squeue that answers so, if it is asked for the time left of job 31_4 in the words of the manual.
  void squeue_says(const std::string& answer) const {
    std::ofstream(dir / "squeue") << "#!/bin/sh\n[ \"$*\" = '-h -j 31_4 -o %L' ] && echo '" << answer << "'\n";
    std::filesystem::permissions(dir / "squeue", std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::optional<double> limit() {
    int argc = 0;
    char** argv = nullptr;
    Mpi mpi(argc, argv);
    return time_limit_of_job(mpi);
  }
  std::filesystem::path dir;
  WithEnvironment none_{{"SLURM_JOB_ID", ""}, {"SLURM_ARRAY_JOB_ID", ""}, {"SLURM_JOB_END_TIME", ""}};
};

TEST_F(JobEndAsked, OutsideOfAJobThereIsNoLimit) { EXPECT_FALSE(limit()); }

TEST_F(JobEndAsked, SqueueIsAsked) {
  const std::string path = dir.string() + ":" + getenv("PATH");
  const WithEnvironment job{{"PATH", path},
                            {"SLURM_JOB_ID", "35"},
                            {"SLURM_ARRAY_JOB_ID", "31"},
                            {"SLURM_ARRAY_TASK_ID", "4"},
                            {"SLURM_JOB_END_TIME", "1"}};
  squeue_says("10:00");
  EXPECT_EQ(limit(), 540);
  squeue_says("UNLIMITED");
  EXPECT_FALSE(limit());
}

// Without a squeue the variable is all there is: an end 1000 s from now leaves 900 s, or a second less if the clock
// moves on meanwhile.
TEST_F(JobEndAsked, ElseTheVariableIsRead) {
  const WithEnvironment job{{"PATH", dir.string()},
                            {"SLURM_JOB_ID", "35"},
                            {"SLURM_JOB_END_TIME", std::to_string(std::time(nullptr) + 1000)}};
  const auto left = limit();
  ASSERT_TRUE(left);
  EXPECT_LE(*left, 900);
  EXPECT_GE(*left, 800);
}

}  // namespace
}  // namespace palstudy
