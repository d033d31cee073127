// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "campaign/cost.hpp"

namespace palstudy {

/// Refuses a campaign that needs more memory than there is, before anything is written. `simulating` processes of this
/// host load the inputs and simulate; one of them makes the archive afterwards.
/// Errors (data): at `study`, its file, with the numbers.
void check_memory(const std::string& study, const StudyCost& needed, int simulating,
                  std::optional<double> available_mib);

/// Refuses a campaign that would certainly fill the disk, before anything is written. `disk_mib` is the sum of
/// what the runs take at least.
/// Errors (data): less is free beside `output`, or the process may not write files that large.
void check_disk_space(const std::filesystem::path& output, double disk_mib);

}  // namespace palstudy
