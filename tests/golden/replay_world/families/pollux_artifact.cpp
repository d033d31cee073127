// SPDX-License-Identifier: MIT
#include <map>
#include <vector>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "elastic_world.hpp"
#include "replay.hpp"
#include "sim/scheduler/optimus/gpu_counts.hpp"
#include "sim/scheduler/optimus/node_choice.hpp"

namespace palstudy {
namespace {

constexpr double pollux_restart_s = 30;

/// A cluster of nodes alike, of a type: "aws 4x4".
struct AlikeNodes {
  std::uint32_t nodes = 0, gpus_per_node = 0;
};

AlikeNodes cluster_of(std::string_view cluster) {
  const std::vector<std::uint32_t> numbers = replay::numbers_in(cluster.substr(cluster.rfind(' ') + 1));
  if (numbers.size() != 2) throw data_error("the cluster is not TYPE NODESxGPUS", "index.csv", "");
  return {numbers[0], numbers[1]};
}

/// The trace of a run: of "optimus-a" or "pollux-a-1" the one with tuned batches that is called a.
std::filesystem::path trace_of(const std::filesystem::path& folder, const std::string& run) {
  constexpr std::string_view ending = "-tuned-jobs.csv";
  const std::string behind = run.substr(run.find('-') + 1) + "-";
  std::filesystem::path found;
  for (const auto& file : replay::files_ending(folder, std::string(ending))) {
    const std::string name = file.filename().string();
    if (behind.starts_with(name.substr(0, name.size() - ending.size()) + "-")) found = file;
  }
  if (found.empty()) throw data_error("no jobs of run " + run, folder.string(), "");
  return found;
}

/// The nodes on which Optimus puts each job at the latest boundary, by the counts that it gives them.
class OptimusDecisions {
 public:
  explicit OptimusDecisions(AlikeNodes cluster) : cluster_(cluster) {}

  void decide(double boundary_s, const replay::ElasticJobs& jobs) {
    std::vector<const replay::ElasticJob*> active;
    std::vector<OptimusJob> asking;
    for (const replay::ElasticJob& job : jobs) {
      if (!job.active(boundary_s)) continue;
      const double samples = job.request().samples;
      active.push_back(&job);
      asking.push_back({iterations_after(job.model(), samples, job.epoch()),
                        static_cast<std::uint32_t>(samples / job.model().limits.min_local)});
    }
    const auto counts =
        gpu_counts(asking, cluster_.nodes * cluster_.gpus_per_node, [&](std::size_t job, std::uint32_t gpus) {
          const ElasticModel& model = active[job]->model();
          return packed_step_s(model.limits, model.types[0], active[job]->request().samples, gpus,
                               cluster_.gpus_per_node);
        });
    std::vector<std::vector<NodePart>> held;
    for (const replay::ElasticJob* job : active) held.push_back(replay::parts_of(job->place().nodes_of_gpus));
    const auto nodes = choose_nodes(counts, held, std::vector(cluster_.nodes, cluster_.gpus_per_node));
    nodes_.clear();
    for (std::size_t i = 0; i < active.size(); ++i) nodes_[active[i]->request().name] = replay::nodes_of(nodes[i]);
  }
  [[nodiscard]] std::string differs(const replay::ElasticJob& job) const {
    if (job.completion_s()) return "";
    const auto found = nodes_.find(job.request().name);
    return found == nodes_.end() ? "the job is not there; " : replay::differs_in_nodes(found->second, job);
  }

 private:
  AlikeNodes cluster_;
  std::map<std::string, std::vector<std::uint32_t>> nodes_;
};

void replay_pollux_artifact(const std::filesystem::path& folder, replay::Results& results) {
  const replay::ElasticModels models = replay::read_elastic_models(folder, 1e-8);
  const CsvTable index = CsvTable::read(folder / "index.csv");
  for (std::size_t row = 0; row < index.rows(); ++row) {
    const std::string name(index.text(row, index.column("run")));
    OptimusDecisions optimus(cluster_of(index.text(row, index.column("cluster"))));
    replay::ElasticRecording recording{.jobs = trace_of(folder, name),
                                       .rounds = folder / name / "rounds.csv",
                                       .jobs_out = folder / name / "jobs_out.csv",
                                       .restart_by = replay::RestartBy::nodes,
                                       .restart_s = pollux_restart_s,
                                       .chooses_batches = name.starts_with("pollux")};
    if (name.starts_with("optimus")) {
      recording.before_decisions = [&](double boundary_s, const replay::ElasticJobs& jobs) {
        optimus.decide(boundary_s, jobs);
      };
      recording.also_differs = [&](const CsvTable&, std::size_t, const replay::ElasticJob& job) {
        return optimus.differs(job);
      };
    }
    replay::replay_elastic(recording, models, results);
  }
}

}  // namespace

void register_replay_pollux_artifact(ReplayParts& parts) {
  parts.add({"pollux-artifact",
             "how jobs progress in Pollux's simulator, fed with its allocations, and Optimus' decisions (index.csv, "
             "RUN/rounds.csv)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& input : replay::folders_with(folder, "index.csv")) {
                 replay_pollux_artifact(input, results);
               }
             }});
}

}  // namespace palstudy
