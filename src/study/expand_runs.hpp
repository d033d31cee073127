// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Makes all runs of a draft, `study.runs`; `study.axes` must be there. `used` gets the parameters that some run's
/// policies or generator have. Errors (usage): those of `complete`, of the first run that has one.
void expand_runs(const Draft& draft, Study& study, std::set<std::string>& used);

}  // namespace palstudy
