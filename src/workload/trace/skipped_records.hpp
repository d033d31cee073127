// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace palstudy {

/// Records of a trace that make no job, by reason, for the note that says so.
class SkippedRecords {
 public:
  /// `reason` goes on from "3 ...", e.g. "never started".
  void add(const std::string& reason, std::size_t line);
  /// Adds a sentence to `notes` if anything was left out: how many of `records`, why, and where each reason comes
  /// first.
  void note(std::size_t records, std::vector<std::string>& notes) const;

 private:
  struct Reason {
    std::size_t count = 0, first_line = 0;
  };
  std::map<std::string, Reason> reasons_;
};

}  // namespace palstudy
