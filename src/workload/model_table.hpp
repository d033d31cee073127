// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/csv.hpp"
#include "workload/elastic/elastic_model.hpp"
#include "workload/job.hpp"
#include "workload/job_model.hpp"

namespace palstudy {

/// What is known of a model whose jobs may change their GPUs and batch: `kind = "elastic"`.
struct ElasticInfo {
  ElasticModel model;
  std::vector<std::string> types;  ///< names of the types of GPUs, in the order of `ElasticModel::types`

  /// The type of clusters that do not say theirs: aws, else the first.
  [[nodiscard]] const TypeTime& usual() const {
    const auto aws = std::ranges::find(types, "aws");
    return model.types[aws == types.end() ? 0 : static_cast<std::size_t>(aws - types.begin())];
  }
};

/// One row of jobs/models.toml.
struct ModelInfo {
  std::string cls;
  double iteration_s = 0;                ///< seconds per iteration at slowdown 1 and penalty 1
  double gradient_bytes = 0;             ///< bytes exchanged per iteration; 0 where it is not known
  double gpu_util = 0, mem_bw_util = 0;  ///< NaN where not known
  double skew = 0;                       ///< largest tensor / all parameters; 0 where not known
  std::string source = {};               ///< where the numbers are from
  bool calibrated = true;                ///< false: what `how` says of communication is an assumption
  bool drawn = true;                     ///< by generators, and for traces that name no models
  std::uint32_t gpus = 0;                ///< that it is run on, where that is stated; 0: any number
  JobModel how = {};                     ///< what its iteration time depends on
  std::optional<ElasticInfo> elastic = {};
};

/// jobs/models.toml: models by name, and the `classes` tables (which kernel or application stands for each class).
struct ModelTable {
  std::map<std::string, ModelInfo> models;
  std::map<std::string, std::map<std::string, std::string>> classes;  ///< table name -> class -> measurements name
};

/// The table that is used where a study names none, in the data folder.
inline constexpr auto bundled_models = "jobs/models.toml";

/// Errors (data): unreadable, unknown keys, a time that is not positive; with file:line:column.
[[nodiscard]] ModelTable read_model_table(const std::filesystem::path& path);
/// The one table [classes.<name>] of a file that has nothing else: class -> measurements name, as `palstudy classify`
/// writes it. Errors (data, file:line:column): unreadable, none or several, unknown keys.
[[nodiscard]] std::map<std::string, std::string> read_class_table(const std::filesystem::path& path);

/// How the jobs of a workload run, by model; plain where the table does not have a model.
[[nodiscard]] std::vector<JobModel> job_models(const Workload& workload, const ModelTable& table);

/// The model that a row of a trace names. Errors (data, at the field): the table does not have it.
[[nodiscard]] const ModelInfo& model_of(const ModelTable& models, const CsvTable& table, std::size_t row,
                                        std::size_t column);

/// The number of the model's class among the classes of jobs; a new class is appended.
[[nodiscard]] ClassId class_of(const ModelInfo& model, std::vector<std::string>& classes);

}  // namespace palstudy
