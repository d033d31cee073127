// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/csv.hpp"
#include "replay.hpp"
#include "workload/elastic/elastic_model.hpp"

namespace palstudy::replay {

/// models.csv and throughput.csv of a folder.
struct ElasticModels {
  std::vector<std::string> types;  ///< by type of GPUs
  std::map<std::string, ElasticModel, std::less<>> models;

  /// Errors (data): no such model or type.
  [[nodiscard]] const ElasticModel& model(std::string_view name) const;
  [[nodiscard]] std::size_t type(std::string_view name) const;
};

/// `alone_s`: what the recorded program takes for the exchange of one GPU.
[[nodiscard]] ElasticModels read_elastic_models(const std::filesystem::path& folder, double alone_s);

/// Where a job runs, as recorded; no GPUs: nowhere.
struct ElasticPlace {
  std::size_t type = 0;
  std::vector<std::uint32_t> gpus_by_node, nodes_of_gpus;
  [[nodiscard]] Shape shape() const;
};

/// What restarts a job: another shape or type, as Sia's simulator has it, or any other list of nodes, as Pollux's.
enum class RestartBy : std::uint8_t { shape, nodes };

/// A job in the simulator of Pollux and Sia: rounds of 60 s, and epochs that end after whole seconds.
class ElasticJob {
 public:
  /// `samples`: the batch of a job that does not choose its own.
  ElasticJob(const ElasticModel& model, std::optional<double> samples, double restart_s)
      : model_(&model), samples_(samples), restart_s_(restart_s) {}

  static constexpr double round_s = 60;
  /// Goes through the round that ends at a boundary.
  void step(double boundary_s);
  void allocate(const ElasticPlace& place, RestartBy by);

  /// How the state differs from a row of rounds.csv; progress may by 1e-9 of it.
  [[nodiscard]] std::string differs_from(const CsvTable& table, std::size_t row) const;

  [[nodiscard]] const ElasticModel& model() const { return *model_; }
  [[nodiscard]] const std::optional<double>& samples() const { return samples_; }
  [[nodiscard]] const ElasticPlace& place() const { return place_; }
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
  [[nodiscard]] double progress() const { return progress_; }
  [[nodiscard]] double restart_left_s() const { return restart_left_s_; }
  [[nodiscard]] double attained_gpu_s() const { return attained_gpu_s_; }
  [[nodiscard]] std::uint32_t most_gpus() const { return most_gpus_; }
  [[nodiscard]] std::uint32_t restarts() const { return starts_ == 0 ? 0 : starts_ - 1; }
  [[nodiscard]] const std::optional<double>& completion_s() const { return completion_s_; }
  /// The noise that was seen last, in samples: what batches are chosen by.
  [[nodiscard]] double noise_seen() const { return model_->noise_in(noise_epoch_); }

 private:
  void tune();

  const ElasticModel* model_;
  std::optional<double> samples_;
  double restart_s_;
  ElasticPlace place_;
  Batch batch_{0, 0};
  std::uint32_t epoch_ = 0, noise_epoch_ = 0, starts_ = 0, most_gpus_ = 0;
  double progress_ = 0, restart_left_s_ = 0, attained_gpu_s_ = 0;
  std::optional<double> completion_s_;
};

/// "4 4 1" as numbers.
[[nodiscard]] std::vector<std::uint32_t> numbers_in(std::string_view text);

/// Replays the physics of a recorded run: the allocations are those of rounds.csv; all else is compared with it and
/// with jobs_out.csv. `visit`, if given, sees the jobs by name after each row, and says what else differs.
struct ElasticRecording {
  std::filesystem::path jobs, rounds, jobs_out;
  RestartBy restart_by = RestartBy::shape;
  std::optional<double> restart_s;  ///< of all; none: each model's
  bool chooses_batches = true;      ///< of jobs that the table of jobs does not call rigid
};
using ElasticJobs = std::map<std::string, ElasticJob, std::less<>>;
void replay_elastic(const ElasticRecording& recording, const ElasticModels& models, Results& results);

/// The jobs of a trace, none of which has run.
[[nodiscard]] ElasticJobs read_elastic_jobs(const ElasticRecording& recording, const ElasticModels& models);
/// The allocation of a row of rounds.csv.
[[nodiscard]] ElasticPlace place_of(const CsvTable& rounds, std::size_t row, const ElasticModels& models);

}  // namespace palstudy::replay
