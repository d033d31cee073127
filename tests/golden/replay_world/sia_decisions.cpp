// SPDX-License-Identifier: MIT
#include "sia_decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "optimize/multiple_choice.hpp"
#include "sim/scheduler/sia/configuration_costs.hpp"
#include "sim/scheduler/sia/node_placement.hpp"

namespace palstudy::replay {
namespace {

/// The seconds that the simulator's policy takes a restart for; not all are those that restarts take.
double believed_restart_s(const std::string& model) {
  static const std::map<std::string, double> seconds = {
      {"cifar10", 30}, {"deepspeech2", 25}, {"imagenet", 250}, {"bert", 120}, {"yolov3", 45}};
  const auto found = seconds.find(model);
  if (found == seconds.end()) throw data_error("no believed restart of model " + model, "models.csv", "");
  return found->second;
}

/// The simulator computes goodputs in single precision, so that a few costs are rounded to the neighbour.
constexpr double goodput_difference = 2e-6, factor_difference = 2e-9;
constexpr std::int64_t cost_difference = 1;

std::string shown_column(const std::optional<std::size_t>& column, const char* none) {
  return column ? std::to_string(*column) : none;
}

}  // namespace

SiaDecisions::SiaDecisions(const ElasticModels& models, std::string_view cluster) : models_(&models) {
  while (!cluster.empty()) {
    const std::size_t end = std::min(cluster.find(';'), cluster.size());
    const std::string_view part = cluster.substr(0, end);
    const std::size_t space = part.rfind(' ');
    const std::vector<std::uint32_t> size = numbers_in(part.substr(space + 1));
    if (size.size() != 2) throw data_error("the cluster is not TYPE NODESxGPUS", "index.csv", "");
    types_.push_back(models.type(part.substr(0, space)));
    nodes_.push_back({size[0], size[1]});
    cluster.remove_prefix(std::min(end + 1, cluster.size()));
  }
  configurations_ = configurations(nodes_);
}

std::optional<std::size_t> SiaDecisions::column_of(const ElasticJob& job) const {
  const ElasticPlace& place = job.place();
  if (place.gpus_by_node.empty()) return std::nullopt;
  const auto type = static_cast<std::size_t>(std::ranges::find(types_, place.type) - types_.begin());
  if (!job.request().chooses_batch) return type;
  const auto found = std::ranges::find(configurations_, Configuration{type, place.shape()});
  if (found == configurations_.end()) throw data_error("a place that is no configuration", "rounds.csv", "");
  return static_cast<std::size_t>(found - configurations_.begin());
}

SiaDecisions::Row SiaDecisions::row_of(double boundary_s, const ElasticJob& job) const {
  const ElasticRequest& request = job.request();
  std::vector<TypeTime> types;
  for (const std::size_t type : types_) types.push_back(job.model().types[type]);
  Row row;
  row.rigid = !request.chooses_batch;
  row.gpus = request.gpus;
  row.forced = job.restart_left_s() > 0;
  row.held = column_of(job);
  const double restart_s = believed_restart_s(job.model().name);
  row.factor = restart_factor(boundary_s - request.submit_s, job.restarts(), restart_s);
  BatchLimits limits = job.model().limits;
  if (row.rigid) {
    if (row.forced || job.attained_gpu_s() < restart_s) row.factor = 1;
    row.goodputs =
        normalized_goodputs(type_throughputs(limits, types, nodes_, request.gpus, request.samples), request.gpus);
    for (std::size_t type = 0; row.forced && type < row.goodputs.size(); ++type) {
      if (type != row.held) row.goodputs[type] = 0;
    }
  } else {
    limits.most = static_cast<std::uint32_t>(request.samples);
    row.goodputs = normalized_goodputs(configuration_goodputs(limits, types, configurations_,
                                                              growth_limit(limits, job.most_gpus()), job.noise_seen()));
  }
  row.costs = configuration_costs(row.goodputs, row.factor, row.held);
  return row;
}

void SiaDecisions::before_decisions(double boundary_s, const ElasticJobs& jobs) {
  for (const ElasticJob& job : jobs) {
    if (job.active(boundary_s)) rows_.emplace(std::pair(boundary_s, job.request().name), row_of(boundary_s, job));
  }
}

/// Places the jobs of a boundary, whose rows begin at `first`, type by type.
void SiaDecisions::place(const CsvTable& rounds, std::size_t first) {
  const std::size_t at = rounds.column("t");
  for (std::size_t type = 0; type < types_.size(); ++type) {
    std::vector<std::size_t> rows;
    std::vector<std::uint32_t> gpus;
    for (std::size_t row = first; row < rounds.rows() && rounds.number(row, at) == rounds.number(first, at); ++row) {
      const ElasticPlace placed = place_of(rounds, row, *models_);
      if (placed.nodes_of_gpus.empty() || placed.type != types_[type]) continue;
      rows.push_back(row);
      gpus.push_back(static_cast<std::uint32_t>(placed.nodes_of_gpus.size()));
    }
    const std::uint32_t per_node = nodes_[type].gpus_per_node;
    const auto nodes = place_on_nodes(gpus, std::vector(nodes_[type].nodes, per_node), per_node);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      nodes_of_row_[rows[i]] = nodes_of(nodes[i]);
    }
  }
}

