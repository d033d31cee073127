// SPDX-License-Identifier: MIT
#include "workload/predict/predictor.hpp"

namespace palstudy {
namespace {

class Exact final : public Predictor {
 public:
  [[nodiscard]] double gpu_s(const Job& job) const override { return gpu_time(job.ideal_s(), job); }
};

}  // namespace

void register_predictor_exact(PredictorRegistry& registry) {
  registry.add({"exact",
                "The time that the job needs at slowdown 1 and penalty 1.",
                {},
                {[](const PredictorContext&, const ParamValues&) { return std::make_unique<Exact>(); }}});
}

}  // namespace palstudy
