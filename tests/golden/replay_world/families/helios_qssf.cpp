// SPDX-License-Identifier: MIT
#include "replay.hpp"

namespace palstudy {

void register_replay_helios_qssf(ReplayParts& parts) {
  parts.add({"helios", "QSSF, its rivals and its predictors (folders qssf_*, predictor*)",
             [](const std::filesystem::path&, replay::Results&) {}});
}

}  // namespace palstudy
