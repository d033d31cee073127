// SPDX-License-Identifier: MIT
#include "parallel/launcher.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

std::optional<long long> number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? std::nullopt : parse_integer(text);
}

std::optional<long long> launched_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const auto rank = number_of(variable)) return rank;
  }
  return std::nullopt;
}

}  // namespace

bool speaks_for_all() {
  if (const auto rank = launched_rank()) return *rank == 0;
  return std::getenv("SLURM_STEP_ID") == nullptr || number_of("SLURM_PROCID").value_or(0) == 0;
}

std::string launcher_name() {
  if (std::getenv("OMPI_COMM_WORLD_RANK") != nullptr) return "mpirun";
  if (std::getenv("SLURM_STEP_ID") != nullptr) return "srun";
  return started_by_launcher() ? "mpiexec" : "";
}

bool started_by_launcher() {
  if (launched_rank()) return true;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr) return true;
  // A step of srun has SLURM_STEP_ID, the batch script of sbatch has not.
  const auto tasks = number_of("SLURM_STEP_NUM_TASKS");
  if (std::getenv("SLURM_STEP_ID") != nullptr && tasks.value_or(1) > 1) {
    throw usage_error("srun started " + std::to_string(*tasks) + " tasks without MPI", "SLURM_STEP_NUM_TASKS",
                      "use srun --mpi=pmix, or mpirun");
  }
  return false;
}

}  // namespace palstudy
