// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "study/keys/keys.hpp"
#include "study/parsed_study.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Which jobs are measured, as a word; its table, first and last, are keys of their own.
inline constexpr const char* measured_jobs_key = "measure.jobs";

/// The keys of [measure].
[[nodiscard]] std::vector<KeySpec> measure_keys();
/// Fills in what is measured where nothing is given: all jobs of a trace. Errors (usage): keys that contradict each
/// other.
void complete_measure(const Point& given, Point& point);
/// `measure.initial`, in the runs that it is about: a window that begins when the first jobs of a generator already
/// run. The parameters of the generator are in `point`.
void complete_initial(Point& point);
/// Of a completed point: what is measured, who said so, and where.
void plan_measure(const Point& point, RunPlan& plan);
/// Whether the study names jobs by number or a window, so that no word says what is measured.
[[nodiscard]] bool names_measured(const Draft& draft);
/// Adds the keys of [measure] that the runs have and the point of the first of them may lack, for the resolved study.
void add_measured(const Draft& draft, const Study& study, Point& keys);

}  // namespace palstudy
