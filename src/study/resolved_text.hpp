// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Keys with their values as TOML, by section.
[[nodiscard]] std::string sections_text(const KeyValues& values);
/// The same with the axes: of a resolved study that was parsed, its text again.
[[nodiscard]] std::string study_text(const KeyValues& values, const std::map<std::string, ParsedAxis>& axes);

/// The study as TOML with all keys and axes written out. It reads back to the same runs, ids and digest. `common`: what
/// expand_runs returned; a default that differs among the runs is left out.
[[nodiscard]] std::string resolved_text(const ParsedStudy& parsed, const Study& study, const KeyValues& common);

/// The keys that the study gives another value than their default, with that value as TOML, sorted; of the sections
/// that decide how jobs are served and how fast they run, not of those that choose GPUs, jobs, seeds or tables. Axes
/// are left out, and so is what `told` names, where "network.penalty" stands for "network.penalty.node" too.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> changed_settings(const Study& study,
                                                                                const std::vector<std::string>& told);

}  // namespace palstudy
