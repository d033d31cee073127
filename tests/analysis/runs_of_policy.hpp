// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/overload.hpp"

namespace palstudy {

/// So many overloaded runs, with a backlog, and others.
inline PolicyOverload runs_of(const std::string& name, int overloaded, int backlogs, int others) {
  PolicyOverload result{name, {}};
  for (int i = 0; i < overloaded; ++i) result.runs.add(1.5, 9);
  for (int i = 0; i < backlogs; ++i) result.runs.add_backlog(-4);
  for (int i = 0; i < others; ++i) result.runs.add_other();
  return result;
}

}  // namespace palstudy
