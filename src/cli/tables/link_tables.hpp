// SPDX-License-Identifier: MIT
#pragma once

#include "cli/tables/figure_table.hpp"
#include "variability/profile/locality.hpp"
#include "workload/model_table.hpp"

namespace palstudy {

/// A row a level: what a message and a byte cost, and how well that fits the transfers.
[[nodiscard]] FigureTable link_table(const LocalityModel& links);
/// A row a model with known gradient bytes: the penalty of each level for a job of so many GPUs.
[[nodiscard]] FigureTable penalty_table(const LocalityModel& links, const ModelTable& models, std::uint32_t gpus,
                                        double overlap);

}  // namespace palstudy
