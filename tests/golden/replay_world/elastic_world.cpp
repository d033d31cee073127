// SPDX-License-Identifier: MIT
#include "elastic_world.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/elastic/batch_tuning.hpp"

namespace palstudy::replay {
namespace {

double number_of(const CsvTable& table, std::size_t row, const char* column) {
  return table.number(row, table.column(column));
}

std::uint32_t count_of(const CsvTable& table, std::size_t row, const char* column) {
  return static_cast<std::uint32_t>(table.integer(row, table.column(column), 0, UINT32_MAX));
}

std::string text_of(const CsvTable& table, std::size_t row, const char* column) {
  return std::string(table.text(row, table.column(column)));
}

TypeTime type_time(const CsvTable& table, std::size_t row, double alone_s) {
  const auto at = [&](const char* column) { return number_of(table, row, column); };
  return {{at("alpha_c"), at("beta_c"), at("alpha_r"), at("beta_r"), at("alpha_n"), at("beta_n"), at("gamma"), alone_s},
          count_of(table, row, "max_local")};
}

ElasticJobs read_elastic_jobs(const ElasticRecording& recording, const ElasticModels& models) {
  ElasticJobs jobs;
  const CsvTable table = CsvTable::read(recording.jobs);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const ElasticModel& model = models.model(text_of(table, row, "application"));
    const bool rigid = table.has_column("category") && text_of(table, row, "category") == "rigid";
    ElasticRequest request{text_of(table, row, "name"), number_of(table, row, "time"),
                           count_of(table, row, "num_replicas"), number_of(table, row, "batch_size"),
                           recording.chooses_batches && !rigid};
    jobs.emplace_back(std::move(request), model, recording.restart_s.value_or(model.restart_s));
  }
  return jobs;
}

ElasticJob& job_of_row(ElasticJobs& jobs, const CsvTable& table, std::size_t row) {
  const auto found =
      std::ranges::find(jobs, text_of(table, row, "job"), [](const ElasticJob& job) { return job.request().name; });
  if (found == jobs.end()) throw data_error("an unknown job", table.where(row, table.column("job")), "");
  return *found;
}

void compare_ends(const std::filesystem::path& file, ElasticJobs& jobs, Results& results) {
  const CsvTable out = CsvTable::read(file);
  results.compare(file, out.rows(), [&](std::size_t row) -> std::string {
    const ElasticJob& job = job_of_row(jobs, out, row);
    if (!job.completion_s()) return "not ended";
    const auto if_recorded = [&](const char* column, double ours) {
      return out.has_column(column) ? differs(column, ours, number_of(out, row, column)) : "";
    };
    return differs("submit", job.request().submit_s, number_of(out, row, "submit")) +
           differs("completion", *job.completion_s(), number_of(out, row, "completion")) +
           differs("jct", *job.completion_s() - job.request().submit_s, number_of(out, row, "jct")) +
           differs("restarts", job.restarts(), number_of(out, row, "restarts")) +
           differs("attained_gpu_s", job.attained_gpu_s(), number_of(out, row, "attained_gpu_s")) +
           if_recorded("used_gpu_s", job.held_gpu_s() - job.restart_gpu_s()) +
           if_recorded("wasted_gpu_s", job.restart_gpu_s());
  });
}

}  // namespace

std::vector<std::uint32_t> numbers_in(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  bool within = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !within) numbers.push_back(0);
    if (digit) numbers.back() = 10 * numbers.back() + static_cast<std::uint32_t>(c - '0');
    within = digit;
  }
  return numbers;
}

std::vector<std::uint32_t> nodes_of(const std::vector<NodePart>& parts) {
  std::vector<std::uint32_t> nodes;
  for (const NodePart& part : parts) nodes.insert(nodes.end(), part.gpus, part.node);
  return nodes;
}

std::vector<NodePart> parts_of(const std::vector<std::uint32_t>& nodes_of_gpus) {
  std::vector<NodePart> parts;
  for (const std::uint32_t node : nodes_of_gpus) {
    if (parts.empty() || parts.back().node != node) parts.push_back({node, 0});
    ++parts.back().gpus;
  }
  return parts;
}

std::string differs_in_nodes(const std::vector<std::uint32_t>& nodes, const ElasticJob& job) {
  if (nodes == job.place().nodes_of_gpus) return "";
  std::vector<std::string> shown;
  for (const std::uint32_t node : nodes) shown.push_back(std::to_string(node));
  return "nodes " + join(shown, " ") + "; ";
}

const ElasticModel& ElasticModels::model(std::string_view name) const {
  const auto found = models.find(name);
  if (found == models.end()) throw data_error("no model " + std::string(name), "models.csv", "");
  return found->second;
}

std::size_t ElasticModels::type(std::string_view name) const {
  const auto found = std::ranges::find(types, name);
  if (found == types.end()) throw data_error("no type " + std::string(name), "throughput.csv", "");
  return static_cast<std::size_t>(found - types.begin());
}

