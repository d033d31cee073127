// SPDX-License-Identifier: MIT
#include "bundle/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "archive/cluster_file.hpp"
#include "archive/file_checks.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "bundle/bundle_check.hpp"
#include "core/text.hpp"
#include "record/tables.hpp"
#include "sim/state/scheduler.hpp"
#include "study/bundle_manifest.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

const NoteKind no_signature("no-signature", Severity::info);
const NoteKind not_recomputed("not-recomputed", Severity::info);
const NoteKind no_job_table("no-job-table", Severity::info);
const NoteKind cut_runs("cut-runs", Severity::info);

constexpr const char* restore_or_run = "restore the file from a copy or run the study again";

bool shares_time(const RunPlan& run) {
  const auto& params = schedulers().at(run.policy.scheduler).params;
  return std::ranges::any_of(params, [](const Param& param) { return param.name == "objective"; });
}

/// The runs in which a job of one GPU started: no other is sure to have got a share of time.
std::set<std::int64_t> runs_with_small_jobs(const ArchiveReader& archive) {
  std::set<std::int64_t> all;
  if (!archive.has(TableId::jobs)) return all;
  const auto run = std::get<std::vector<std::int64_t>>(archive.column(TableId::jobs, "run"));
  const auto gpus = std::get<std::vector<std::int64_t>>(archive.column(TableId::jobs, "gpus"));
  const auto start_s = std::get<std::vector<double>>(archive.column(TableId::jobs, "start_s"));
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (gpus[i] == 1 && !std::isnan(start_s[i])) all.insert(run[i]);
  }
  return all;
}

/// Runs whose scheduler solves linear programs, but which have no row in /solves.
Found missing_solves(const ArchiveReader& archive, const Study& study) {
  Found found;
  if (std::ranges::none_of(study.runs, shares_time)) return found;
  std::set<std::int64_t> solved;
  if (archive.has(TableId::solves)) {
    const auto rows = std::get<std::vector<std::int64_t>>(archive.column(TableId::solves, "run"));
    solved.insert(rows.begin(), rows.end());
  }
  for (const std::int64_t run : runs_with_small_jobs(archive)) {
    if (!shares_time(study.runs.at(static_cast<std::size_t>(run))) || solved.contains(run)) continue;
    found.push_back({fmt::format("run {} has no row, and its scheduler cannot have shared GPUs without one", run),
                     "/solves", restore_or_run});
  }
  return found;
}

/// How many measured jobs /runs counts as unfinished in each run, by its number, beyond those that have rows in /jobs.
std::map<std::int64_t, std::int64_t> unfinished_without_row(const ArchiveReader& archive) {
  std::map<std::int64_t, std::int64_t> without;
  if (!archive.has(TableId::jobs)) return without;
  const TableData runs = archive.table(TableId::runs);
  const auto &number = integers_of(runs, "run"), &told = integers_of(runs, "jobs_unfinished");
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    if (texts_of(runs, "status").at(row) == status_name(RunStatus::done)) without[number[row]] = told[row];
  }
  const auto run = std::get<std::vector<std::int64_t>>(archive.column(TableId::jobs, "run"));
  const auto measured = std::get<std::vector<std::int64_t>>(archive.column(TableId::jobs, "measured"));
  const auto finish_s = std::get<std::vector<double>>(archive.column(TableId::jobs, "finish_s"));
  for (std::size_t j = 0; j < run.size(); ++j) {
    if (measured[j] != 0 && std::isnan(finish_s[j])) --without[run[j]];
  }
  std::erase_if(without, [](const auto& one) { return one.second <= 0; });
  return without;
}

/// A run counts such jobs only if its `measure.end_s` ended it before they arrived, which is then noted.
Found jobs_that_must_have_rows(const ArchiveReader& archive, const Study& study, std::vector<Note>& notes) {
  Found found;
  std::size_t early = 0;
  for (const auto& [run, jobs] : unfinished_without_row(archive)) {
    const auto number = static_cast<std::size_t>(run);
    if (number >= study.runs.size()) continue;  // the ids of runs are checked elsewhere
    if (std::isfinite(study.runs[number].measure.end_s)) {
      ++early;
      continue;
    }
    found.push_back({fmt::format("run {} counts {} more than have rows in /jobs, and nothing ended it before they "
                                 "arrived",
                                 run, counted(static_cast<std::size_t>(jobs), "job")),
                     "/runs/jobs_unfinished", restore_or_run});
  }
  if (early > 0) notes.push_back(cut_runs({{"runs", early}}));
  return found;
}

