// SPDX-License-Identifier: MIT
#include "inputs/tenant_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

const NoteKind no_quota_note("no-quota", Severity::care);

constexpr auto quota_columns = "its columns are tenant (or vc) and gpus";

std::size_t column_among(const CsvTable& table, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (table.has_column(name)) return table.column(name);
  }
  throw data_error(fmt::format("the table of quotas has no column {}", *names.begin()), table.name(), quota_columns);
}

/// A quota; inf is no limit, as in the study itself.
double quota_in(const CsvTable& table, std::size_t row, std::size_t column) {
  if (table.text(row, column) == "inf") return infinity;
  const double quota = table.number(row, column);
  if (quota >= 0 && quota <= 1 << 24) return quota;
  throw data_error(fmt::format("a quota of {} in column {}", shortest(quota), table.header()[column]),
                   table.where(row, column), "a number from 0 to 16777216, or inf");
}

/// Reads tenant,gpus; or vc,node num as published with the Philly trace, which are proportions only.
std::vector<std::pair<std::string, double>> read_quotas(const std::filesystem::path& path, bool scaled) {
  const CsvTable table = CsvTable::read(path);
  const std::size_t name = column_among(table, {"tenant", "vc"});
  const bool nodes = !table.has_column("gpus") && table.has_column("node num");
  if (nodes && !scaled) {
    throw data_error("its quotas are numbers of nodes", table.name(),
                     "give tenants.scale = true, which takes them as proportions");
  }
  const std::size_t gpus = column_among(table, {"gpus", "node num"});
  std::vector<std::pair<std::string, double>> quotas;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    quotas.emplace_back(table.text(row, name), quota_in(table, row, gpus));
  }
  if (quotas.empty()) throw data_error("the table of quotas is empty", table.name(), quota_columns);
  std::map<std::string, std::size_t> seen;
  for (std::size_t row = 0; row < quotas.size(); ++row) {
    if (!seen.emplace(quotas[row].first, row).second) {
      throw data_error(fmt::format("the tenant \"{}\" is there twice", quotas[row].first), table.where(row, name));
    }
  }
  return quotas;
}

/// The error for jobs of a tenant without a quota.
Error no_quota(const RunPlan& run, std::uint64_t jobs, const std::string& tenant) {
  if (tenant.empty()) {
    const bool trace = run.workload.generator.empty();
    return data_error(
        fmt::format("{} no tenant and so no quota", jobs == 1 ? "1 job names" : counted(jobs, "job") + " name"),
        jobs_of(run),
        fmt::format("{}, or give tenants.unlisted = \"borrow\" or \"drop\"",
                    trace ? "name one in every row: reader \"native\" takes it from the column tenant"
                          : "use a trace or a generator with tenants"));
  }
  return data_error(fmt::format("{} of the tenant \"{}\", which has no quota",
                                jobs == 1 ? "1 job is" : counted(jobs, "job") + " are", tenant),
                    run.tenants.quotas.empty() ? keys::quota_table.name : run.tenants.quotas,
                    "give it one, or tenants.unlisted = \"borrow\" or \"drop\"");
}

std::vector<std::uint64_t> jobs_by_tenant(const Workload& workload) {
  std::vector<std::uint64_t> jobs(workload.tenants.size(), 0);
  for (const Job& job : workload.jobs) ++jobs[job.tenant];
  return jobs;
}

}  // namespace

std::map<std::string, double> TenantInputs::quotas(const RunPlan& run) const {
  const TenantOptions& options = run.tenants;
  if (options.quotas.empty()) return {options.gpus.begin(), options.gpus.end()};
  const auto path = files_.named(keys::quota_file, options.quotas);
  const auto read = read_quotas(path, options.scale);
  files_.add(options.quotas, path);
  return {read.begin(), read.end()};
}

void TenantInputs::drop_unlisted(const RunPlan& run, Workload& workload) {
  if (!run.tenants.on || run.tenants.unlisted != "drop") return;
  const auto listed = quotas(run);
  const auto all = jobs_by_tenant(workload);
  std::vector<std::string> names;
  std::uint64_t dropped = 0;
  for (std::size_t t = 0; t < all.size(); ++t) {
    if (all[t] == 0 || listed.contains(workload.tenants[t])) continue;
    names.push_back(workload.tenants[t]);
    dropped += all[t];
  }
  leave_out(workload, [&](const Job& job) { return !listed.contains(workload.tenants[job.tenant]); });
  if (workload.jobs.empty()) {
    throw data_error("no job is of a tenant that has a quota", run.workload.trace,
                     "name its tenants in tenants.quotas or tenants.gpus");
  }
  if (dropped > 0) {
    dropped_.insert(workload_text(run));
    files_.note(no_quota_note({{"jobs", dropped}, {"tenants", names}}));
  }
}

bool TenantInputs::dropped_some(const RunPlan& run) const { return dropped_.contains(workload_text(run)); }

std::optional<TenantRules> TenantInputs::rules(const RunPlan& run, const Workload& jobs, std::uint32_t gpus) const {
  if (!run.tenants.on) return std::nullopt;
  TenantRules rules = run.tenants.rules;
  const auto given = quotas(run);
  double factor = 1;
  if (run.tenants.scale) {
    double sum = 0;
    for (const auto& [name, quota] : given) sum += quota;
    if (!(sum > 0) || !std::isfinite(sum)) {
      throw data_error("quotas that cannot be scaled: their sum is " + shortest(sum), keys::quota_scale,
                       "give finite quotas, one of them above 0");
    }
    factor = gpus / sum;
  }
  const auto all = jobs_by_tenant(jobs);
  for (std::size_t t = 0; t < all.size(); ++t) {
    const auto found = given.find(jobs.tenants[t]);
    if (found == given.end() && all[t] > 0 && run.tenants.unlisted == "refuse") {
      throw no_quota(run, all[t], jobs.tenants[t]);
    }
    rules.quota.push_back(found == given.end() ? 0.0 : found->second * factor);
  }
  return rules;
}

}  // namespace palstudy
