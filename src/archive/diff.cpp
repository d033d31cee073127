// SPDX-License-Identifier: MIT
#include "archive/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "archive/damage_check.hpp"
#include "archive/reader.hpp"
#include "archive/run_slices.hpp"
#include "core/text.hpp"
#include "record/tables.hpp"
#include "stats/descriptive.hpp"
#include "stats/interval.hpp"

namespace palstudy {
namespace {

using Unlike = std::optional<std::string>;  // the first difference, in words

constexpr const char* default_metric = "jct_mean_s";
constexpr double same_within = 1e-9;  // relative

std::string cell(const ColumnValues& values, std::size_t row) {
  if (const auto* text = std::get_if<TextColumn>(&values)) return text->at(row);
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return shortest(reals->at(row));
  return std::to_string(std::get<std::vector<std::int64_t>>(values).at(row));
}

/// Equal to the last bit, a NaN to a NaN: shortest() gives different text for different doubles but NaN.
Unlike compare_tables(const TableData& a, const TableData& b, const std::vector<std::string>& columns, TableId id,
                      const std::string& run) {
  const std::size_t rows = std::min(a.rows(), b.rows());
  std::optional<std::size_t> first;
  std::string detail;
  for (const std::string& name : columns) {
    const ColumnValues* left = a.find(name);
    const ColumnValues* right = b.find(name);
    if (!left || !right) continue;
    for (std::size_t row = 0; row < std::min(rows, first.value_or(rows)); ++row) {
      const std::string x = cell(*left, row), y = cell(*right, row);
      if (x == y) continue;
      first = row;
      detail =
          fmt::format("run {}, {} row {}: {} in the first, {} in the second", run, column_path(id, name), row, x, y);
    }
  }
  if (first) return detail;
  if (a.rows() == b.rows()) return {};
  return fmt::format("run {}: {} has {} rows in the first, {} in the second", run, table_of(id).name, a.rows(),
                     b.rows());
}

Unlike compare_schedules(const RunRecord& a, const RunRecord& b, bool events) {
  if (a.status != b.status) {
    return fmt::format("run {}: {} in the first, {} in the second", a.id, status_name(a.status), status_name(b.status));
  }
  if (!events) return compare_tables(a.jobs, b.jobs, {"job", "start_s", "finish_s"}, TableId::jobs, a.id);
  if (auto found = compare_tables(a.events, b.events, {"time_s", "kind", "job", "gpu_count"}, TableId::events, a.id)) {
    return found;
  }
  return compare_tables(a.event_gpus, b.event_gpus, {"gpu"}, TableId::event_gpus, a.id);
}

struct Matched {
  RunSlices slices;
  std::vector<std::string> ids;           // by row of /runs
  std::map<std::string, std::size_t> at;  // id -> row
  explicit Matched(const ArchiveReader& archive) : slices(archive) {
    const TextColumn& id = texts_of(slices.table(TableId::runs), "id");
    for (std::size_t i = 0; i < slices.size(); ++i) {
      ids.push_back(id.at(i));
      at.emplace(ids.back(), i);
    }
  }
};

Unlike compare_ids(const Matched& a, const Matched& b) {
  for (const std::string& id : a.ids) {
    if (!b.at.contains(id)) return fmt::format("run {} is in the first archive alone", id);
  }
  for (const std::string& id : b.ids) {
    if (!a.at.contains(id)) return fmt::format("run {} is in the second archive alone", id);
  }
  return {};
}

/// The first run whose schedules differ; without events or jobs in both they cannot be compared.
Unlike compare_all_schedules(const Matched& a, const Matched& b) {
  const bool events = a.slices.has(TableId::events) && b.slices.has(TableId::events);
  const bool jobs = a.slices.has(TableId::jobs) && b.slices.has(TableId::jobs);
  if (!events && !jobs) return "the archives have neither events nor jobs in common to tell their schedules from";
  for (std::size_t i = 0; i < a.ids.size(); ++i) {
    if (auto found = compare_schedules(a.slices.record(i), b.slices.record(b.at.at(a.ids[i])), events)) return found;
  }
  return {};
}

/// The first difference in /runs beside the schedule, when the digests differ and the schedules do not.
std::string first_other_difference(const Matched& a, const Matched& b) {
  for (std::size_t i = 0; i < a.ids.size(); ++i) {
    const RunRecord left = a.slices.record(i), right = b.slices.record(b.at.at(a.ids[i]));
    for (const Table& table : all_tables()) {
      if (!table.digested) continue;
      std::vector<std::string> columns;
      for (const Column& column : (left.*table.data).columns) {
        if (column.digested) columns.push_back(column.name);
      }
      if (auto found = compare_tables(left.*table.data, right.*table.data, columns, table.id, a.ids[i])) return *found;
    }
  }
  return "one archive has tables or columns that the other has not";
}

double metric_at(const TableData& runs, const std::string& metric, std::size_t row) {
  const ColumnValues* values = runs.find(metric);
  if (values == nullptr) return std::nan("");
  if (const auto* reals = std::get_if<std::vector<double>>(values)) return reals->at(row);
  return static_cast<double>(integers_of(runs, metric).at(row));
}

/// The runs of each combination of the `policy.` axes, as "pal, fifo" -> values of the metric.
std::map<std::string, std::vector<double>> by_policy(const TableData& runs, const std::string& metric) {
  std::map<std::string, std::vector<double>> groups;
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    std::vector<std::string> key;
    for (std::size_t c = 0; c < runs.columns.size(); ++c) {
      if (runs.columns[c].name.starts_with("policy.")) key.push_back(cell(runs.values[c], row));
    }
    groups[join(key)].push_back(metric_at(runs, metric, row));
  }
  return groups;
}

/// 95 % interval of the mean by Student's t, widened by `same_within`; a single value has no other interval.
Interval interval_of_mean(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n, slack = std::abs(mean) * same_within;
  Interval interval{mean, mean};
  if (values.size() > 1) interval = student_interval({mean, plain_sd(values) / std::sqrt(n - 1), n - 1});
  return {interval.low - slack, interval.high + slack};
}

Unlike compare_intervals(const Matched& a, const Matched& b, const std::string& metric) {
  const auto left = by_policy(a.slices.table(TableId::runs), metric);
  const auto right = by_policy(b.slices.table(TableId::runs), metric);
  for (const auto& [policy, values] : left) {
    const auto other = right.find(policy);
    if (other == right.end()) return fmt::format("policy \"{}\" is in the first archive alone", policy);
    const Interval x = interval_of_mean(values), y = interval_of_mean(other->second);
    if (x.low <= y.high && y.low <= x.high) continue;  // false for a NaN, so that a failed run does not agree
    return fmt::format("policy \"{}\": 95 % intervals of the mean {} are [{}, {}] and [{}, {}]", policy, metric, x.low,
                       x.high, y.low, y.high);
  }
  return {};
}

}  // namespace

Difference diff_archives(const std::filesystem::path& path_a, const std::filesystem::path& path_b) {
  // The digest that an archive states counts only if its rows give it.
  require_intact(path_a);
  require_intact(path_b);
  const ArchiveReader reader_a(path_a), reader_b(path_b);
  if (!reader_a.digest().empty() && reader_a.digest() == reader_b.digest()) return {Agreement::identical, ""};
  const Matched a(reader_a), b(reader_b);
  if (auto found = compare_ids(a, b)) return {Agreement::different, *found};
  const Unlike schedule = compare_all_schedules(a, b);
  if (!schedule) return {Agreement::same_schedule, first_other_difference(a, b)};
  const std::string chosen = reader_a.attribute("compare.metric");
  const Unlike spread = compare_intervals(a, b, chosen.empty() ? default_metric : chosen);
  if (!spread) return {Agreement::within_intervals, *schedule};
  return {Agreement::different, *schedule + "; " + *spread};
}

}  // namespace palstudy
