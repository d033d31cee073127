// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "workload/elastic/elastic_model.hpp"

namespace palstudy {

/// A batch and what it yields.
struct Tuned {
  Batch batch;
  double goodput = 0;  ///< useful samples a second; 0: no batch is allowed
};

/// How so many samples are shared by GPUs: the fewest passes whose samples a GPU holds. One GPU that trains with more
/// than the initial batch makes two passes at least, since otherwise it could not measure its noise. A pass is rounded
/// up to whole samples, so that the batch may be some larger than asked for.
[[nodiscard]] Batch batch_of(const BatchLimits& limits, std::uint32_t max_local, std::uint32_t gpus, double samples);

/// The batch of greatest goodput among 50 in geometric order, from the initial batch, or the smallest that so many
/// GPUs can have, up to the largest. The first of equals. (Pollux's goodput function.)
[[nodiscard]] Tuned best_batch(const BatchLimits& limits, const TypeTime& type, JobShape shape, double noise,
                               const SlowGpus& slow = {});

/// The batch that a job trains with: the best one, made smaller where rounding up took it over the largest batch. The
/// goodput is that of the batch before.
[[nodiscard]] Tuned tuned(const BatchLimits& limits, const TypeTime& type, JobShape shape, double noise,
                          const SlowGpus& slow = {});

}  // namespace palstudy