void verify_archived(const std::filesystem::path& path, Verification& result) {
  result.kind = "archive";
  result.findings = verify_archive(path);
  if (!result.findings.empty()) return;
  const ArchiveReader archive(path);
  attempt(result.findings, [&] {
    const std::string where = path.string() + ":/study/resolved";
    const Study study = parse_study(archive.resolved_study(), where);
    result.findings = ids_against_study(archive, study, archive.renamed_ids(), where);
    if (result.findings.empty()) result.findings = missing_solves(archive, study);
    if (result.findings.empty()) result.findings = jobs_that_must_have_rows(archive, study, result.notes);
  });
  result.notes.push_back(no_signature({}));
  const bool jobs = archive.has(TableId::jobs), power = archive.has(TableId::power);
  result.checked = {"schema", "checksums", "digests", "run ids"};
  if (jobs || power) result.checked.emplace_back(jobs ? "metrics" : "metrics of energy");
  if (archive.has(TableId::events)) result.checked.emplace_back("events");
  result.notes.push_back(jobs ? not_recomputed({{"metrics", metrics_not_recomputed()}})
                              : no_job_table({{"power", power}}));
  result.digest = archive.digest();
}

void verify_clusters(const std::filesystem::path& path, Verification& result) {
  result.kind = "cluster";
  result.findings = verify_cluster_file(path);
  if (!result.findings.empty()) return;
  result.checked = {"schema", "checksums"};
  result.notes.push_back(no_signature({}));
}

void verify_measured(const std::filesystem::path& path, Verification& result) {
  result.kind = "profile";
  result.checked = {"schema", "checksums", "digest", "summaries"};
  result.findings = verify_profile(path);
  if (result.findings.empty()) result.notes.push_back(no_signature({}));
}

}  // namespace

Found ids_against_study(const ArchiveReader& archive, const Study& study,
                        const std::map<std::string, std::string>& renamed, const std::string& where) {
  const TableData runs = archive.table(TableId::runs);
  const auto& numbers = integers_of(runs, "run");
  const auto& ids = texts_of(runs, "id");
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    const auto number = static_cast<std::size_t>(numbers[row]);
    if (number >= study.runs.size()) {
      return {{fmt::format("has {}, /runs has run {}", counted(study.runs.size(), "run"), number), where,
               "restore the file from a copy"}};
    }
    const auto other = renamed.find(study.runs[number].id);
    const std::string& expected = other == renamed.end() ? study.runs[number].id : other->second;
    if (expected == ids.at(row)) continue;
    return {{fmt::format("gives run {} the id {}, /runs/id says {}: a key of the study was altered", number, expected,
                         ids.at(row)),
             where, restore_or_run}};
  }
  return {};
}

void require_sound(const std::filesystem::path& path, const std::string& advice) {
  const Found found = verify_file(path).findings;
  if (!found.empty()) throw Error(ErrorCode::verification, fact_of(found.front(), path), path.string(), advice);
}

Verification verify_file(const std::filesystem::path& path) {
  Verification result;
  std::error_code none;
  if (std::filesystem::exists(path / bundle_manifest_name, none)) return verify_bundle(path);
  if (std::filesystem::is_directory(path, none)) {
    throw NotAnArchive(fmt::format("is a folder without {}, so it is no bundle", bundle_manifest_name), path.string(),
                       "give the folder that palstudy bundle made, or a file");
  }
  if (is_profile_file(path)) {
    verify_measured(path, result);
  } else if (is_cluster_file(path)) {
    verify_clusters(path, result);
  } else {
    verify_archived(path, result);
  }
  return result;
}

}  // namespace palstudy
