// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/scheduler/elastic/elastic_states.hpp"
#include "sim/state/transaction.hpp"

namespace palstudy {

/// What a job is to have from now on.
struct ElasticDecision {
  JobSize size;                     ///< no GPUs: it stops, or goes on waiting
  bool stays = false;               ///< it runs, and keeps its GPUs
  std::span<const NodeId> nodes{};  ///< that it may have, ascending; empty: all
};

/// Carries decisions out, one for each of `states`. Jobs that do not stay give their GPUs first. Then the widest are
/// placed first, of equals those that came first, since few places are wide enough for them. A job that the placement
/// refuses is without GPUs until the next decision.
void carry_out(std::span<const ElasticState> states, std::span<const ElasticDecision> decisions,
               Transaction& transaction);

}  // namespace palstudy
