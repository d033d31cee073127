// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/keys/key.hpp"
#include "topology/topology.hpp"

namespace palstudy {

/// A table of penalties by level, or the word "measured" in its place: network.penalty and policy.locality.
struct PenaltyTable {
  KeyName<std::string> name;
  std::string summary;  ///< how the summaries of its keys begin
  std::string absent;   ///< the default of the whole table, in words
  LocalityPenalty& (*penalty)(RunPlan&);
  bool& (*measured)(RunPlan&);

  [[nodiscard]] std::string level(const char* which) const { return std::string(name.name) + "." + which; }
  /// Whether the word or a level is there.
  [[nodiscard]] bool given_in(const KeyValues& values) const;
  [[nodiscard]] std::vector<Key> keys() const;
  /// Fills in the missing levels. Errors (usage): the word beside the table, a table without its widest level.
  void complete(KeyValues& values) const;
};

}  // namespace palstudy
