// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "message_of.hpp"
#include "parallel/mpi.hpp"
#include "parallel/without_launcher.hpp"

namespace palstudy {
namespace {

using LauncherTest = WithoutLauncher;

// Without a launcher MPI must not start: a login node may forbid it.
TEST_F(LauncherTest, AnEmptyEnvironmentHasNoLauncher) {
  EXPECT_FALSE(started_by_launcher());
  EXPECT_TRUE(speaks_for_all());
}

TEST_F(LauncherTest, KnowsOpenMpiPmixAndPmi) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    setenv(name, "3", 1);
    EXPECT_TRUE(started_by_launcher()) << name;
    EXPECT_FALSE(speaks_for_all()) << name;
    setenv(name, "0", 1);
    EXPECT_TRUE(started_by_launcher()) << name;
    EXPECT_TRUE(speaks_for_all()) << name;
    unsetenv(name);
  }
}

// The batch script of sbatch has SLURM_PROCID = 0 and SLURM_NTASKS but is no MPI rank, nor is `srun -n 1`.
TEST_F(LauncherTest, AnAllocationAloneIsNoLauncher) {
  setenv("SLURM_PROCID", "0", 1);
  EXPECT_FALSE(started_by_launcher());
  setenv("SLURM_STEP_ID", "0", 1);
  setenv("SLURM_STEP_NUM_TASKS", "1", 1);
  EXPECT_FALSE(started_by_launcher());
}

// `srun -n 4` without an MPI plugin would start four whole campaigns on one output: refused, and one of them says so.
TEST_F(LauncherTest, RefusesTasksWithoutACommonMpi) {
  setenv("SLURM_STEP_ID", "0", 1);
  setenv("SLURM_STEP_NUM_TASKS", "4", 1);
  EXPECT_TRUE(speaks_for_all());
  setenv("SLURM_PROCID", "2", 1);
  EXPECT_FALSE(speaks_for_all());
  EXPECT_NE(message_of(ErrorCode::usage, [&] { (void)started_by_launcher(); }).find("pmix"), std::string::npos);
}

}  // namespace
}  // namespace palstudy
