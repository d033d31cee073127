// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/comparison.hpp"

namespace palstudy {

/// What a comparison holds as values, in words.

/// "cluster.source = measured"; a trace by its name.
[[nodiscard]] std::string label_text(const GroupLabel& label, const std::map<std::string, std::string>& trace_names);

/// "3 jobs unfinished", "unstable, the queue grows by 12.3 jobs/h"
[[nodiscard]] std::string no_claim_text(NoClaim why, double jobs_unfinished, double growth_per_h);
/// "run 3 (workload.trace = sia1): failed"
[[nodiscard]] std::string left_out_text(const LeftOutRun& run, const std::map<std::string, std::string>& trace_names);

/// What stands after "95 % interval": "over 10 other placements of these GPUs under this one trace".
[[nodiscard]] std::string scope_text(const IntervalOver& over);

/// "3 of at least 8 cluster seeds"; `blocks`: of the trace that is resampled, if one is.
[[nodiscard]] std::string no_interval_text(const NoInterval& missing, const std::optional<TraceBlocks>& blocks);
/// "Student's t of the log-ratios"
[[nodiscard]] std::string method_text(const PolicyGain& gain, const std::optional<TraceBlocks>& blocks);
/// Of resampled traces, how often such intervals held the truth in simulations: "98 to 100 %", "not tested".
[[nodiscard]] std::string held_text(Coverage known, const std::optional<TraceBlocks>& blocks);
/// The same as a clause, with its consequence; "" where no trace is resampled.
[[nodiscard]] std::string coverage_text(Coverage known, const std::optional<TraceBlocks>& blocks);

/// "measured: jobs 0 to 159 ...", and where the cluster is empty when the first of them arrives.
[[nodiscard]] std::string measured_text(const Comparison& comparison);
/// "offered load: 0.71"; "" where it is not known.
[[nodiscard]] std::string offered_text(const Comparison& comparison);
/// The looks of `[stop]` that were taken, and what follows for intervals; "" without.
[[nodiscard]] std::string stop_text(const Comparison& comparison);

}  // namespace palstudy
