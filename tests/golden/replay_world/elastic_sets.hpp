// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/csv.hpp"
#include "elastic_world.hpp"
#include "workload/elastic/best_set.hpp"

namespace palstudy::replay {

/// A job of best-set/ or best-allocation/, and the GPUs that it is offered: one row of instances.csv.
struct SetInstance {
  const ElasticModel* model = nullptr;
  double noise = 0;
  SlowKind kind = SlowKind::whole;
  LevelPenalties penalties;  ///< between nodes; there is one cabinet
  std::vector<FreeGpu> gpus;

  /// The greatest goodput over batches on type `aws`.
  [[nodiscard]] double worth(JobShape shape, const SlowGpus& slow) const;
  /// That on the GPUs of a mask over `gpus`.
  [[nodiscard]] double worth_of(std::uint32_t mask) const;
};

/// The row's instance. Its column `free`, if there is one, lists the GPUs that are offered; otherwise all are.
[[nodiscard]] SetInstance read_set_instance(const CsvTable& table, std::size_t row, const ElasticModels& models);

/// The folders' models with an exchange of one GPU that takes no time, as these searches have it.
[[nodiscard]] ElasticModels models_of_sets(const std::filesystem::path& folder);

/// NAME-best.csv and NAME-instances.csv, in and below a folder.
struct BestFiles {
  std::filesystem::path best, instances;
};
[[nodiscard]] std::vector<BestFiles> best_files(const std::filesystem::path& folder);

}  // namespace palstudy::replay
