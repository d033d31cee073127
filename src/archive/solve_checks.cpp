// SPDX-License-Identifier: MIT
#include "archive/solve_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "sim/state/solves.hpp"

namespace palstudy {
namespace {

constexpr double rounding = 1e-12;     // between a gap and the same computed again
constexpr double solver_slack = 1e-8;  // absolute: ten times the tolerance of the solver

/// The columns of a run's rows.
struct Solves {
  const std::vector<double>&time_s, &primal, &dual, &gap;
  const std::vector<std::int64_t>&partition, &jobs, &groups, &iterations;
  const TextColumn& objective;
};

/// What is wrong with a row; empty: nothing.
std::string fault_of_values(const Solves& rows, std::size_t i) {
  const auto* const name = std::ranges::find(share_objective_names, rows.objective.at(i));
  if (name == share_objective_names.end()) return fmt::format("objective \"{}\" is not known", rows.objective.at(i));
  const auto objective = ShareObjective(name - share_objective_names.begin());
  const double primal = rows.primal[i], dual = rows.dual[i], gap = gap_of(primal, dual);
  const std::string both = fmt::format("primal {} and dual {}", shortest(primal), shortest(dual));
  if (!(std::abs(gap - rows.gap[i]) <= rounding)) {
    return fmt::format("gap {} is stored, {} give {}", shortest(rows.gap[i]), both, shortest(gap));
  }
  const double most = largest_gap(objective, static_cast<std::size_t>(rows.jobs[i]));
  if (!(std::abs(primal - dual) <= std::max(most * std::abs(primal), solver_slack))) {
    return fmt::format("{} are further apart than {} of the primal value", both, shortest(most));
  }
  const double better = minimized(objective) ? dual - primal : primal - dual;
  if (better > std::max(1e-6 * std::abs(primal), solver_slack)) {
    return fmt::format("{} of {}: the primal value is better than its bound", both, rows.objective.at(i));
  }
  return "";
}

std::string fault_of(const Solves& rows, std::size_t i) {
  const bool counts = rows.jobs[i] >= 0 && rows.groups[i] >= 0 && rows.groups[i] <= rows.jobs[i];
  if (!counts || rows.iterations[i] < 0) return "its counts cannot be";
  const auto place = [&](std::size_t row) { return std::pair(rows.time_s[row], rows.partition[row]); };
  if (i > 0 && !(place(i - 1) < place(i))) return "it does not follow the row before by time and partition";
  return fault_of_values(rows, i);
}

}  // namespace

void check_solves(const RunRecord& record, Findings& findings) {
  const TableData& table = record.solves;
  if (table.rows() == 0) return;
  const Solves rows{reals_of(table, "time_s"),    reals_of(table, "primal"),        reals_of(table, "dual"),
                    reals_of(table, "gap"),       integers_of(table, "partition"),  integers_of(table, "jobs"),
                    integers_of(table, "groups"), integers_of(table, "iterations"), texts_of(table, "objective")};
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string fault = fault_of(rows, i);
    if (fault.empty()) continue;
    findings.push_back(fmt::format("/solves: row {} of run {}: {}; restore the file from a copy or run the study again",
                                   i, record.run, fault));
    return;
  }
}

}  // namespace palstudy
