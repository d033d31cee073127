// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/csv.hpp"
#include "workload/job.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {

// Fields as every trace reader checks them. Errors (data) name file, line and column and what would be right.
[[nodiscard]] std::int64_t job_id(const CsvTable& table, std::size_t row, std::size_t column);
[[nodiscard]] std::uint32_t job_gpus(const CsvTable& table, std::size_t row, std::size_t column);
/// Of a log that has jobs of processors alone beside those of GPUs.
[[nodiscard]] bool wants_no_gpu(const CsvTable& table, std::size_t row, std::size_t column);
[[nodiscard]] double submit_time(const CsvTable& table, std::size_t row, std::size_t column);
/// More than 0; `what` is e.g. "work".
[[nodiscard]] double positive(const CsvTable& table, std::size_t row, std::size_t column, const char* what);
/// Refuses a job that needs longer than `longest_job_s` at slowdown 1; `column` is the one to name.
void check_length(const Job& job, const CsvTable& table, std::size_t row, std::size_t column);

/// The same of a length that is told in seconds.
void check_seconds(double seconds, const CsvTable& table, std::size_t row, std::size_t column);
/// Where a field stands.
[[nodiscard]] inline TracePlace place_of(const CsvTable& table, std::size_t row, std::size_t column) {
  return {table.line(row), table.place_in_line(row, column)};
}

}  // namespace palstudy
