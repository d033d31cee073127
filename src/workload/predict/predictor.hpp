// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>

#include "core/registry.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// Predicts the GPU time of jobs. Of two predictors that were given the same ended jobs in the same order both predict
/// the same.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// GPU-seconds that the job will need.
  [[nodiscard]] virtual double gpu_s(const Job& job) const = 0;
  /// Whether `learn` does anything.
  [[nodiscard]] virtual bool learns() const { return false; }
  /// A job has ended after it held its GPUs for `seconds`.
  virtual void learn(const Job& job, double seconds) { (void)job, (void)seconds; }
};

/// GPU-seconds of a job that is predicted to run for `seconds`; no prediction is under 1 s.
[[nodiscard]] inline double gpu_time(double seconds, const Job& job) { return std::max(seconds, 1.0) * job.gpus; }

/// Seconds that predictors which learn give where no job has ended, as the artifact of Helios does.
inline constexpr double before_anything_s = 1000;

/// What a predictor is made with; it outlives the predictor.
struct PredictorContext {
  const Workload& workload;
  std::uint64_t seed = 1;  ///< `workload.seed`
};

struct MakePredictor {
  std::function<std::unique_ptr<Predictor>(const PredictorContext&, const ParamValues&)> make;
  bool draws = false;  ///< by `workload.seed`
};
using PredictorRegistry = Registry<MakePredictor>;

/// Every predictor of the program.
[[nodiscard]] const PredictorRegistry& predictors();

}  // namespace palstudy
