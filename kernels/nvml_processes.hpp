// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/nvml_device.hpp"

namespace palstudy {

/// The ids of the processes that compute on a GPU; nothing where NVML does not list them. In a container they may be
/// ids that mean nothing there.
[[nodiscard]] std::optional<std::vector<unsigned>> computing_processes(const NvmlDevice& nvml);

/// How many of `computing` are not of `own`, while a process of `own` computes on the GPU. Where none of its ids is
/// listed, ids cannot be compared, and as many as there are in `own` are taken to be its.
[[nodiscard]] std::size_t other_processes(const std::vector<unsigned>& computing, const std::vector<unsigned>& own);

}  // namespace palstudy
