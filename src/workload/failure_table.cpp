// SPDX-License-Identifier: MIT
#include "workload/failure_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr double seconds_per_minute = 60;
constexpr const char* fails_row = "(attempts that fail)";
constexpr const char* killed_row = "(jobs that are killed)";
constexpr std::string_view size_column = "gpus_";

/// One of the words, as its place among them.
std::size_t word_of(const CsvTable& table, std::size_t row, std::size_t column, const std::vector<std::string>& words) {
  const auto found = std::ranges::find(words, table.text(row, column));
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  throw data_error(fmt::format("\"{}\" in column {}", table.text(row, column), table.header()[column]),
                   table.where(row, column), "one of " + join(words));
}

/// The columns of the sizes, by ascending size.
std::vector<std::size_t> size_columns(const CsvTable& table, FailureTable& out) {
  std::vector<std::pair<long long, std::size_t>> sizes;
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    const std::string& name = table.header()[c];
    if (!name.starts_with(size_column)) continue;
    const auto gpus = parse_integer(std::string_view(name).substr(size_column.size()));
    if (!gpus || *gpus < 1 || *gpus > 1 << 24) {
      throw data_error("column " + name + " names no number of GPUs", table.name() + ":1",
                       "gpus_1, gpus_2, gpus_5, ...: jobs of so many GPUs or more");
    }
    sizes.emplace_back(*gpus, c);
  }
  std::ranges::sort(sizes);
  const bool twice =
      std::ranges::adjacent_find(sizes, [](const auto& a, const auto& b) { return a.first == b.first; }) != sizes.end();
  if (sizes.empty() || sizes.front().first != 1 || twice) {
    throw data_error("the table has no column gpus_1, or two of one size", table.name() + ":1",
                     "one column for each size of job, from gpus_1 on");
  }
  std::vector<std::size_t> columns;
  for (const auto& [gpus, column] : sizes) {
    out.least_gpus.push_back(static_cast<std::uint32_t>(gpus));
    columns.push_back(column);
  }
  return columns;
}

std::vector<double> shares_of_row(const CsvTable& table, std::size_t row, const std::vector<std::size_t>& columns) {
  std::vector<double> all;
  for (const std::size_t column : columns) all.push_back(table.number(row, column, 0, 100) / 100);
  return all;
}

FailureReason reason_of(const CsvTable& table, std::size_t row, const std::vector<std::size_t>& sizes) {
  FailureReason reason;
  reason.name = table.text(row, table.column("reason"));
  reason.category = table.text(row, table.column("category"));
  if (reason.name.empty())
    throw data_error("a reason without a name", table.where(row, table.column("reason")), "give it one");
  const std::size_t of = word_of(table, row, table.column("of"), {"job", "place", "scheduler"});
  reason.of_place = of == 1;
  reason.drawn = of != 2;
  reason.repeats = word_of(table, row, table.column("repeats"), {"no", "yes"}) == 1;
  reason.validated = word_of(table, row, table.column("validated"), {"no", "yes"}) == 1;
  if (reason.of_place && (reason.repeats || reason.validated)) {
    throw data_error(
        fmt::format("{} has of = \"place\" and repeats or is validated, as only a job's own failures do", reason.name),
        table.where(row, table.column("of")), "say of = \"job\", or repeats = no and validated = no");
  }
  constexpr double least = 1e-3;  // 60 ms
  const std::size_t p50 = table.column("rtf_p50_min"), p90 = table.column("rtf_p90_min"),
                    p95 = table.column("rtf_p95_min");
  reason.p50_min = table.number(row, p50, least, longest_to_failure_min);
  reason.p90_min = table.number(row, p90, reason.p50_min, longest_to_failure_min);
  reason.p95_min = table.number(row, p95, reason.p90_min, longest_to_failure_min);
  for (const std::size_t column : sizes) reason.trials.push_back(table.number(row, column, 0, 1e12));
  return reason;
}

}  // namespace

double run_time_to_failure_s(const FailureReason& reason, double u) {
  struct Knot {
    double share, minutes;
  };
  const Knot low{0.5, reason.p50_min}, middle{0.9, reason.p90_min}, high{0.95, reason.p95_min};
  const Knot& from = u < middle.share ? low : u < high.share ? middle : high;  // from which it is exact
  const Knot& a = u < middle.share ? low : middle;
  const Knot& b = u < middle.share ? middle : high;
  const double slope = std::log(b.minutes / a.minutes) / (b.share - a.share);
  const double minutes = from.minutes * std::exp((u - from.share) * slope);
  return std::min(minutes, longest_to_failure_min) * seconds_per_minute;
}

std::size_t FailureTable::size_of(std::uint32_t gpus) const {
  const auto above = std::upper_bound(least_gpus.begin(), least_gpus.end(), gpus);
  return static_cast<std::size_t>(above - least_gpus.begin()) - 1;
}

FailureTable failure_table(const CsvTable& table) {
  FailureTable out;
  const std::vector<std::size_t> sizes = size_columns(table, out);
  const std::size_t name = table.column("reason"), of = table.column("of");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.text(row, of) != "share") {
      out.reasons.push_back(reason_of(table, row, sizes));
      const auto same = [&](const FailureReason& r) { return r.name == out.reasons.back().name; };
      if (std::find_if(out.reasons.begin(), out.reasons.end() - 1, same) == out.reasons.end() - 1) continue;
      throw data_error("a second reason called " + out.reasons.back().name, table.where(row, name),
                       "give it another name");
    }
    auto& shares_of = word_of(table, row, name, {fails_row, killed_row}) == 0 ? out.fails : out.killed;
    if (!shares_of.empty()) throw data_error("the shares are there twice", table.where(row, name), "keep one row");
    shares_of = shares_of_row(table, row, sizes);
  }
  for (std::size_t size = 0; size < sizes.size(); ++size) {
    double trials = 0;
    for (const FailureReason& reason : out.reasons) trials += reason.drawn ? reason.trials[size] : 0;
    const std::string column = table.header()[sizes[size]];
    if (out.fails.empty() || out.killed.empty()) {
      throw data_error(fmt::format("no row {}", out.fails.empty() ? fails_row : killed_row), table.name(),
                       "each holds a percentage for every size of job, with \"share\" in the column of");
    }
    if (!(trials > 0))
      throw data_error("no reason was ever seen", table.name() + ", column " + column,
                       "counts above 0 for some reason that is drawn");
    if (out.fails[size] + out.killed[size] > 1) {
      throw data_error("more than all jobs fail or are killed", table.name() + ", column " + column,
                       "percentages that make 100 at most");
    }
  }
  return out;
}

}  // namespace palstudy
