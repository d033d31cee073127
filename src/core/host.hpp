// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace palstudy {

/// Now, in UTC: "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();
/// The name of this machine, "unknown" if it has none.
[[nodiscard]] std::string host_name();

/// Has memory that was freed kept for what comes next instead of given back to the system: a run drops arrays as large
/// as those that the next one makes, and page by page new memory costs a short run more than a tenth of its time. All
/// threads share it. Must be called before memory is allocated. Works with glibc only; elsewhere it does nothing.
void keep_freed_memory();

/// Memory in MiB that processes can still have on this host: what the kernel calls available, or less where the
/// process's own limits or its control group say so. Nothing if the system does not report it.
[[nodiscard]] std::optional<double> available_memory_mib();

/// Seconds of a processor that the calling thread has had so far.
[[nodiscard]] double processor_s();

}  // namespace palstudy
