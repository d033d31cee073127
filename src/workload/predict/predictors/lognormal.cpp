// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy {
namespace {

/// True time times exp(sigma z), z standard normal by Box and Muller, drawn by job.
class Lognormal final : public Predictor {
 public:
  Lognormal(std::uint64_t seed, double sigma) : seed_(seed), sigma_(sigma) {}

  [[nodiscard]] double gpu_s(const Job& job) const override {
    RandomStream random(seed_, Purpose::prediction, static_cast<std::uint64_t>(job.id));
    const double radius = std::sqrt(-2.0 * std::log(random.uniform_positive()));
    const double z = radius * std::cos(2.0 * std::numbers::pi * random.uniform());
    return gpu_time(job.ideal_s() * std::exp(sigma_ * z), job);
  }

 private:
  std::uint64_t seed_;
  double sigma_;
};

}  // namespace

void register_predictor_lognormal(PredictorRegistry& registry) {
  registry.add({"lognormal",
                "The exact time times a lognormal factor of median 1, drawn for each job.",
                {{"predictor_sigma", ParamType::number, "",
                  "Standard deviation of the logarithm of predicted / true time; 0 is exact.", "1", 0, 10}},
                {[](const PredictorContext& context, const ParamValues& params) {
                   return std::make_unique<Lognormal>(context.seed, params.number("predictor_sigma"));
                 },
                 true}});
}

}  // namespace palstudy
