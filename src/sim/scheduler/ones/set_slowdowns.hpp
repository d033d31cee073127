// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace palstudy {

/// The believed slowdowns of a partition's GPUs, as the search of ONES sees them: class by class, a value for each GPU.
class SetSlowdowns {
 public:
  SetSlowdowns(std::size_t gpus, std::vector<double> values) : gpus_(gpus), values_(std::move(values)) {}

  [[nodiscard]] std::size_t gpus() const { return gpus_; }
  [[nodiscard]] double of(ClassId cls, std::uint32_t gpu) const { return values_[cls.index() * gpus_ + gpu]; }

 private:
  std::size_t gpus_;
  std::vector<double> values_;
};

}  // namespace palstudy
