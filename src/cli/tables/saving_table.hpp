// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "policy/power/power_rule.hpp"
#include "policy/power/series_replay.hpp"

namespace palstudy {

/// A rule with a forecast on a series.
struct SavingRow {
  std::string rule, forecast, settings;
  PowerSaving saving;
};

/// The forecast that a series brings along in its own column.
inline constexpr auto recorded_forecast = "recorded";

/// What the chosen rule would have saved, and then others beside it: the same rule with every forecast, timers without
/// and with the chosen spare nodes (or the buffer of `ces`), and the oracle.
[[nodiscard]] std::vector<SavingRow> saving_rows(const NodeSeries& series, const PowerOptions& chosen);

[[nodiscard]] std::string saving_text(const std::vector<SavingRow>& rows, const NodeSeries& series, double tick_s);
/// The chosen rule's row, with the others as `others`.
[[nodiscard]] std::string saving_json(const std::vector<SavingRow>& rows);

}  // namespace palstudy
