// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "study/run_plan.hpp"

namespace palstudy {

/// Notes of a study that begin so name the job models whose shares of communication are assumptions (`calibrated =
/// false`). The archive keeps them, and `compare` repeats them beside its gains.
inline constexpr const char* uncalibrated_note = "uncalibrated: ";

}  // namespace palstudy

/// Texts that name all options on which an input depends, so that runs with equal texts share the input.
namespace palstudy {

/// The trace as written, or the generator: the place of an error about a job.
[[nodiscard]] std::string jobs_of(const RunPlan& run);
[[nodiscard]] std::string topology_text(const RunPlan& run);
[[nodiscard]] std::string cluster_text(const RunPlan& run);
/// The knowledge of the policies, beside the cluster.
[[nodiscard]] std::string belief_text(const RunPlan& run);
[[nodiscard]] std::uint64_t belief_seed(const RunPlan& run);
[[nodiscard]] std::string workload_text(const RunPlan& run);

}  // namespace palstudy
