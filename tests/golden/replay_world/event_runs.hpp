// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/csv.hpp"
#include "replay.hpp"
#include "sim/simulation.hpp"

namespace palstudy::replay {

/// Jobs that arrive and end at whole seconds, on GPUs that are all alike and equally near.
struct EventRun {
  Workload workload;
  RunResult result;  ///< rows by JobId: sorted by arrival, then as in the file
};

/// Called after the order has observed an instant: with the view and the state of the order as numbers.
using Watch = std::function<void(const View& view, std::span<const double> state)>;

/// Runs job_id,num_gpus,submit_s,duration_s by the engine as it is, with `start = "event"` and boundaries at whole
/// seconds. `set` changes the parameters of the order.
[[nodiscard]] EventRun run_by_events(const std::filesystem::path& jobs, std::uint32_t gpus, const std::string& order,
                                     const EngineOptions& engine, const std::function<void(ParamValues&)>& set = {},
                                     const Watch& watch = {});

/// How a row of job_id,first_start_s,end_s,preemptions differs from the run; "" if it does not.
[[nodiscard]] std::string differs(const EventRun& run, const CsvTable& recorded, std::size_t row);
/// The job of a row. Errors (data): there is none.
[[nodiscard]] JobId job_of(const EventRun& run, const CsvTable& recorded, std::size_t row);

}  // namespace palstudy::replay
