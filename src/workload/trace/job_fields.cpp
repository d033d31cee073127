// SPDX-License-Identifier: MIT
#include "workload/trace/job_fields.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

std::int64_t job_id(const CsvTable& table, std::size_t row, std::size_t column) {
  return table.integer(row, column, 0, INT64_MAX);
}

std::uint32_t job_gpus(const CsvTable& table, std::size_t row, std::size_t column) {
  const long long gpus = table.integer(row, column);
  if (gpus < 1 || gpus > most_job_gpus) {
    throw data_error(fmt::format("a job of {} GPUs", gpus), table.where(row, column),
                     fmt::format("A job needs at least 1 GPU, and can have {} at most.", most_job_gpus));
  }
  return static_cast<std::uint32_t>(gpus);
}

bool wants_no_gpu(const CsvTable& table, std::size_t row, std::size_t column) {
  return table.integer(row, column) == 0;
}

double submit_time(const CsvTable& table, std::size_t row, std::size_t column) {
  const double time = table.number(row, column);
  if (time < 0 || time > longest_job_s) {
    throw data_error(fmt::format("submitted at {} s", shortest(time)), table.where(row, column),
                     fmt::format("Times count from 0, and end at {} s.", shortest(longest_job_s)));
  }
  return time + 0.0;  // -0 as 0
}

double positive(const CsvTable& table, std::size_t row, std::size_t column, const char* what) {
  const double value = table.number(row, column);
  if (!(value > 0)) {
    throw data_error(fmt::format("{} of {}", what, shortest(value)), table.where(row, column), "It has to be over 0.");
  }
  return value;
}

void check_length(const Job& job, const CsvTable& table, std::size_t row, std::size_t column) {
  check_seconds(job.ideal_s(), table, row, column);
}

void check_seconds(double seconds, const CsvTable& table, std::size_t row, std::size_t column) {
  if (!(seconds <= longest_job_s)) {
    throw data_error(
        fmt::format("a job of {} s", shortest(seconds)), table.where(row, column),
        fmt::format("A job may need {} s at most, iterations x seconds per iteration.", shortest(longest_job_s)));
  }
}

}  // namespace palstudy
