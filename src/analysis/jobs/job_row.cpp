// SPDX-License-Identifier: MIT
#include "analysis/jobs/job_row.hpp"

#include <utility>

#include "core/text.hpp"

namespace palstudy {
namespace {

/// Sets a member of every row from a column.
template <class Column, class Member>
void take_column(std::vector<JobRow>& rows, const Column& column, Member JobRow::*member) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].*member = column[i];
}

void take_texts(std::vector<JobRow>& rows, const TextColumn& column, std::string JobRow::*member) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].*member = column.at(i);
}

}  // namespace

std::vector<JobRow> rows_of_jobs(const TableData& jobs) {
  std::vector<JobRow> rows(jobs.rows());
  const auto integers = [&](const char* name, std::int64_t JobRow::*member) {
    take_column(rows, integers_of(jobs, name), member);
  };
  const auto reals = [&](const char* name, double JobRow::*member) { take_column(rows, reals_of(jobs, name), member); };
  integers("job", &JobRow::job), integers("gpus", &JobRow::gpus), integers("partition", &JobRow::partition);
  integers("preemptions", &JobRow::preemptions), integers("migrations", &JobRow::migrations);
  reals("submit_s", &JobRow::submit_s), reals("start_s", &JobRow::start_s), reals("finish_s", &JobRow::finish_s);
  reals("exec_s", &JobRow::exec_s), reals("ideal_s", &JobRow::ideal_s);
  reals("slowdown_mean", &JobRow::slowdown), reals("penalty_mean", &JobRow::penalty);
  take_texts(rows, texts_of(jobs, "class"), &JobRow::cls);
  take_texts(rows, texts_of(jobs, "tenant"), &JobRow::tenant);
  take_texts(rows, texts_of(jobs, "status"), &JobRow::status);
  for (const auto& [name, member] : {std::pair("site_job", &JobRow::site_job), std::pair("user", &JobRow::user)}) {
    if (jobs.find(name) != nullptr) take_texts(rows, texts_of(jobs, name), member);
  }
  const auto& measured = integers_of(jobs, "measured");
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].measured = measured[i] != 0;
  return rows;
}

std::optional<std::size_t> find_job(const std::vector<JobRow>& jobs, const std::string& name) {
  const auto id = parse_integer(name);
  std::optional<std::size_t> by_id;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bool same_id = id && jobs[i].job == *id;
    if (jobs[i].site_job.empty() ? same_id : jobs[i].site_job == name) return i;
    if (same_id) by_id = i;
  }
  return by_id;
}

}  // namespace palstudy
