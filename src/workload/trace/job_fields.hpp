// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/csv.hpp"
#include "workload/job.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {

// Fields as every trace reader checks them. Errors (data) name file, line and column and what would be right.
[[nodiscard]] std::int64_t job_id(const CsvTable& table, std::size_t row, std::size_t column);
[[nodiscard]] std::uint32_t job_gpus(const CsvTable& table, std::size_t row, std::size_t column);
[[nodiscard]] double submit_time(const CsvTable& table, std::size_t row, std::size_t column);
/// More than 0; `what` is e.g. "work".
[[nodiscard]] double positive(const CsvTable& table, std::size_t row, std::size_t column, const char* what);
/// Refuses a job that needs longer than `longest_job_s` at slowdown 1; `column` is the one to name.
void check_seconds(double seconds, const CsvTable& table, std::size_t row, std::size_t column);
/// Where a field stands.
[[nodiscard]] inline TracePlace place_of(const CsvTable& table, std::size_t row, std::size_t column) {
  return {table.line(row), table.place_in_line(row, column)};
}

// What a file looks like, from its beginning (TraceReader::looks).
/// The first line that is not blank, without blanks before it and its end; empty where there is none.
[[nodiscard]] std::string_view first_line_of(std::string_view beginning);
/// Whether that line is a CSV header with all of these columns.
[[nodiscard]] bool names_columns(std::string_view beginning, const std::vector<std::string>& columns);

/// Gives each name in a column of a trace a number, in the order of first appearance, and keeps them in `names`.
class NameIndex {
 public:
  /// `most`: the largest number that can be stored. `kind` is for messages, in the plural.
  NameIndex(std::vector<std::string>& names, std::string kind, std::size_t most);

  /// The number of the name in a field. Errors (data, at the field): more names than can be stored.
  std::uint32_t number(const CsvTable& table, std::size_t row, std::size_t column) {
    return number(table.text(row, column), [&] { return table.where(row, column); });
  }
  /// The same of a name elsewhere; `where()` is its place, for the message.
  template <class Where>
  std::uint32_t number(std::string_view name, Where where) {
    if (const auto place = numbers_.find(name); place != numbers_.end()) return place->second;
    if (names_.size() > most_) refuse(where());
    return add(name);
  }

 private:
  std::uint32_t add(std::string_view name);
  [[noreturn]] void refuse(const std::string& where) const;

  std::vector<std::string>& names_;
  std::string kind_;
  std::size_t most_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

/// "2017-10-07 01:11:39" as seconds since 1970-01-01 00:00:00 of the same clock, which has no zone and no leap seconds;
/// nothing if the text is anything else, or a time before. The T of ISO 8601 may stand between day and time.
[[nodiscard]] std::optional<double> calendar_s(std::string_view text);

/// 0 o'clock of the day in which `time_s` lies: where traces with dates have their time 0.
[[nodiscard]] double midnight_s(double time_s);

}  // namespace palstudy
