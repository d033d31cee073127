// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace palstudy {

/// How far the measurement is that will write `profile`, in a line, read from its shards; nothing if none is in
/// progress. Changes nothing and may run beside it. Errors (data): measure.json or a shard cannot be read.
[[nodiscard]] std::optional<std::string> measurement_status(const std::filesystem::path& profile);

}  // namespace palstudy
