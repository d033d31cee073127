// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "inputs/measured_jobs.hpp"

namespace palstudy {

struct Study;

/// "measured: all 4,985 jobs of the trace": one line about the measured jobs of a study.
[[nodiscard]] std::string measured_line(const std::vector<MeasuredSet>& sets);
/// The same without numbers of jobs, before any are loaded.
[[nodiscard]] std::string measured_line(const Study& study);

/// "offered load: 0.71", or the least and the most of several workloads; where a part of a trace is measured also that
/// of the whole trace and of its busiest stretch, since the part was chosen by hand. "" where no load is known.
[[nodiscard]] std::string load_text(const std::vector<MeasuredSet>& sets);
/// The same, and how many workloads that are measured from their first job on overload the cluster.
[[nodiscard]] std::string load_line(const std::vector<MeasuredSet>& sets);

}  // namespace palstudy
