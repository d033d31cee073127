// SPDX-License-Identifier: MIT
#include "core/csv.hpp"
#include "elastic_world.hpp"
#include "replay.hpp"
#include "sia_decisions.hpp"

namespace palstudy {
namespace {

void replay_sia(const std::filesystem::path& folder, replay::Results& results) {
  const replay::ElasticModels models = replay::read_elastic_models(folder, 1e-8);
  const CsvTable index = CsvTable::read(folder / "index.csv");
  for (std::size_t row = 0; row < index.rows(); ++row) {
    const auto text = [&](const char* column) { return std::string(index.text(row, index.column(column))); };
    const std::filesystem::path run = folder / text("run");
    replay::SiaDecisions decisions(models, text("cluster"));
    const replay::ElasticRecording recording{
        .jobs = folder / (text("jobs") + ".csv"),
        .rounds = run / "rounds.csv",
        .jobs_out = run / "jobs_out.csv",
        .before_decisions = [&](double boundary_s,
                                const replay::ElasticJobs& jobs) { decisions.before_decisions(boundary_s, jobs); },
        .also_differs = [&](const CsvTable& rounds, std::size_t at,
                            const replay::ElasticJob& job) { return decisions.differs_in_nodes(rounds, at, job); }};
    replay::replay_elastic(recording, models, results);
    decisions.compare(run, results);
  }
}

}  // namespace

void register_replay_sia(ReplayParts& parts) {
  parts.add(
      {"sia",
       "Sia's simulator, fed with its choices: progress, costs, and the nodes of jobs (index.csv, RUN/rounds.csv)",
       [](const std::filesystem::path& folder, replay::Results& results) {
         for (const auto& input : replay::folders_with(folder, "index.csv")) replay_sia(input, results);
       }});
}

}  // namespace palstudy
