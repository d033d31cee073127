// SPDX-License-Identifier: MIT
#include "workload/drawn_models.hpp"

#include <algorithm>

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
    const auto place = std::find(out.classes.begin(), out.classes.end(), info.cls);
    drawn.classes.emplace_back(static_cast<std::size_t>(place - out.classes.begin()));
    if (place == out.classes.end()) out.classes.push_back(info.cls);
    if (info.gradient_bytes > most_bytes) {
      most_bytes = info.gradient_bytes;
      drawn.largest = static_cast<std::uint16_t>(out.models.size());
    }
    out.models.push_back(name);
    out.model_use.push_back({info.gpu_util, info.mem_bw_util});
    drawn.iteration_s.push_back(info.iteration_s);
  }
  return drawn;
}

}  // namespace palstudy
