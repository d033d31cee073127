// SPDX-License-Identifier: MIT
#include "workload/synthetic/drawn_models.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/random.hpp"

namespace palstudy {

Job DrawnModels::job(std::uint32_t model, double seconds) const {
  Job job;
  job.iteration_s = iteration_s[model];
  job.iterations = seconds / job.iteration_s;
  job.cls = classes[model];
  job.model = static_cast<std::uint16_t>(model);
  return job;
}

DrawnModels add_models(const ModelTable& table, Workload& out) {
  DrawnModels drawn;
  double most_bytes = -1;
  for (const auto& [name, info] : table.models) {
    if (!info.drawn) continue;
    const auto place = std::ranges::find(out.classes, info.cls);
    drawn.classes.emplace_back(static_cast<std::size_t>(place - out.classes.begin()));
    if (place == out.classes.end()) out.classes.push_back(info.cls);
    if (info.gradient_bytes > most_bytes) {
      most_bytes = info.gradient_bytes;
      drawn.largest = static_cast<std::uint16_t>(out.models.size());
    }
    out.models.push_back(name);
    out.model_use.push_back({info.gpu_util, info.mem_bw_util, info.skew});
    drawn.iteration_s.push_back(info.iteration_s);
  }
  if (drawn.classes.empty()) {
    throw data_error("the table of models has none that may be drawn", "workload.models",
                     "let one of its models be without drawn = false");
  }
  return drawn;
}

std::uint32_t drawn_models(const ModelTable& table) {
  const auto drawn = [](const auto& model) { return model.second.drawn; };
  return static_cast<std::uint32_t>(std::ranges::count_if(table.models, drawn));
}

void DrawnModels::draw(std::uint64_t seed, Job& job) const {
  RandomStream random(seed, Purpose::trace_model, static_cast<std::uint64_t>(job.id));
  const std::uint32_t model = random.below(static_cast<std::uint32_t>(classes.size()));
  const double seconds = job.ideal_s();
  job.iteration_s = iteration_s[model];
  job.iterations = seconds / job.iteration_s;
  job.cls = classes[model];
  job.model = static_cast<std::uint16_t>(model);
}

Job DrawnModels::job_of_trace(std::uint64_t seed, std::int64_t id, double seconds) const {
  Job made;
  made.id = id;
  made.iterations = seconds;
  made.iteration_s = 1;
  draw(seed, made);
  return made;
}

}  // namespace palstudy
