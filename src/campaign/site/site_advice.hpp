// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/advice.hpp"

namespace palstudy {

struct AdviceOptions {
  std::filesystem::path study;
  std::vector<std::string> overrides = {};  ///< as of --set
  std::string hosts_for = {};               ///< what needs the hosts of nodes, for the message; "" if nothing does
  /// Called once, when the first simulation is done: seconds that all will take, and how many they are.
  std::function<void(double, std::size_t)> told = {};
};

/// Tries all actions (ActionTrials), and draining the best number of nodes together with `pal-sticky`; then, of what is
/// advised, the gain under other penalties, loads, backfills and knowledge. Of GPUs that were measured several times
/// the advice has to stand where one half of the runs is believed and the other true (`confirm`). Errors: those of
/// ActionTrials; (usage) something needs hosts, and the study does not know them.
[[nodiscard]] AdviceFound site_advice(const AdviceOptions& options);

}  // namespace palstudy
