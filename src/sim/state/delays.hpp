// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace palstudy {

/// Why a job waits after a boundary (Jeon et al., ATC'19, section 3.1, refined):
/// gang: it holds a part of its GPUs, or backs off from having held one; else
/// fair_share: it would take its tenant over quota, and there is too little to borrow; else
/// locality: it would take GPUs that are free but for its patience (`ladder.patience`); else
/// fragmentation: within quota there is no placement at the level that it may take now.
enum class DelayCause : std::uint8_t { fair_share, fragmentation, gang, locality, none };
inline constexpr std::size_t delay_causes = 4;

/// Seconds that jobs waited from the first boundary after their arrival on, by cause and by JobId, and how they then
/// lay on the nodes; empty without tenants.
struct DelayRows {
  std::array<std::vector<double>, delay_causes> seconds;
  std::vector<double> node_s;    ///< nodes x seconds for which GPUs were held
  std::vector<double> shared_s;  ///< seconds in which neighbours slowed the job
  [[nodiscard]] std::size_t size() const { return seconds[0].size(); }
  [[nodiscard]] const std::vector<double>& of(DelayCause cause) const {
    return seconds[static_cast<std::size_t>(cause)];
  }
  /// Of so many jobs.
  void resize(std::size_t jobs);
  /// Adds those of another part of the cluster, of no more jobs.
  void add(const DelayRows& part);
  void serialize(auto& archive, unsigned /*version*/) {
    for (auto& column : seconds) (archive & column);
    (archive & node_s & shared_s);
  }
};

}  // namespace palstudy
