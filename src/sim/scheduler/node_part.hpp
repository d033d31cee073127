// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace palstudy {

/// So many GPUs of a node, whichever they are: where schedulers that count GPUs put a job.
struct NodePart {
  std::uint32_t node = 0, gpus = 0;
  friend bool operator==(const NodePart&, const NodePart&) = default;
};

}  // namespace palstudy
