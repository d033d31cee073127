// SPDX-License-Identifier: MIT
#include "archive/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "archive/event_replay.hpp"
#include "archive/provenance.hpp"
#include "archive/run_slices.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "record/digest.hpp"
#include "record/tables.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {
namespace {

constexpr const char* restore = "restore the file from a copy or run the study again";
constexpr double tolerance = 1e-9;  // relative, between a metric and the same from rows

/// The attributes of write_provenance, but for digest, schema and study, can be read.
void check_origin(const ArchiveReader& archive, Found& found) {
  std::vector<std::string> names = origin_attributes();
  names.insert(names.end(), {"study.name", "study.title", "study.question", "study.folder", "Conventions", "license",
                             "creator", "compare.metric", "compare.baseline"});
  for (const std::string& name : names) {
    attempt(found, [&] { static_cast<void>(archive.attribute(name)); });
  }
  attempt(found, [&] { static_cast<void>(archive.notes()); });
}

/// An attribute over 64 KiB is the one thing in the file that HDF5 keeps no checksum of; the dataset has one.
void check_study(const ArchiveReader& archive, Found& found) {
  if (archive.attribute("study") != archive.resolved_study()) {
    found.push_back({"differs from /study/resolved", "/ (attribute study)", restore});
  }
}

/// The fixed columns of the schema are all there but for optional ones, in its order.
void check_columns(const TableData& table, TableId id, Found& found) {
  std::size_t from = 0;
  for (const Column& column : schema_columns()) {
    if (column.table != id) continue;
    const auto begin = table.columns.begin() + static_cast<std::ptrdiff_t>(from);
    const auto place = std::find_if(begin, table.columns.end(), [&](const Column& c) { return c.name == column.name; });
    if (place == table.columns.end() && column.optional) continue;
    if (place == table.columns.end()) {
      found.push_back({"the column is missing or not in schema order", column_path(id, column.name), restore});
    } else {
      from = static_cast<std::size_t>(place - table.columns.begin()) + 1;
    }
  }
}

/// Rows whose run is not in /runs would be seen by no digest.
void check_runs_known(const RunSlices& slices, Found& found) {
  for (const auto& [id, data] : slices.tables()) {
    if (id == TableId::event_gpus) continue;
    std::size_t known = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) known += slices.range(id, i).end - slices.range(id, i).begin;
    if (known != data.rows()) {
      found.push_back(
          {fmt::format("{} rows belong to no run of /runs", data.rows() - known), column_path(id, "run"), restore});
    }
  }
}

void check_offsets(const RunSlices& slices, Found& found) {
  const TableData& runs = slices.table(TableId::runs);
  const auto& begin = integers_of(runs, "job_begin");
  const auto& count = integers_of(runs, "job_count");
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const auto rows = slices.has(TableId::jobs) ? slices.range(TableId::jobs, i) : RunSlices::Range{};
    const auto there = static_cast<std::int64_t>(rows.end - rows.begin);
    if (count[i] != there || (there > 0 && begin[i] != static_cast<std::int64_t>(rows.begin))) {
      found.push_back({fmt::format("run {} says {} rows from {}, /jobs has {} from {}", integers_of(runs, "run")[i],
                                   count[i], begin[i], there, rows.begin),
                       "/runs/job_begin, /runs/job_count", restore});
    }
  }
  if (!slices.has(TableId::events)) return;
  const auto& gpu_begin = integers_of(slices.table(TableId::events), "gpu_begin");
  const auto& gpu_count = integers_of(slices.table(TableId::events), "gpu_count");
  std::int64_t next = 0;
  for (std::size_t row = 0; row < gpu_begin.size(); ++row) {
    if (gpu_begin[row] != next || gpu_count[row] < 0) {
      return found.push_back(
          {fmt::format("row {} says {}, expected {}", row, gpu_begin[row], next), "/events/gpu_begin", restore});
    }
    next += gpu_count[row];
  }
  const std::size_t gpus = slices.has(TableId::event_gpus) ? slices.table(TableId::event_gpus).rows() : 0;
  if (static_cast<std::size_t>(next) != gpus) {
    found.push_back({fmt::format("has {} rows, the events need {}", gpus, next), "/events/gpu", restore});
  }
}

