// SPDX-License-Identifier: MIT
#include "elastic_sets.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"
#include "workload/elastic/batch_tuning.hpp"

namespace palstudy::replay {
namespace {

std::vector<double> reals_in(std::string text) {
  std::vector<double> reals;
  char* at = text.data();
  for (char* end = at;; at = end) {
    const double real = std::strtod(at, &end);
    if (end == at) return reals;
    reals.push_back(real);
  }
}

SlowKind kind_called(std::string_view name) {
  if (name == "whole") return SlowKind::whole;
  if (name == "split") return SlowKind::split;
  throw data_error("unknown kind " + std::string(name), "instances.csv", "");
}

}  // namespace

ElasticModels models_of_sets(const std::filesystem::path& folder) { return read_elastic_models(folder, 0); }

std::vector<BestFiles> best_files(const std::filesystem::path& folder) {
  constexpr std::string_view ending = "-best.csv";
  std::vector<BestFiles> files;
  for (const auto& best : files_ending(folder, std::string(ending))) {
    const std::string path = best.string();
    files.push_back({best, path.substr(0, path.size() - ending.size()) + "-instances.csv"});
  }
  return files;
}

double SetInstance::worth(JobShape shape, const SlowGpus& slow) const {
  return best_batch(model->limits, model->types[0], shape, noise, slow).goodput;
}

double SetInstance::worth_of(std::uint32_t mask) const {
  JobShape shape{0, 0};
  SlowGpus slow{kind, 0, penalties.node};
  const FreeGpu* last = nullptr;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if ((mask >> i & 1u) == 0) continue;
    ++shape.gpus;
    if (last == nullptr || last->node != gpus[i].node) ++shape.nodes;
    slow.slowdown = std::max(slow.slowdown, gpus[i].slowdown);
    last = &gpus[i];
  }
  if (shape.nodes > 1) slow.penalty = penalties.cluster;
  return shape.gpus == 0 ? 0 : worth(shape, slow);
}

SetInstance read_set_instance(const CsvTable& table, std::size_t row, const ElasticModels& models) {
  const auto text = [&](const char* column) { return table.text(row, table.column(column)); };
  SetInstance read;
  read.model = &models.model(text("model"));
  if (models.type("aws") != 0) throw data_error("type aws is not the first", "throughput.csv", "");
  read.noise = table.number(row, table.column("phi"));
  read.kind = kind_called(text("kind"));
  read.penalties.cabinet = read.penalties.cluster = table.number(row, table.column("L"));
  const auto per_node = static_cast<std::uint32_t>(table.integer(row, table.column("gpus_per_node")));
  const std::vector<double> slowdowns = reals_in(std::string(text("slowdown")));
  std::vector<std::uint32_t> offered;
  if (table.has_column("free")) offered = numbers_in(text("free"));
  for (std::uint32_t gpu = 0; gpu < slowdowns.size(); ++gpu) {
    if (!table.has_column("free") || std::ranges::find(offered, gpu) != offered.end()) {
      read.gpus.push_back({gpu, gpu / per_node, 0, slowdowns[gpu]});
    }
  }
  return read;
}

}  // namespace palstudy::replay
