// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace palstudy {

/// A time as sites write it, in seconds since 1970.
struct SiteTime {
  double s = 0;
  bool zoneless = false;  ///< taken as UTC
};
/// Seconds since 1970, or "2026-09-01T12:00:00" with a blank or a T, with fractions, and with Z, +01:00, +0100 or no
/// zone behind. None if the text is anything else.
[[nodiscard]] std::optional<SiteTime> site_time(std::string_view text);

/// Slurm's "[D-]HH:MM:SS", or whole minutes, in seconds. None if the text is anything else, such as UNLIMITED,
/// Partition_Limit or nothing.
[[nodiscard]] std::optional<double> slurm_span_s(std::string_view text);

/// What a list of Slurm's resources says of GPUs.
struct SlurmGpus {
  std::int64_t whole = 0;
  bool shares = false;  ///< it has parts of GPUs: slices, shards, MPS
};
/// GPUs of a list of TRES, such as "cpu=8,gres/gpu:a100=2,gres/gpu=2": the entry without a type is the total of those
/// with one. Or of a list of gres, as Slurm wrote it up to 20.02: "gpu:2", "gpu:a100:2".
[[nodiscard]] SlurmGpus slurm_gpus(std::string_view list);

}  // namespace palstudy