bool agree(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

/// Whether runs of this resolved study may end before all their jobs have arrived: only a value of `measure.end_s`
/// other than its default, inf, ends them.
bool may_end_early(const std::string& study) {
  return std::ranges::any_of(split(study), [](const std::string& line) {
    return line.find("end_s") != std::string::npos && line != "end_s = inf";
  });
}

/// The metrics of /runs that follow from the rows of /power of one run and its mean completion time.
std::map<std::string, double> recomputed_energy(const TableData& power, double jct_mean_s) {
  MetricValues values{};
  values[static_cast<std::size_t>(Metric::jct_mean_s)] = jct_mean_s;
  set_energy(values, reals_of(power, "energy_j"), reals_of(power, "work_s"));
  std::map<std::string, double> metrics;
  for (const Metric metric : metrics_of_energy) metrics.emplace(name_of(metric), value_of(values, metric));
  return metrics;
}

/// The measured jobs in the rows of /jobs of one run that had not finished.
std::size_t unfinished_rows(const TableData& jobs) {
  const auto& finish = reals_of(jobs, "finish_s");
  const auto& measured = integers_of(jobs, "measured");
  std::size_t rows = 0;
  for (std::size_t j = 0; j < finish.size(); ++j) rows += measured[j] != 0 && std::isnan(finish[j]) ? 1 : 0;
  return rows;
}

/// How many measured jobs of a run that may have ended early had not arrived: what it says beyond its rows.
std::size_t jobs_to_come(const RunRecord& record) {
  if (record.runs.find("jobs_unfinished") == nullptr) return 0;  // check_columns reports it
  const std::int64_t told = integers_of(record.runs, "jobs_unfinished").at(0);
  const auto in_rows = static_cast<std::int64_t>(unfinished_rows(record.jobs));
  return static_cast<std::size_t>(std::max<std::int64_t>(told - in_rows, 0));
}

double stored_metric(const RunRecord& record, const std::string& name) {
  const auto* reals = std::get_if<std::vector<double>>(record.runs.find(name));
  return reals ? reals->at(0) : static_cast<double>(integers_of(record.runs, name).at(0));
}

void compare_metrics(const RunRecord& record, const std::map<std::string, double>& expected, const char* table,
                     Found& found) {
  for (const auto& [name, value] : expected) {
    if (record.runs.find(name) == nullptr) continue;  // check_columns reports it
    const double stored = stored_metric(record, name);
    if (!agree(stored, value)) {
      found.push_back(
          {fmt::format("run {} says {}, its rows in {} give {}", record.run, shortest(stored), table, shortest(value)),
           "/runs/" + name, restore});
    }
  }
}

void check_metrics(const RunRecord& record, bool may_end_early, Found& found) {
  if (record.status == RunStatus::failed) return;
  if (record.jobs.rows() > 0) {
    const std::size_t to_come = may_end_early ? jobs_to_come(record) : 0;
    compare_metrics(record, recomputed_metrics(record.jobs, to_come), "/jobs", found);
  }
  const std::string mean = name_of(Metric::jct_mean_s);
  if (record.power.rows() > 0 && record.runs.find(mean) != nullptr) {
    compare_metrics(record, recomputed_energy(record.power, stored_metric(record, mean)), "/power", found);
  }
}

void check_records(const ArchiveReader& archive, const RunSlices& slices, Found& found) {
  std::vector<std::int64_t> runs;
  std::vector<RunStatus> statuses;
  std::vector<std::string> digests;
  const bool early = may_end_early(archive.resolved_study());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const RunRecord record = slices.record(i);
    const std::string digest = run_digest(record);
    if (digest != record.digest) {
      found.push_back({fmt::format("run {} says {}, its rows give {}", record.run, record.digest, digest),
                       "/runs/digest", restore});
    }
    check_metrics(record, early, found);
    check_solves(record, found);
    attempt(found, [&] { check_events(record, found); });
    runs.push_back(record.run);
    statuses.push_back(record.status);
    digests.push_back(record.digest);
  }
  const std::string digest = archive_digest(runs, statuses, digests);
  if (digest != archive.digest()) {
    found.push_back(
        {fmt::format("says {}, the runs give {}", archive.digest(), digest), "/ (attribute digest)", restore});
  }
}

void check_archive(const std::filesystem::path& path, Found& found) {
  const ArchiveReader archive(path);
  check_file_end(archive.file(), restore, found);
  if (!check_datasets(archive.file(), restore, found)) return;
  attempt(found, [&] { static_cast<void>(archive.clusters()); });
  attempt(found, [&] { check_study(archive, found); });
  check_origin(archive, found);
  attempt(found, [&] { check_scales(archive.file(), restore, found); });
  const bool sound = found.empty();
  attempt(found, [&] {
    const RunSlices slices(archive);
    for (const auto& [id, data] : slices.tables()) check_columns(data, id, found);
    check_runs_known(slices, found);
    check_offsets(slices, found);
    check_records(archive, slices, found);
  });
  if (!sound) return;  // the place is known, and attributes that are damaged cannot be listed
  attempt(found, [&] { check_checksum(archive.file(), restore, found); });
}

}  // namespace

Found verify_archive(const std::filesystem::path& path) {
  return found_in(path, restore, [&](Found& found) { check_archive(path, found); });
}

std::map<std::string, double> recomputed_metrics(const TableData& jobs, std::size_t to_come) {
  const auto &submit = reals_of(jobs, "submit_s"), &finish = reals_of(jobs, "finish_s");
  const auto &exec = reals_of(jobs, "exec_s"), &ideal = reals_of(jobs, "ideal_s");
  const auto& measured = integers_of(jobs, "measured");
  const auto &preemptions = integers_of(jobs, "preemptions"), &migrations = integers_of(jobs, "migrations");
  const bool with_power = jobs.find("power_wait_s") != nullptr;
  const std::vector<double> power_wait =
      with_power ? reals_of(jobs, "power_wait_s") : std::vector<double>(submit.size());
  MetricSums sums;
  for (std::size_t j = 0; j < submit.size(); ++j) {
    if (measured[j] == 0) continue;
    JobView job{submit[j], finish[j], exec[j], ideal[j]};
    job.preemptions = static_cast<double>(preemptions[j]);
    job.migrations = static_cast<double>(migrations[j]);
    job.power_wait_s = power_wait[j];
    sums.add(job);
  }
  sums.add_unfinished(to_come);
  const MetricValues values = sums.take();
  std::map<std::string, double> metrics;
  for (const Metric metric : metrics_of_jobs) metrics.emplace(name_of(metric), value_of(values, metric));
  return metrics;
}

std::vector<std::string> metrics_not_recomputed() {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < metric_count; ++m) {
    const bool known = std::ranges::find(metrics_of_jobs, Metric(m)) != metrics_of_jobs.end() ||
                       std::ranges::find(metrics_of_energy, Metric(m)) != metrics_of_energy.end();
    if (!known) names.push_back(name_of(Metric(m)));
  }
  return names;
}

}  // namespace palstudy
