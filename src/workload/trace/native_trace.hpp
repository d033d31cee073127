// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "workload/job.hpp"

namespace palstudy {

/// What workload.reader calls the program's own format.
inline constexpr const char* native_reader = "native";

/// The columns of the program's own format of traces, in the order in which they are written.
enum class NativeColumn : std::uint8_t {
  job_id,
  submit_s,
  num_gpus,
  iterations,
  iteration_s,
  cls,
  model,
  tenant,
  user,
  name,
  estimate_s,
  predicted_s,
  start_s,
  end_s,
  queue,
  account,
  after,
  array
};

struct NativeColumnInfo {
  const char* name;
  bool required = false;
};
inline constexpr std::array<NativeColumnInfo, 18> native_columns = {{{"job_id", true},
                                                                     {"submit_s", true},
                                                                     {"num_gpus", true},
                                                                     {"iterations", true},
                                                                     {"iteration_s", true},
                                                                     {"class", true},
                                                                     {"model"},
                                                                     {"tenant"},
                                                                     {"user"},
                                                                     {"name"},
                                                                     {"estimate_s"},
                                                                     {"predicted_s"},
                                                                     {"start_s"},
                                                                     {"end_s"},
                                                                     {"queue"},
                                                                     {"account"},
                                                                     {"after"},
                                                                     {"array"}}};

[[nodiscard]] constexpr const NativeColumnInfo& info_of(NativeColumn column) {
  return native_columns.at(static_cast<std::size_t>(column));
}

/// The jobs as a trace that the reader `native` makes the same jobs of, to the bit. A column that is not required is
/// there if some job has it.
/// The reader numbers tenants as they come, and ties between tenants go by that number. So where the tenants of jobs by
/// arrival do not come in the order of their numbers, the first job of each comes before the others.
[[nodiscard]] std::string native_trace(const Workload& workload);

/// Whether both have the same jobs in the same order, every number to the bit, under the same names. How the names are
/// numbered may differ.
[[nodiscard]] bool same_jobs(const Workload& a, const Workload& b);

/// Whether the tenants that have jobs are numbered in the same order in both.
[[nodiscard]] bool same_order_of_tenants(const Workload& a, const Workload& b);

}  // namespace palstudy
