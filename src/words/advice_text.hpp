// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/advice.hpp"

namespace palstudy {

/// "n05", or "node 4" where its host is not known.
[[nodiscard]] std::string node_name(const RankedNode& node);
/// Nodes without a measurement, by name.
[[nodiscard]] std::vector<std::string> unmeasured_nodes(const AdviceFound& found);
/// The slowest nodes that an action takes out of service: "n05, n11 and 3 more"; "" for none.
[[nodiscard]] std::string drained_text(const AdviceFound& found, const Action& action);
/// "drain 2 nodes", "prefer fast nodes", "place as PAL does": what is done.
[[nodiscard]] std::string action_text(const Action& action);
/// "-3.2 %"; "-" where jobs were left unfinished or could not run.
[[nodiscard]] std::string gain_text(const ActionGain& gain);
/// "-4.1 to -2.2 %"; "" without an interval.
[[nodiscard]] std::string gain_interval_text(const ActionGain& gain);
/// The answer: what to do, and what it brings.
[[nodiscard]] std::string advice_head(const AdviceFound& found);
/// What it saves and costs.
[[nodiscard]] std::string advice_effect(const AdviceFound& found);
/// "28 days"; under two days in hours.
[[nodiscard]] std::string days_text(double seconds);
/// "if nothing is done, jobs take 4.6 h on average, and 35 min of that they wait"; "" where some do not
/// finish.
[[nodiscard]] std::string nothing_text(const AdviceFound& found);
/// Why there is no interval; "" where there is one.
[[nodiscard]] std::string no_interval_text(const Advice& advice);
/// What an action needs at a site.
[[nodiscard]] std::string needs_text(ActionKind kind);
/// How draining the node of the slowest GPU compares with keeping its other GPUs, and with PAL.
[[nodiscard]] std::string slowest_gpu_text(const AdviceFound& found);
/// "penalty 1.35", "jobs x 1.2", "backfill none".
[[nodiscard]] std::string setting_text(const OtherSetting& setting);

/// What seemed to gain and did not on the other half of the measurements; "" if all did.
[[nodiscard]] std::string refuted_text(const AdviceFound& found);

}  // namespace palstudy
