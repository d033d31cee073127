// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "optimize/multiple_choice.hpp"
#include "sim/scheduler/elastic/elastic_states.hpp"
#include "sim/scheduler/sia/configuration_costs.hpp"
#include "sim/scheduler/sia/configurations.hpp"
#include "sim/state/scheduler.hpp"

namespace palstudy {

/// Sia (SOSP'23): at every boundary an integer program gives each job one of a few configurations, a type of GPUs and
/// their number, or none. It minimises the sum of goodput^p, each relative to the job's worst configuration. Jobs that
/// cannot change (`elastic = "none"`) choose their type alone. It knows the model of every job, and no GPU's slowness.
class SiaScheduler final : public WithState<SiaScheduler, Scheduler> {
 public:
  SiaScheduler(const SchedulerContext& context, const SiaOptions& options);

  [[nodiscard]] bool wants_events() const override { return true; }
  void notify(const JobEvent& event) override;
  [[nodiscard]] bool idle() const override { return state_.queue.empty() && state_.running.size() == 0; }
  void decide(const View& view, Transaction& transaction) override;
  /// Noise and ages change as jobs go on.
  [[nodiscard]] double next_change_s(const View& view) override;
  template <class Archive>
  void serialize(Archive& archive, unsigned version);

 private:
  /// What is kept of a job from its first start to its end.
  struct Past {
    std::uint32_t restarts = 0;
    std::uint32_t most = 0;  ///< GPUs that it has had
  };
  /// What a job may have.
  struct Row {
    std::vector<Configuration> columns;
    std::vector<double> goodputs;
    std::optional<std::size_t> held;
  };

  [[nodiscard]] Row row_of(const ElasticState& one) const;
  [[nodiscard]] const std::vector<double>& goodputs_of(JobId job, std::uint32_t epoch) const;
  [[nodiscard]] std::optional<std::size_t> held(const ElasticState& one,
                                                const std::vector<Configuration>& columns) const;
  [[nodiscard]] std::vector<std::uint32_t> capacities() const;
  void add_row(const ElasticState& one, const Row& row, double now_s);

  PartitionState& state_;
  const ElasticJobs& elastic_;
  SiaOptions options_;
  std::vector<std::vector<NodeId>> nodes_of_type_;
  std::vector<TypeNodes> types_;
  std::vector<Configuration> configurations_;
  std::map<JobId, Past> past_;
  MultipleChoice program_;
  /// By model, epoch and, where it is fixed, batch: in each configuration, whatever the job had before.
  mutable std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<double>> goodputs_;
};

}  // namespace palstudy