ElasticModels read_elastic_models(const std::filesystem::path& folder, double alone_s) {
  ElasticModels read;
  const CsvTable table = CsvTable::read(folder / "models.csv");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ElasticModel model;
    model.name = text_of(table, row, "model");
    model.limits = {count_of(table, row, "m0"), count_of(table, row, "mmax"), count_of(table, row, "min_local")};
    model.noise.knots = {{0, number_of(table, row, "phi_begin")}, {1, number_of(table, row, "phi_end")}};
    model.epochs = {count_of(table, row, "epochs"), number_of(table, row, "iterations_per_epoch")};
    model.restart_s = number_of(table, row, "restart_s");
    read.models.emplace(model.name, model);
  }
  const CsvTable times = CsvTable::read(folder / "throughput.csv");
  for (std::size_t row = 0; row < times.rows(); ++row) {
    const std::string type = text_of(times, row, "type");
    if (std::ranges::find(read.types, type) == read.types.end()) read.types.push_back(type);
    ElasticModel& model = read.models[text_of(times, row, "model")];
    model.types.resize(std::max(model.types.size(), read.type(type) + 1));
    model.types[read.type(type)] = type_time(times, row, alone_s);
  }
  return read;
}

JobShape ElasticPlace::shape() const {
  JobShape shape{0, static_cast<std::uint32_t>(gpus_by_node.size())};
  for (const std::uint32_t gpus : gpus_by_node) shape.gpus += gpus;
  return shape;
}

void ElasticJob::tune() {
  const TypeTime& type = model_->types[place_.type];
  batch_ = request_.chooses_batch ? tuned(model_->limits, type, place_.shape(), noise_seen()).batch
                                  : batch_of(model_->limits, type.max_local, place_.shape().gpus, request_.samples);
}

void ElasticJob::allocate(const ElasticPlace& place, RestartBy by) {
  const bool stays = by == RestartBy::nodes ? place.nodes_of_gpus == place_.nodes_of_gpus
                                            : place.gpus_by_node == place_.gpus_by_node && place.type == place_.type;
  place_ = place;
  if (stays) return;
  batch_.local = 0;  // a job that is stopped keeps its accumulations
  restart_left_s_ = 0;
  if (place_.gpus_by_node.empty()) return;
  tune();
  restart_left_s_ = restart_s_;
  ++starts_;
}

void ElasticJob::step(double boundary_s) {
  const JobShape shape = place_.shape();
  if (shape.gpus == 0 || completion_s_) return;
  const double waits_s = std::min(round_s, restart_left_s_);
  restart_left_s_ -= waits_s;
  held_gpu_s_ += shape.gpus * round_s;
  restart_gpu_s_ += shape.gpus * waits_s;
  double left_s = round_s - waits_s;
  while (left_s > 0 && !completion_s_) {
    noise_epoch_ = epoch_;
    most_gpus_ = std::max(most_gpus_, shape.gpus);
    const double speed = iterations_per_s(model_->limits, model_->types[place_.type].step, shape, batch_, noise_seen());
    const double end = model_->epochs.end(epoch_);
    if (progress_ + speed * left_s < end) {
      progress_ += speed * left_s;
      left_s = 0;
    } else {
      left_s -= std::nearbyint((end - progress_) / speed);  // of halves the even one, as in Python
      progress_ = end;
      if (++epoch_ == model_->epochs.count) completion_s_ = boundary_s - left_s;
    }
    tune();
  }
  attained_gpu_s_ += shape.gpus * (round_s - left_s);
}

std::string ElasticJob::differs_from(const CsvTable& table, std::size_t row) const {
  const auto recorded = [&](const char* column) { return number_of(table, row, column); };
  std::string difference = differs("epoch", epoch_, recorded("epoch")) +
                           differs("progress", progress_, recorded("progress"), 1e-9) +
                           differs("batch", batch_.samples(place_.shape().gpus), recorded("batch")) +
                           differs("atomic_batch", batch_.local, recorded("atomic_batch")) +
                           differs("accum_steps", batch_.accumulations, recorded("accum_steps")) +
                           differs("restart_left_s", restart_left_s_, recorded("restart_left_s"));
  const std::string restarts = starts_ == 0 ? "" : std::to_string(starts_ - 1);
  if (restarts != text_of(table, row, "restarts")) difference += "restarts " + restarts + "; ";
  if (text_of(table, row, "completion").empty() != !completion_s_) return difference + "ended; ";
  return completion_s_ ? difference + differs("completion", *completion_s_, recorded("completion")) : difference;
}

ElasticPlace place_of(const CsvTable& rounds, std::size_t row, const ElasticModels& models) {
  ElasticPlace place{0, numbers_in(text_of(rounds, row, "gpus_by_node")),
                     numbers_in(text_of(rounds, row, "nodes_of_gpus"))};
  const std::string type = rounds.has_column("type") ? text_of(rounds, row, "type") : "";
  if (!type.empty()) place.type = models.type(type);
  return place;
}

void replay_elastic(const ElasticRecording& recording, const ElasticModels& models, Results& results) {
  ElasticJobs jobs = read_elastic_jobs(recording, models);
  const CsvTable rounds = CsvTable::read(recording.rounds);
  double boundary_s = 0;
  results.compare(recording.rounds, rounds.rows(), [&](std::size_t row) {
    // All jobs step, since one that ends as its round begins has no row any more.
    while (boundary_s < number_of(rounds, row, "t")) {
      boundary_s += ElasticJob::round_s;
      for (ElasticJob& each : jobs) each.step(boundary_s);
      if (recording.before_decisions) recording.before_decisions(boundary_s, jobs);
    }
    ElasticJob& job = job_of_row(jobs, rounds, row);
    if (!job.completion_s()) job.allocate(place_of(rounds, row, models), recording.restart_by);
    return job.differs_from(rounds, row) + (recording.also_differs ? recording.also_differs(rounds, row, job) : "");
  });
  compare_ends(recording.jobs_out, jobs, results);
}

}  // namespace palstudy::replay
