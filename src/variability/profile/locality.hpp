// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "topology/topology.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// What sending between GPUs of a level costs, from a profile's transfers: alpha + bytes / beta.
struct LevelLink {
  double alpha_s = 0;           ///< of a message, whatever its size
  double seconds_per_byte = 0;  ///< 1 / beta
  double residual = 0;          ///< root mean square of the relative deviations from the fit
  std::size_t points = 0;       ///< measured sizes and groups; 0: not measured, taken from `from`
  std::string kernel;           ///< "allreduce", or "link" where a path has that alone
  std::string path;             ///< "peer", "nccl", ...: the measured path of the greatest beta
  Level from = Level::node;     ///< where it was measured
};

/// The links of a machine, by level.
struct LocalityModel {
  std::array<LevelLink, 3> levels;  ///< by Level
  std::vector<Note> notes;          ///< "few-links": what was not measured and what stands for it
  [[nodiscard]] const LevelLink& at(Level level) const { return levels[static_cast<std::size_t>(level)]; }
};

[[nodiscard]] std::string level_name(Level level);

/// Least squares of relative deviations, alpha and 1/beta not negative. An `allreduce` of S bytes over n ranks takes
/// 2 (n - 1) alpha + 2 (n - 1) / n x S / beta (a ring; Patarasuk & Yuan, JPDC 69(2), 2009), a `link` alpha + S / beta.
/// A level that was not measured takes the next wider one, the widest the next narrower.
/// Errors (data, at `where`): no transfers, or of one size only.
[[nodiscard]] LocalityModel fit_locality(const Profile& profile, const std::string& where);

/// What a model's iteration is made of.
struct ModelStep {
  double gradient_bytes = 0;  ///< exchanged in each iteration
  double iteration_s = 0;     ///< without the exchange
};

/// L(level) = (t_c + (1 - o) t_ar(level)) / (t_c + (1 - o) t_ar(node)) for a job of n GPUs, with t_c the iteration and
/// o the share of the exchange that computing hides (0 to 1). 1 for one GPU and for a model that exchanges nothing.
[[nodiscard]] LocalityPenalty measured_penalty(const LocalityModel& links, const ModelStep& model, std::uint32_t gpus,
                                               double overlap);

}  // namespace palstudy
