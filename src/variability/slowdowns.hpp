// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"

namespace palstudy {

class Topology;

/// How much slower than the median each GPU of a cluster is, per class: time on this GPU / time on the median GPU.
/// 1 is the median, larger is slower. The PAL paper calls it the PM-score.
class Slowdowns {
 public:
  /// `values[c * gpus + g]`, all finite and positive; `class_names` sorted and distinct.
  /// Errors (fault): sizes that do not fit.
  Slowdowns(std::vector<std::string> class_names, std::size_t gpus, std::vector<double> values)
      : class_names_(std::move(class_names)), gpus_(gpus), values_(std::move(values)) {
    if (values_.size() != class_names_.size() * gpus_) throw fault("slowdowns of another size than classes x GPUs");
  }
  /// Every GPU as fast as the median: the belief of `knowledge = "flat"`.
  static Slowdowns flat(std::vector<std::string> class_names, std::size_t gpus) {
    const std::size_t size = class_names.size() * gpus;
    return {std::move(class_names), gpus, std::vector<double>(size, 1.0)};
  }

  [[nodiscard]] std::size_t gpus() const { return gpus_; }
  [[nodiscard]] std::size_t classes() const { return class_names_.size(); }
  [[nodiscard]] const std::vector<std::string>& class_names() const { return class_names_; }
  [[nodiscard]] double at(ClassId cls, GpuId gpu) const { return values_[cls.index() * gpus_ + gpu.index()]; }
  /// The slowdowns of one class, by GPU.
  [[nodiscard]] std::span<const double> of(ClassId cls) const { return {values_.data() + cls.index() * gpus_, gpus_}; }

 private:
  std::vector<std::string> class_names_;
  std::size_t gpus_;
  std::vector<double> values_;
};

/// `source = "table"`: `gpu_id,node_id,class,score`, further columns ignored. Classes sorted by name.
/// Errors (data, with file:line:column): a missing or doubled (GPU, class), a GPU or node beyond the topology or in
/// another node than the topology says, a slowdown under 1e-6 or over 1e6.
[[nodiscard]] Slowdowns read_slowdown_table(const std::filesystem::path& path, const Topology& topology);
/// Parses the table from memory, for tests and fuzzing.
[[nodiscard]] Slowdowns parse_slowdown_table(std::string text, const std::string& name, const Topology& topology);

}  // namespace palstudy
