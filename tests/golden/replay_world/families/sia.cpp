// SPDX-License-Identifier: MIT
#include "core/csv.hpp"
#include "elastic_world.hpp"
#include "replay.hpp"

namespace palstudy {
namespace {

void replay_sia(const std::filesystem::path& folder, replay::Results& results) {
  const replay::ElasticModels models = replay::read_elastic_models(folder, 1e-8);
  const CsvTable index = CsvTable::read(folder / "index.csv");
  for (std::size_t row = 0; row < index.rows(); ++row) {
    const std::filesystem::path run = folder / index.text(row, index.column("run"));
    const std::filesystem::path jobs = folder / (std::string(index.text(row, index.column("jobs"))) + ".csv");
    replay::replay_elastic({.jobs = jobs, .rounds = run / "rounds.csv", .jobs_out = run / "jobs_out.csv"}, models, results);
  }
}

}  // namespace

void register_replay_sia(ReplayParts& parts) {
  parts.add({"sia", "how jobs progress in Sia's simulator, fed with its allocations (index.csv, RUN/rounds.csv)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& input : replay::folders_with(folder, "index.csv")) replay_sia(input, results);
             }});
}

}  // namespace palstudy
