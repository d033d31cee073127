// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace palstudy {

/// How far a measurement is.
struct MeasurementStatus {
  std::size_t repeats = 0, kernels = 0, gpus = 0;  ///< so far
  std::size_t wanted = 0;                          ///< repeats of each kernel on each GPU; 0 if that is not known
  std::string session, begun_utc;
  int launches = 1;                   ///< how often the command was started
  std::vector<std::string> problems;  ///< shards that cannot be read whole
};
/// The status of the measurement that will write `profile`, from its shards; nothing if none is in progress. Changes
/// nothing and may run beside it. Errors (data): measure.json or a shard cannot be read.
[[nodiscard]] std::optional<MeasurementStatus> measurement_status(const std::filesystem::path& profile);
/// A line, and one more for each problem.
[[nodiscard]] std::string to_text(const MeasurementStatus& status);

}  // namespace palstudy
