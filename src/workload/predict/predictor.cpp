// SPDX-License-Identifier: MIT
#include "workload/predict/predictor.hpp"

namespace palstudy {

void register_predictors(PredictorRegistry& registry);  // generated

const PredictorRegistry& predictors() {
  static const PredictorRegistry registry = [] {
    PredictorRegistry all("predictor");
    register_predictors(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
