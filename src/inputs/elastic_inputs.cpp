// SPDX-License-Identifier: MIT
#include "inputs/elastic_inputs.hpp"

#include <algorithm>

#include "inputs/cluster_inputs.hpp"
#include "workload/model_table.hpp"

namespace palstudy {
namespace {

ElasticJobs elastic_jobs(const Workload& workload, const ModelTable& table, std::uint32_t gpus_per_node) {
  ElasticJobs made;
  for (const std::string& name : workload.models) {
    const ElasticInfo& info = table.models.at(name).elastic.value();
    made.models.push_back(info.model);
    made.models.back().name = name;
    made.models.back().types = {info.usual()};
  }
  for (const Job& job : workload.jobs) {
    const ElasticModel& model = made.models[job.model];
    const JobShape shape{job.gpus, (job.gpus + gpus_per_node - 1) / gpus_per_node};
    made.model_of.push_back(job.model);
    made.batch.push_back(rigid_terms(model, model.types.front(), shape).batch);
  }
  return made;
}

}  // namespace

const ElasticJobs* ElasticInputs::of(const RunPlan& run, const Workload& workload, const Topology& topology) {
  if (!has_elastic_jobs(run)) return nullptr;
  const WorkloadOptions& from = run.workload;
  const std::string text = workload_text(run) + "\n" + topology_text(run) + "\n" +
                           std::to_string(static_cast<int>(from.elasticity)) +
                           std::to_string(static_cast<int>(from.slow));
  return &memoize(jobs_, text, [&] {
    ElasticJobs made = elastic_jobs(workload, files_.models(from.models), topology.widest_node());
    made.elasticity = from.elasticity;
    made.slow = from.slow;
    return made;
  });
}

}  // namespace palstudy
