// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/random.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy {
namespace {

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

class HeliosError final : public Predictor {
 public:
  explicit HeliosError(std::uint64_t seed) : seed_(seed) {}
  [[nodiscard]] double gpu_s(const Job& job) const override {
    RandomStream random(seed_, Purpose::prediction, static_cast<std::uint64_t>(job.id));
    return gpu_time(std::trunc(job.ideal_s() * (1.0 + relative_error(random))), job);
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

void register_predictor_helios_error(PredictorRegistry& registry) {
  registry.add(
      {"helios-error",
       "The exact time with errors distributed as Helios (SC'21) says of its own predictor, in whole seconds.",
       {},
       {[](const PredictorContext& context, const ParamValues&) { return std::make_unique<HeliosError>(context.seed); },
        true}});
}

}  // namespace palstudy
