// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/random.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy {
namespace {

/// Predicts from the true time at slowdown 1 and penalty 1, with an error drawn by job.
class TrueTime final : public Predictor {
 public:
  using Predicted = std::function<double(double ideal_s, RandomStream& random)>;
  TrueTime(std::uint64_t seed, Predicted predicted) : seed_(seed), predicted_(std::move(predicted)) {}

  [[nodiscard]] double gpu_s(const Job& job) const override {
    RandomStream random(seed_, Purpose::prediction, static_cast<std::uint64_t>(job.id));
    return gpu_time(predicted_(job.ideal_s(), random), job);
  }

 private:
  std::uint64_t seed_;
  Predicted predicted_;
};

/// A part of the jobs whose relative errors lie between two sizes.
struct ErrorRange {
  double share_up_to, least, most;
};
constexpr ErrorRange ranges[] = {{0.1, 0, 0.1}, {0.5, 0.1, 0.5}, {0.7, 0.5, 1}, {0.9, 1, 10}, {1, 10, 100}};

/// Relative error of the predictor of Helios (SC'21) by its artifact's error model for Philly: within 10 % for a tenth
/// of the jobs, 50 % for a half, 100 % for 70 %, 1,000 % for 90 %; either sign is as likely.
double relative_error(RandomStream& random) {
  const double share = random.uniform();
  const ErrorRange* range = ranges;
  while (share > range->share_up_to) ++range;
  const double size = range->least + (range->most - range->least) * random.uniform();
  return random.below(2) == 0 ? size : -size;
}

}  // namespace

void register_predictor_true_time(PredictorRegistry& registry) {
  registry.add({"exact",
                "The time that the job needs at slowdown 1 and penalty 1.",
                {},
                {[](const PredictorContext& context, const ParamValues&) {
                  return std::make_unique<TrueTime>(context.seed,
                                                    [](double ideal_s, RandomStream&) { return ideal_s; });
                }}});
  registry.add({"lognormal",
                "The exact time times a lognormal factor of median 1, drawn for each job.",
                {{"predictor_sigma", ParamType::number, "",
                  "Standard deviation of the logarithm of predicted / true time; 0 is exact.", "1", 0, 10}},
                {[](const PredictorContext& context, const ParamValues& params) {
                   const double sigma = params.number("predictor_sigma");
                   return std::make_unique<TrueTime>(context.seed, [sigma](double ideal_s, RandomStream& random) {
                     return ideal_s * std::exp(sigma * random.normal());
                   });
                 },
                 true}});
  registry.add({"helios-error",
                "The exact time with errors distributed as Helios (SC'21) says of its own predictor, in whole seconds.",
                {},
                {[](const PredictorContext& context, const ParamValues&) {
                   return std::make_unique<TrueTime>(context.seed, [](double ideal_s, RandomStream& random) {
                     return std::trunc(ideal_s * (1.0 + relative_error(random)));
                   });
                 },
                 true}});
}

}  // namespace palstudy
