// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/tables/text_table.hpp"
#include "variability/binning/bins.hpp"
#include "variability/profile/locality.hpp"
#include "variability/profile/profile.hpp"
#include "variability/sources/measurements.hpp"
#include "workload/model_table.hpp"

namespace palstudy {

/// A row a measurement: how many GPUs, the spread of their slowdowns, which classes stand on it.
[[nodiscard]] FigureTable distribution_table(const std::vector<Measurements>& profile);
/// A row a node of a measurement, slowest first, at most `nodes` of each.
[[nodiscard]] FigureTable node_table(const std::vector<Measurements>& profile, std::size_t nodes);
/// A row a measurement: whether a GPU that was slow is slow again, and how alike the GPUs of a node are.
[[nodiscard]] FigureTable reliability_table(const std::vector<Measurements>& profile);
/// A row a GPU that is off the median GPU, farthest first, at most `gpus` of each measurement: whether two sessions say
/// so.
[[nodiscard]] FigureTable outlier_table(const std::vector<Measurements>& profile, std::size_t gpus);
/// A row a bar of each measurement's histogram of slowdowns.
[[nodiscard]] FigureTable histogram_table(const std::vector<Measurements>& profile);
/// The histograms as bars of text.
[[nodiscard]] std::string histogram_text(const std::vector<Measurements>& profile);
/// A row a bin.
[[nodiscard]] FigureTable bin_table(const std::vector<Measurements>& profile, const BinRule& rule);

/// How much of a machine a profile covers: nodes by sessions, GPUs with fewer sessions than others.
[[nodiscard]] std::string coverage_text(const Profile& profile);
/// The coverage as JSON, for programs.
[[nodiscard]] std::string coverage_json(const Profile& profile);

/// A row a level: what a message and a byte cost, and how well that fits the transfers.
[[nodiscard]] FigureTable link_table(const LocalityModel& links);
/// A row a model with known gradient bytes: the penalty of each level for a job of so many GPUs.
[[nodiscard]] FigureTable penalty_table(const LocalityModel& links, const ModelTable& models, std::uint32_t gpus,
                                        double overlap);

}  // namespace palstudy
