// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>

#include "event_runs.hpp"
#include "sim/output/step_integral.hpp"

namespace palstudy {
namespace {

using std::filesystem::path;

/// The finish-time fairness of each job, by JobId.
std::vector<double> fairness(const replay::EventRun& run, std::uint32_t gpus) {
  const auto& jobs = run.workload.jobs;
  const auto& finish_s = run.result.jobs.finish_s;
  std::vector<std::pair<double, double>> changes;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    changes.emplace_back(jobs[j].submit_s, 1.0);
    changes.emplace_back(finish_s[j], -1.0);
  }
  const StepIntegral active(std::move(changes), [](double sum) { return sum; });
  std::vector<double> rho;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    rho.push_back(finish_time_fairness(finish_s[j] - jobs[j].submit_s, jobs[j].ideal_s(), jobs[j].gpus,
                                       active.mean(jobs[j].submit_s, finish_s[j], 1), gpus));
  }
  return rho;
}

/// Counts how often a job whose lease had ended kept its GPUs. The state of rho is three numbers and five a job: the
/// job first, since when it holds GPUs and the end of its lease last.
class Extensions {
 public:
  void look(const View& view, std::span<const double> state) {
    settle([&](const auto& offered) {
      const JobId job(static_cast<std::uint32_t>(offered.first));
      const bool over = view.table.finished(job);
      return over || (view.table.running(job) && view.table.course(job).held_since_s == offered.second);
    });
    for (std::size_t i = 3; i + 5 <= state.size(); i += 5) {
      const bool runs = view.table.running(JobId(static_cast<std::uint32_t>(state[i])));
      if (runs && state[i + 4] <= view.now_s) offered_[state[i]] = state[i + 3];
    }
  }
  template <class Kept>
  void settle(Kept kept) {
    for (const auto& one : offered_) of[one.first] += kept(one) ? 1 : 0;
    offered_.clear();
  }
  std::map<double, int> of;

 private:
  std::map<double, double> offered_;  // since when the jobs held GPUs whose lease had ended
};

void replay_input(const path& folder, std::uint32_t gpus, double lease_s, replay::Results& results) {
  EngineOptions engine;
  engine.backfill = Backfill::greedy;
  Extensions extensions;
  const auto run = replay::run_by_events(
      folder / "jobs.csv", gpus, "rho", engine, [&](ParamValues& params) { params.set("lease_s", lease_s); },
      [&](const View& view, std::span<const double> state) { extensions.look(view, state); });
  extensions.settle([](const auto&) { return true; });  // nothing was stopped at the last offer
  const std::vector<double> rho = fairness(run, gpus);
  const CsvTable recorded = CsvTable::read(folder / "expected.csv");
  results.compare(folder / "expected.csv", recorded.rows(), [&](std::size_t row) {
    const JobId job = replay::job_of(run, recorded, row);
    return replay::differs(run, recorded, row) +
           replay::differs("lease_extensions", extensions.of[job.value],
                           recorded.number(row, recorded.column("lease_extensions"))) +
           replay::differs("rho", std::round(rho[job.index()] * 1e9) / 1e9,
                           recorded.number(row, recorded.column("rho")));
  });
}

}  // namespace

void register_replay_themis_reference(ReplayParts& parts) {
  parts.add({"themis-reference",
             "leases by largest rho, a simplification of Themis: every end, first start, preemption and rho",
             [](const path& folder, replay::Results& results) {
               for (const path& all : replay::folders_with(folder, "index.csv")) {
                 const CsvTable index = CsvTable::read(all / "index.csv");
                 for (std::size_t row = 0; row < index.rows(); ++row) {
                   replay_input(all / std::string(index.text(row, index.column("input"))),
                                static_cast<std::uint32_t>(index.integer(row, index.column("gpus"))),
                                index.number(row, index.column("lease_s")), results);
                 }
               }
             }});
}

}  // namespace palstudy
