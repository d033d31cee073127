// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace palstudy {

/// What lies beside the shards of a measurement, as `measure.json`, so that the same command goes on with it.
struct SessionFile {
  std::string id, start_utc, command_line;
  int launches = 1;               ///< how often the command was started
  std::vector<std::string> what;  ///< is measured and how, a line each; another command must say the same
};

/// "20261121T085312Z-48213907", and "-<label>" if there is one: unique among all profiles that will ever be merged.
/// Errors (usage): a label of other characters than letters, digits, '_', '.' and '-'.
[[nodiscard]] std::string new_session_id(const std::string& label);

void save_session(const std::filesystem::path& parts, const SessionFile& session);
/// Nothing if there is none. Errors (data): not what save_session writes.
[[nodiscard]] std::optional<SessionFile> load_session(const std::filesystem::path& parts);

/// Errors (usage): `what` is not what the session was begun with; says the first difference.
void require_same(const SessionFile& session, const std::vector<std::string>& what,
                  const std::filesystem::path& output);

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
