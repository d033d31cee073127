// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "workload/model_table.hpp"

namespace palstudy {

/// The models of a table as a generator draws them: by number, in the order of their names.
struct DrawnModels {
  std::vector<double> iteration_s;
  std::vector<ClassId> classes;
  std::uint16_t largest = 0;  ///< exchanges the most bytes an iteration: what a large training job is taken to be

  /// A job of the model that runs for `seconds` at slowdown 1 and penalty 1.
  [[nodiscard]] Job job(std::uint32_t model, double seconds) const;
  /// Gives a job of a trace a model, which keeps its time: each is as likely, whatever other jobs there are.
  void draw(std::uint64_t seed, Job& job) const;
  /// A job of a trace that names no model.
  [[nodiscard]] Job job_of_trace(std::uint64_t seed, std::int64_t id, double seconds) const;
};

/// How many models of a table are drawn.
[[nodiscard]] std::uint32_t drawn_models(const ModelTable& table);

/// Adds the table's models that are drawn, and their classes, to a workload that has none. Errors (data): there are
/// none.
[[nodiscard]] DrawnModels add_models(const ModelTable& table, Workload& out);

}  // namespace palstudy
