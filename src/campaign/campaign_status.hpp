// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "study/study.hpp"

namespace palstudy {

/// How far a campaign is, read from its shards: `palstudy status`. Changes nothing and may run beside it.
struct CampaignStatus {
  bool archived = false;                        ///< the archive is there and no shards are left
  bool running = false;                         ///< a process works on it now
  std::int64_t runs = 0, done = 0, failed = 0;  ///< of a study with a stopping rule: up to the look at hand
  std::string left_to_do;  ///< the command that writes the archive, where no run is missing; else ""
  std::string next;        ///< the command to type next; "" while a process works on it
  std::string look;        ///< which that is, or which looks were taken; "" without such a rule
  struct Begun {
    std::int64_t run;
    std::string id;
    double time_s;        ///< simulated, of its checkpoint
    std::uint64_t bytes;  ///< of its checkpoint
  };
  std::vector<Begun> begun;  ///< runs that have a checkpoint, by number
};
/// Errors (data): neither an archive nor shards.
[[nodiscard]] CampaignStatus campaign_status(const std::filesystem::path& output);
/// At which look of its stopping rule `study` would go on with what lies beside `output`, as a line; "" without a rule.
[[nodiscard]] std::string look_text(const Study& study, const std::filesystem::path& output);

}  // namespace palstudy
