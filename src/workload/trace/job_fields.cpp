// SPDX-License-Identifier: MIT
#include "workload/trace/job_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"

namespace palstudy {

std::int64_t job_id(const CsvTable& table, std::size_t row, std::size_t column) {
  return table.integer(row, column, 0, INT64_MAX);
}

std::uint32_t job_gpus(const CsvTable& table, std::size_t row, std::size_t column) {
  const long long gpus = table.integer(row, column);
  if (gpus < 1 || gpus > most_job_gpus) {
    throw data_error(fmt::format("a job of {} GPUs", gpus), table.where(row, column),
                     fmt::format("a job needs at least 1 GPU, and can have {} at most", most_job_gpus));
  }
  return static_cast<std::uint32_t>(gpus);
}

double submit_time(const CsvTable& table, std::size_t row, std::size_t column) {
  const double time = table.number(row, column);
  if (time < 0 || time > longest_job_s) {
    throw data_error(fmt::format("submitted at {} s", shortest(time)), table.where(row, column),
                     fmt::format("times count from 0, and end at {} s", shortest(longest_job_s)));
  }
  return time + 0.0;  // -0 as 0
}

double positive(const CsvTable& table, std::size_t row, std::size_t column, const char* what) {
  const double value = table.number(row, column);
  if (!(value > 0)) {
    throw data_error(fmt::format("{} of {}", what, shortest(value)), table.where(row, column), "give a number over 0");
  }
  return value;
}

void check_seconds(double seconds, const CsvTable& table, std::size_t row, std::size_t column) {
  if (!(seconds <= longest_job_s)) {
    throw data_error(
        fmt::format("a job of {} s", shortest(seconds)), table.where(row, column),
        fmt::format("a job may need {} s at most, iterations x seconds per iteration", shortest(longest_job_s)));
  }
}

std::string_view first_line_of(std::string_view beginning) {
  beginning.remove_prefix(std::min(beginning.size(), beginning.find_first_not_of(" \t\r\n")));
  std::string_view line = beginning.substr(0, beginning.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool names_columns(std::string_view beginning, const std::vector<std::string>& columns) {
  try {
    const CsvTable table = CsvTable::parse(std::string(first_line_of(beginning)), "");
    return std::ranges::all_of(columns, [&](const std::string& name) { return table.has_column(name); });
  } catch (const Error&) {
    return false;  // no table
  }
}

NameIndex::NameIndex(std::vector<std::string>& names, std::string kind, std::size_t most)
    : names_(names), kind_(std::move(kind)), most_(most) {
  for (const auto& name : names) numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size()));
}

void NameIndex::refuse(const std::string& where) const {
  throw data_error(fmt::format("more than {} {}", names_.size(), kind_), where, "use fewer");
}

std::uint32_t NameIndex::add(std::string_view name) {
  const auto number = static_cast<std::uint32_t>(names_.size());
  numbers_.emplace(name, number);
  names_.emplace_back(name);
  return number;
}

namespace {

/// The digits at a place of a text of fixed layout.
std::optional<int> digits(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

}  // namespace

std::optional<double> calendar_s(std::string_view text) {
  if (text.size() != 19 || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') ||
      text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  const auto hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (*year < 1970 || !date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * day_s + *hour * 3600 + *minute * 60 + *second;
}

double midnight_s(double time_s) { return std::floor(time_s / day_s) * day_s; }

}  // namespace palstudy
