// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/csv.hpp"
#include "replay.hpp"
#include "sim/scheduler/node_part.hpp"
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
  [[nodiscard]] JobShape shape() const;
};

/// What restarts a job: another shape or type, as Sia's simulator has it, or any other list of nodes, as Pollux's.
enum class RestartBy : std::uint8_t { shape, nodes };

/// A job of the trace.
struct ElasticRequest {
  std::string name;
  double submit_s = 0;
  std::uint32_t gpus = 1;
  double samples = 1;         ///< its batch; of a job that chooses its own, the largest
  bool chooses_batch = true;  ///< else the batch is `samples`
};

/// A job in the simulator of Pollux and Sia: rounds of 60 s, and epochs that end after whole seconds.
class ElasticJob {
 public:
  ElasticJob(ElasticRequest request, const ElasticModel& model, double restart_s)
      : request_(std::move(request)), model_(&model), restart_s_(restart_s) {}

  static constexpr double round_s = 60;
  /// Goes through the round that ends at a boundary.
  void step(double boundary_s);
  void allocate(const ElasticPlace& place, RestartBy by);

  /// How the state differs from a row of rounds.csv; progress may by 1e-9 of it.
  [[nodiscard]] std::string differs_from(const CsvTable& table, std::size_t row) const;

  [[nodiscard]] const ElasticRequest& request() const { return request_; }
  [[nodiscard]] const ElasticModel& model() const { return *model_; }
  [[nodiscard]] const ElasticPlace& place() const { return place_; }
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
  [[nodiscard]] double progress() const { return progress_; }
  [[nodiscard]] double restart_left_s() const { return restart_left_s_; }
  /// GPU seconds until its end, in whole rounds, and in restarts.
  [[nodiscard]] double attained_gpu_s() const { return attained_gpu_s_; }
  [[nodiscard]] double held_gpu_s() const { return held_gpu_s_; }
  [[nodiscard]] double restart_gpu_s() const { return restart_gpu_s_; }
  [[nodiscard]] std::uint32_t most_gpus() const { return most_gpus_; }
  [[nodiscard]] std::uint32_t restarts() const { return starts_ == 0 ? 0 : starts_ - 1; }
  [[nodiscard]] const std::optional<double>& completion_s() const { return completion_s_; }
  [[nodiscard]] bool active(double now_s) const { return request_.submit_s <= now_s && !completion_s_; }
  /// The noise that was seen last, in samples: what batches are chosen by.
  [[nodiscard]] double noise_seen() const { return model_->noise_in(noise_epoch_); }

 private:
  void tune();

  ElasticRequest request_;
  const ElasticModel* model_;
  double restart_s_;
  ElasticPlace place_;
  Batch batch_{0, 0};
  std::uint32_t epoch_ = 0, noise_epoch_ = 0, starts_ = 0, most_gpus_ = 0;
  double progress_ = 0, restart_left_s_ = 0, attained_gpu_s_ = 0, held_gpu_s_ = 0, restart_gpu_s_ = 0;
  std::optional<double> completion_s_;
};

/// Parts of nodes as a list with the node of each GPU, and back.
[[nodiscard]] std::vector<std::uint32_t> nodes_of(const std::vector<NodePart>& parts);
[[nodiscard]] std::vector<NodePart> parts_of(const std::vector<std::uint32_t>& nodes_of_gpus);
/// "nodes 0 0 1" if that is not where a job is.
[[nodiscard]] std::string differs_in_nodes(const std::vector<std::uint32_t>& nodes, const ElasticJob& job);

/// "4 4 1" as numbers.
[[nodiscard]] std::vector<std::uint32_t> numbers_in(std::string_view text);

/// The allocation of a row of rounds.csv.
[[nodiscard]] ElasticPlace place_of(const CsvTable& rounds, std::size_t row, const ElasticModels& models);

/// The jobs of a trace, in its order.
using ElasticJobs = std::vector<ElasticJob>;

/// A recorded run.
struct ElasticRecording {
  std::filesystem::path jobs, rounds, jobs_out;
  RestartBy restart_by = RestartBy::shape;
  std::optional<double> restart_s = std::nullopt;  ///< of all; none: each model's
  bool chooses_batches = true;                     ///< of jobs that the trace does not call rigid
  /// If given: sees all jobs at each boundary, before its decisions.
  std::function<void(double boundary_s, const ElasticJobs& jobs)> before_decisions = {};
  /// If given: what else differs in a row of rounds.csv.
  std::function<std::string(const CsvTable& rounds, std::size_t row, const ElasticJob& job)> also_differs = {};
};

/// Replays the physics of a recorded run: the allocations are those of rounds.csv; all else is compared with it and
/// with jobs_out.csv.
void replay_elastic(const ElasticRecording& recording, const ElasticModels& models, Results& results);

}  // namespace palstudy::replay
