// SPDX-License-Identifier: MIT
#include "variability/slowdowns.hpp"

#include <utility>

#include "core/error.hpp"

namespace palstudy {

Slowdowns::Slowdowns(std::vector<std::string> class_names, std::size_t gpus, std::vector<double> values)
    : class_names_(std::move(class_names)), gpus_(gpus), values_(std::move(values)) {
  if (values_.size() != class_names_.size() * gpus_) throw fault("slowdowns of another size than classes x GPUs");
}

Slowdowns Slowdowns::flat(std::vector<std::string> class_names, std::size_t gpus) {
  const std::size_t size = class_names.size() * gpus;
  return {std::move(class_names), gpus, std::vector<double>(size, 1.0)};
}

}  // namespace palstudy
