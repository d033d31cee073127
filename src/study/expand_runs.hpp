// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Makes all runs of a study, `study.runs`; `study.axes` must be there. Every combination of the keys that others
/// depend on is completed once, and the runs that differ from it in independent keys alone are copies of it. Adds to
/// `used` the parameters of the policies and generators of the runs. Errors (usage): those of fill_defaults, for the
/// first run that has one.
void expand_runs(const ParsedStudy& parsed, Study& study, std::set<std::string>& used);

}  // namespace palstudy
