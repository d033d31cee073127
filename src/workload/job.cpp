// SPDX-License-Identifier: MIT
#include "workload/job.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

void bind_classes(Workload& workload, const std::vector<std::string>& class_names, const std::string& where,
                  const std::string& cluster) {
  std::vector<ClassId> bound;
  for (const auto& name : workload.classes) {
    const auto place = std::find(class_names.begin(), class_names.end(), name);
    if (place == class_names.end()) {
      throw data_error(fmt::format("jobs are of class \"{}\", which {} does not have", name, cluster), where,
                       fmt::format("classes of {}: {}", cluster, join(class_names)));
    }
    bound.emplace_back(static_cast<std::size_t>(place - class_names.begin()));
  }
  for (Job& job : workload.jobs) job.cls = bound[job.cls.index()];
  workload.classes = class_names;
}

}  // namespace palstudy
