// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy {
namespace {

/// As they stand: with the error model of Helios' artifact predictions are negative, and such jobs come first.
class ColumnPredictor final : public Predictor {
 public:
  [[nodiscard]] double gpu_s(const Job& job) const override { return job.predicted_s * job.gpus; }
};

std::unique_ptr<Predictor> make_column(const PredictorContext& context, const ParamValues&) {
  for (const Job& job : context.workload.jobs) {
    if (!std::isnan(job.predicted_s)) continue;
    throw data_error(fmt::format("job {} has no predicted_s, which predictor \"column\" reads", job.id), "workload",
                     "give every job of the trace one, or choose another predictor");
  }
  return std::make_unique<ColumnPredictor>();
}

}  // namespace

void register_predictor_column(PredictorRegistry& registry) {
  registry.add({"column",
                "The column predicted_s of the trace as it stands, which any model can fill; negative ones come first.",
                {},
                {make_column}});
}

}  // namespace palstudy
