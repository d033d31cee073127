// SPDX-License-Identifier: MIT
#include "helios_nodes.hpp"
#include "helios_world.hpp"
#include "sim/simulation.hpp"

namespace palstudy::replay {

std::vector<HeliosRow> run_engine(const HeliosInputs& inputs, const HeliosInputs::Vc& vc, const std::string& order,
                                  const std::string& predictor) {
  const Nodes nodes(vc.nodes, inputs.gpus_per_node);
  const Slowdowns truth = Slowdowns::flat({"A"}, nodes.topology.gpus());
  EngineOptions engine;
  engine.round_s = 1;
  MeasureWindow all;
  all.last = static_cast<std::int64_t>(inputs.job_ids.size());
  const LocalityPenalty none{1, 1, 1};
  World world{nodes.topology, truth, nodes.bins, vc.workload, none, none, engine, all, {true, false}};
  world.predictor = [&] { return predictors().at(predictor).make.make({vc.workload, 1}, {}); };
  const RunResult result = simulate(world, *orders().at(order).make({}), *nodes.placement);
  std::vector<HeliosRow> rows(vc.workload.jobs.size());
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    HeliosRow& row = rows[result.jobs.job[i].index()];
    row.start_s = result.jobs.start_s[i];
    row.end_s = result.jobs.finish_s[i];
    row.queue_s = row.start_s - vc.workload.jobs[result.jobs.job[i].index()].submit_s;
    row.preemptions = result.jobs.preemptions[i];
  }
  const EventRows& events = result.events;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (events.kind[e] != EventKind::launch) continue;
    GpuSet gpus;
    for (std::size_t i = 0; i < events.gpu_count[e]; ++i) {
      const std::uint32_t gpu = events.gpus[events.gpu_begin[e] + i];
      gpus.push_back({NodeId(gpu / inputs.gpus_per_node), GpuMask{1} << gpu % inputs.gpus_per_node});
    }
    rows[events.job[e].index()].nodes = nodes_of(gpus);
  }
  return rows;
}

}  // namespace palstudy::replay
