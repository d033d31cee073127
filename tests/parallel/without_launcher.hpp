// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: unsetenv is POSIX

namespace palstudy {

/// An environment that knows of no launcher, wherever the tests are run.
class WithoutLauncher : public ::testing::Test {
 protected:
  WithoutLauncher() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                             "SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}) {
      unsetenv(name);
    }
  }
};

}  // namespace palstudy
