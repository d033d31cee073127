// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "elastic_world.hpp"
#include "sim/scheduler/sia/configurations.hpp"

namespace palstudy::replay {

/// What Sia's program is made of at each boundary, computed from the states of the jobs; and where it places them.
class SiaDecisions {
 public:
  /// `cluster`: the nodes, "aws 2x4;rtx 1x8".
  SiaDecisions(const ElasticModels& models, std::string_view cluster);

  void before_decisions(double boundary_s, const ElasticJobs& jobs);
  /// How the nodes of a job differ that are placed by the counts of all rows of the boundary.
  [[nodiscard]] std::string differs_in_nodes(const CsvTable& rounds, std::size_t row, const ElasticJob& job);

  /// Holds configs.csv and ilp.csv against what was computed, and solves the program of each boundary with the costs
  /// that were recorded: its choices are those of ilp.csv, its optimum is that of ilp_optimum.csv.
  void compare(const std::filesystem::path& run, Results& results) const;

 private:
  /// A row of ilp.csv. The columns are configurations, of a rigid job types.
  struct Row {
    bool rigid = false, forced = false;
    std::optional<std::size_t> held, chosen;
    std::uint32_t gpus = 0;  // of a rigid job
    double factor = 1;
    std::vector<double> goodputs;  // normalized
    std::vector<std::int64_t> costs;
  };
  [[nodiscard]] Row row_of(double boundary_s, const ElasticJob& job) const;
  [[nodiscard]] std::optional<std::size_t> column_of(const ElasticJob& job) const;
  [[nodiscard]] std::string differs(const CsvTable& table, std::size_t row) const;
  /// How the choices of the rows from `row` on, which are of one boundary, differ from the solution of their program;
  /// moves `row` behind them.
  [[nodiscard]] std::string differs_in_choices(const CsvTable& table, std::size_t& row, double optimum) const;
  void place(const CsvTable& rounds, std::size_t first);

  const ElasticModels* models_;
  std::vector<std::size_t> types_;  // of the models, by type of the cluster
  std::vector<TypeNodes> nodes_;
  std::vector<Configuration> configurations_;
  std::map<std::pair<double, std::string>, Row, std::less<>> rows_;  // by boundary and job
  double placed_s_ = -1;
  std::map<std::size_t, std::vector<std::uint32_t>> nodes_of_row_;  // of rounds.csv
};

}  // namespace palstudy::replay
