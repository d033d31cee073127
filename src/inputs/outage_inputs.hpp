// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inputs/input_files.hpp"
#include "sim/state/world.hpp"

namespace palstudy {

/// The outages of nodes in a study's runs, from CSV files with the columns node, from_s, to_s and kind.
class OutageInputs {
 public:
  explicit OutageInputs(InputFiles& files) : files_(files) {}

  /// None in runs without a file. Errors (data, file:line:column): no such node, an outage that does not end after it
  /// begins, a kind that is neither drain nor down.
  const std::vector<Outage>& of(const RunPlan& run, const Topology& topology);

 private:
  InputFiles& files_;
  std::map<std::string, std::unique_ptr<std::vector<Outage>>> outages_;
};

}  // namespace palstudy
