// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/registry.hpp"
#include "workload/job.hpp"
#include "workload/model_table.hpp"

namespace palstudy {

/// The most jobs that a generator makes.
inline constexpr std::size_t most_generated_jobs = std::size_t{1} << 24;
/// Error (usage): too many jobs, or times beyond what can be counted.
class TooManyJobs : public Error {
 public:
  TooManyJobs(const std::string& what, const std::string& where, const std::string& advice)
      : Error(ErrorCode::usage, what, where, advice) {}
};

/// What generators keep of the files that they read, so that the many workloads of a study read each once.
struct GeneratorFiles {
  std::map<std::filesystem::path, std::vector<std::uint32_t>> demands;  ///< GPUs of every job, in file order
};

/// The input of a generator beside its own parameters.
struct GeneratorContext {
  std::uint32_t cluster_gpus = 0;
  std::uint64_t seed = 1;          ///< `workload.seed`
  std::size_t jobs = 0;            ///< how many are wanted at least (measure.jobs.last + 1, and those behind them)
  double until_s = 0;              ///< or arrivals up to here, whichever is more
  std::filesystem::path data_dir;  ///< jobs/ of the program
  const ModelTable* models = nullptr;
  GeneratorFiles* files = nullptr;  ///< null: nothing is kept
};
using GenerateJobs = std::function<Workload(const GeneratorContext&, const ParamValues&)>;
using GeneratorRegistry = Registry<GenerateJobs>;
[[nodiscard]] const GeneratorRegistry& generators();

}  // namespace palstudy