std::string SiaDecisions::differs_in_nodes(const CsvTable& rounds, std::size_t row, const ElasticJob& job) {
  const double boundary_s = rounds.number(row, rounds.column("t"));
  if (boundary_s != placed_s_) place(rounds, row);
  placed_s_ = boundary_s;
  if (const auto found = rows_.find(std::pair(boundary_s, job.request().name)); found != rows_.end()) {
    found->second.chosen = column_of(job);
  }
  return job.completion_s() ? "" : replay::differs_in_nodes(nodes_of_row_[row], job);
}

std::string SiaDecisions::differs(const CsvTable& table, std::size_t at) const {
  const auto text = [&](const std::string& column) { return table.text(at, table.column(column)); };
  const auto number = [&](const std::string& column) { return table.number(at, table.column(column)); };
  const auto found = rows_.find(std::pair(number("t"), std::string(text("job"))));
  if (found == rows_.end()) return "the job is not there";
  const Row& row = found->second;
  std::string difference = replay::differs("forced", row.forced, number("forced")) +
                           replay::differs("realloc_factor", row.factor, number("realloc_factor"), factor_difference);
  if (text("kind") != (row.rigid ? "rigid" : "adaptive")) difference += "kind; ";
  if (text("previous_config") != shown_column(row.held, "")) difference += "held " + shown_column(row.held, "") + "; ";
  if (text("chosen") != shown_column(row.chosen, "-1")) difference += "chosen " + shown_column(row.chosen, "-1") + "; ";
  for (std::size_t i = 0; i < row.costs.size(); ++i) {
    difference +=
        replay::differs(fmt::format("g{}", i), row.goodputs[i], number(fmt::format("g{}", i)), goodput_difference);
    const double cost = number(fmt::format("c{}", i));
    if (std::abs(static_cast<double>(row.costs[i]) - cost) <= cost_difference) continue;
    difference += replay::differs(fmt::format("c{}", i), static_cast<double>(row.costs[i]), cost);
  }
  const std::string next = fmt::format("g{}", row.costs.size());
  if (table.has_column(next) && !text(next).empty()) difference += "more columns; ";
  return difference;
}

std::string SiaDecisions::differs_in_choices(const CsvTable& table, std::size_t& row, double optimum) const {
  const std::size_t at = table.column("t"), job = table.column("job"), chosen = table.column("chosen");
  const double boundary_s = table.number(row, at);
  std::vector<std::uint32_t> capacity;
  for (const TypeNodes& type : nodes_) capacity.push_back(type.nodes * type.gpus_per_node);
  MultipleChoice program;
  program.begin(capacity);
  const std::size_t first = row;
  for (; row < table.rows() && table.number(row, at) == boundary_s; ++row) {
    const Row& known = rows_.at(std::pair(boundary_s, std::string(table.text(row, job))));
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < known.costs.size(); ++i) {
      const std::size_t type = known.rigid ? i : configurations_[i].type;
      const auto cost = static_cast<std::int64_t>(table.number(row, table.column(fmt::format("c{}", i))));
      const auto resource = static_cast<std::uint32_t>(type);
      choices.push_back({cost, known.rigid ? known.gpus : configurations_[i].shape.gpus, resource, resource + 1});
    }
    std::optional<std::uint32_t> pinned;
    if (known.forced) pinned = static_cast<std::uint32_t>(known.held.value());
    program.add_row(choices, 0, pinned);
  }
  const MultipleChoiceSolution& solution = program.solve();
  std::string difference = replay::differs("optimum", static_cast<double>(solution.objective), optimum);
  for (std::size_t i = 0; i < solution.choices.size(); ++i) {
    const double choice = solution.choices[i] == no_choice ? -1.0 : solution.choices[i];
    if (choice != table.number(first + i, chosen))
      difference += fmt::format("choice {} of row {}; ", choice, first + i);
  }
  return difference;
}

void SiaDecisions::compare(const std::filesystem::path& run, Results& results) const {
  const CsvTable configs = CsvTable::read(run / "configs.csv");
  results.compare(run / "configs.csv", configs.rows(), [&](std::size_t row) -> std::string {
    if (row >= configurations_.size()) return "no such configuration";
    const Configuration& ours = configurations_[row];
    const bool same_type = models_->types[types_[ours.type]] == configs.text(row, configs.column("type"));
    return (same_type ? "" : "type; ") +
           replay::differs("nodes", ours.shape.nodes, configs.number(row, configs.column("nodes"))) +
           replay::differs("gpus", ours.shape.gpus, configs.number(row, configs.column("gpus")));
  });
  const CsvTable program = CsvTable::read(run / "ilp.csv");
  results.compare(run / "ilp.csv", program.rows(), [&](std::size_t row) { return differs(program, row); });
  const CsvTable optima = CsvTable::read(run / "ilp_optimum.csv");
  std::size_t next = 0;
  results.compare(run / "ilp_optimum.csv", optima.rows(), [&](std::size_t row) {
    return differs_in_choices(program, next, optima.number(row, optima.column("optimum_hundredths")));
  });
}

}  // namespace palstudy::replay
