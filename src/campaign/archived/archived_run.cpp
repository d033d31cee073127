// SPDX-License-Identifier: MIT
#include "campaign/archived/archived_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "archive/cluster_file.hpp"
#include "archive/export.hpp"
#include "archive/reader.hpp"
#include "archive/run_slices.hpp"
#include "bundle/archived_study.hpp"
#include "campaign/execute.hpp"
#include "core/error.hpp"
#include "inputs/cluster_inputs.hpp"
#include "inputs/inputs.hpp"
#include "sim/output/metrics.hpp"
#include "sim/state/exchange.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

constexpr const char* use_same_program =
    "use the program that made the archive (/provenance names it), or run the study again";

bool same_value(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// The first row in which two columns differ; nothing if none does.
std::optional<std::size_t> first_other_row(const ColumnValues& a, const ColumnValues& b) {
  return std::visit(
      [&](const auto& values) -> std::optional<std::size_t> {
        using Values = std::decay_t<decltype(values)>;
        const auto* others = std::get_if<Values>(&b);
        if (others == nullptr) return 0;
        for (std::size_t row = 0; row < size(a); ++row) {
          bool same = false;
          if constexpr (std::is_same_v<Values, TextColumn>) {
            same = values.at(row) == others->at(row);
          } else {
            same = same_value(static_cast<double>(values[row]), static_cast<double>((*others)[row]));
          }
          if (!same) return row;
        }
        return std::nullopt;
      },
      a);
}

/// Columns that only the archive has are of features that other runs of the study have.
void require_same(const TableData& archived, const TableData& again, const std::set<std::string>& columns,
                  const std::string& what, const std::string& where) {
  const auto differs = [&](const std::string& detail) {
    return Error(ErrorCode::verification, what + " simulated again is another: " + detail, where, use_same_program);
  };
  if (archived.rows() != again.rows()) {
    throw differs(fmt::format("it has {} rows in place of {}", again.rows(), archived.rows()));
  }
  for (std::size_t c = 0; c < archived.columns.size(); ++c) {
    const std::string& name = archived.columns[c].name;
    const ColumnValues* other = again.find(name);
    if (other == nullptr || (!columns.empty() && !columns.contains(name))) continue;
    if (const auto row = first_other_row(archived.values[c], *other)) {
      throw differs(fmt::format("{} differs in its row {}", name, *row));
    }
  }
}

/// Of the rows of /jobs, or where the archive has none of the metrics.
void require_same_run(const RunRecord& archived, const RunRecord& again, const std::string& path) {
  const std::string what = fmt::format("run {}", archived.run);
  if (archived.jobs.rows() > 0) return require_same(archived.jobs, again.jobs, {}, what, path + ":/jobs");
  std::set<std::string> metrics;
  for (const MetricInfo& metric : metric_infos) metrics.emplace(metric.name);
  require_same(archived.runs, again.runs, metrics, what, path + ":/runs");
}

}  // namespace

struct ArchivedRuns::State {
  explicit State(const std::filesystem::path& given)
      : path(archive_of(given)), archive(path), study(archived_study(archive, path)) {}

  Inputs& bound_inputs() {
    if (!inputs) {
      bind_inputs(study, archive, path);
      inputs = std::make_unique<Inputs>(study);
    }
    return *inputs;
  }

  std::filesystem::path path;
  ArchiveReader archive;
  Study study;
  std::unique_ptr<Inputs> inputs;
  std::unique_ptr<RunSlices> slices;
  std::vector<std::unique_ptr<std::pair<Topology, Slowdowns>>> clusters;
};

ArchivedRuns::ArchivedRuns(const std::filesystem::path& archive_or_bundle)
    : state_(std::make_unique<State>(archive_or_bundle)) {}
ArchivedRuns::~ArchivedRuns() = default;

ArchivedRuns::Run ArchivedRuns::run(std::int64_t number, Need need, const std::string& option) {
  State& state = *state_;
  require_run(state.archive, number, option);
  if (!state.slices) {
    using enum TableId;
    state.slices = std::make_unique<RunSlices>(state.archive, std::set{jobs, events, event_gpus, provenance_runs});
  }
  const auto& numbers = integers_of(state.slices->table(TableId::runs), "run");
  const auto place = std::ranges::lower_bound(numbers, number) - numbers.begin();
  const RunPlan& plan = state.study.runs.at(static_cast<std::size_t>(number));
  Run run{plan, state.slices->record(static_cast<std::size_t>(place))};
  if (run.record.status == RunStatus::failed) {
    throw data_error(fmt::format("run {} failed: {}", number, run.record.reason), state.path.string(),
                     "run the study with --resume --retry-failed, or choose another run");
  }
  const bool events = need == Need::jobs || run.record.events.rows() > 0;
  if (run.record.jobs.rows() > 0 && events) return run;
  RunPlan again = plan;
  again.output.jobs = true, again.output.events = true;
  LocalExchange alone;
  RunRecord record = execute(state.study, again, state.bound_inputs(), alone).value();
  require_same_run(run.record, record, state.path.string());
  return {plan, std::move(record), true};
}

ArchivedRuns::Cluster ArchivedRuns::cluster(const RunPlan& plan) {
  State& state = *state_;
  if (!state.inputs) {
    const std::string key = Inputs(state.study).cluster_key(plan);
    for (ClusterRecord& archived : state.archive.clusters()) {
      if (archived.key != key || archived.slowdowns.gpus() == 0) continue;
      state.clusters.push_back(std::make_unique<std::pair<Topology, Slowdowns>>(
          Topology(plan.cluster.nodes, plan.cluster.nodes_per_cabinet), std::move(archived.slowdowns)));
      const auto& [topology, truth] = *state.clusters.back();
      return {topology, partitioning_of(plan, topology), truth};
    }
  }
  const auto loaded = state.bound_inputs().load_cluster(plan);
  return {loaded.topology, partitioning_of(plan, loaded.topology), loaded.truth};
}

}  // namespace palstudy
