// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "sim/together.hpp"
#include "study/keys/key.hpp"

namespace palstudy {

/// How a study asks for a feature.
struct FeatureKey {
  Feature feature;
  bool (*in)(const RunPlan& run);  ///< whether a run has it; of jobs and models of jobs the study alone cannot tell
  std::string key;                 ///< the key that asks for it
  const char* example;             ///< a setting that does, for `palstudy list features`; "" if it takes more than keys
};
/// In the order of `feature_infos`, but for those that follow from the jobs alone.
[[nodiscard]] std::span<const FeatureKey> feature_keys();
/// The key that asks for a feature; null if only jobs do.
[[nodiscard]] const FeatureKey* key_of(Feature feature);

/// What a run has, as far as its study tells.
[[nodiscard]] Features features_of(const RunPlan& run);

/// Errors (usage): two features of the run do not go together. `values`: those that the run was made of.
void check_together(const RunPlan& run, const KeyValues& values);

}  // namespace palstudy
