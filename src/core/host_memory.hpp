// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

namespace palstudy {

/// Memory in MiB that processes can still have on this host: what the kernel calls available, or less where the
/// process's own limits or its control group say so. Nothing where the system does not tell.
[[nodiscard]] std::optional<double> available_memory_mib();

}  // namespace palstudy
