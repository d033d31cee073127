// SPDX-License-Identifier: MIT
// Recorded starts of pyss' schedulers: jobs start when others arrive or end, or when a reservation comes, in whole
// seconds; placement plays no part.
#include <algorithm>
#include <map>
#include <set>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "policy/backfill_policy.hpp"
#include "replay.hpp"

namespace palstudy {
namespace {

struct RecordedJob {
  std::uint32_t gpus = 0;
  double submit_s = 0, duration_s = 0, estimate_s = 0;
};

std::vector<RecordedJob> read_jobs(const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  const auto number = [&](std::size_t row, const char* column) { return table.number(row, table.column(column)); };
  std::vector<RecordedJob> jobs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    jobs.push_back({static_cast<std::uint32_t>(number(row, "num_gpus")), number(row, "submit_s"),
                    number(row, "duration_s"), number(row, "estimate_s")});
  }
  return jobs;
}

/// A machine in which any free GPUs do, and the program's own backfill.
class CountingMachine final : private BackfillTurn {
 public:
  CountingMachine(const std::vector<RecordedJob>& jobs, std::uint32_t gpus, const BackfillPolicy& policy)
      : jobs_(jobs), policy_(policy), start_s_(jobs.size(), nan) {
    free = gpus;
  }

  /// The start of every job.
  const std::vector<double>& run() {
    while (next_arrival_ < jobs_.size() || !running_.empty()) {
      now_s = next_instant_s();
      for (auto job = running_.begin(); job != running_.end();) {
        if (start_s_[*job] + jobs_[*job].duration_s > now_s) {
          ++job;
          continue;
        }
        free += jobs_[*job].gpus;
        ended = true;
        job = running_.erase(job);
      }
      for (; next_arrival_ < jobs_.size() && jobs_[next_arrival_].submit_s <= now_s; ++next_arrival_) {
        queue_.insert(next_arrival_);
      }
      decide();
    }
    return start_s_;
  }

 private:
  double next_instant_s() {
    double next_s = next_arrival_ < jobs_.size() ? jobs_[next_arrival_].submit_s : infinity;
    for (const std::size_t job : running_) next_s = std::min(next_s, start_s_[job] + jobs_[job].duration_s);
    return std::min(next_s, policy_.next_change_s(now_s, reservations));
  }

  void decide() {
    if (!policy_.reserves()) {  // the program's list scheduler decides without a turn
      while (!queue_.empty() && CountingMachine::start(as_waiting(*queue_.begin())).placed)
        queue_.erase(queue_.begin());
      return;
    }
    std::vector<WaitingJob> in_order;
    for (const std::size_t job : queue_) in_order.push_back(as_waiting(job));
    waiting = in_order;
    releases.clear();
    for (const std::size_t job : running_) releases.push_back({start_s_[job] + jobs_[job].estimate_s, jobs_[job].gpus});
    policy_.decide(*this);
    ended = false;
    std::erase_if(queue_, [&](std::size_t job) { return running_.contains(job); });
    std::erase_if(reservations, [&](const Reservation& one) { return running_.contains(one.job.index()); });
  }

  [[nodiscard]] WaitingJob as_waiting(std::size_t job) const {
    return {JobId(job), jobs_[job].gpus, jobs_[job].estimate_s};
  }

  StartedJob start(const WaitingJob& job) override {
    if (job.gpus > free) return {};
    free -= job.gpus;
    releases.push_back({now_s + job.length_s, job.gpus});
    start_s_[job.job.index()] = now_s;
    running_.insert(job.job.index());
    return {true, now_s + job.length_s, job.gpus};
  }
  void undo() override { throw fault("a start whose length was known is taken back"); }
  void promise(const Promise&) override {}
  std::uint32_t keep(const WaitingJob&, double start_s) override {
    std::uint32_t kept = free;
    for (const Release& release : releases) kept += release.time_s <= start_s ? release.gpus : 0;
    return kept;
  }

  const std::vector<RecordedJob>& jobs_;
  const BackfillPolicy& policy_;
  std::vector<double> start_s_;
  std::set<std::size_t> queue_, running_;
  std::size_t next_arrival_ = 0;
};

/// GPUs by the name of the input; the folder is an input itself or has an index beside its inputs.
std::uint32_t gpus_of(const std::filesystem::path& input) {
  const CsvTable index = CsvTable::read(input.parent_path() / "index.csv");
  for (std::size_t row = 0; row < index.rows(); ++row) {
    if (index.text(row, index.column("input")) != input.filename().string()) continue;
    return static_cast<std::uint32_t>(index.integer(row, index.column("gpus")));
  }
  throw fault("no line of index.csv has " + input.filename().string());
}

void replay_input(const std::filesystem::path& input, replay::Results& results) {
  const auto jobs = read_jobs(input / "jobs.csv");
  const CsvTable recorded = CsvTable::read(input / "expected.csv");
  std::map<std::string, std::vector<double>> start_s;
  for (const auto& [name, backfill] : {std::pair("fcfs", "none"), {"easy", "easy"}, {"conservative", "conservative"}}) {
    const auto policy = backfills().at(backfill).make({});
    start_s[name] = CountingMachine(jobs, gpus_of(input), *policy).run();
  }
  results.compare(input / "expected.csv", recorded.rows(), [&](std::size_t row) {
    std::string differences;
    const auto job = static_cast<std::size_t>(recorded.integer(row, recorded.column("job_id")));
    for (const auto& [name, starts] : start_s) {
      const auto compare = [&](const std::string& column, double ours) {
        differences += replay::differs(column, ours, recorded.number(row, recorded.column(column)));
      };
      compare(name + "_start_s", starts.at(job));
      compare(name + "_end_s", starts.at(job) + jobs.at(job).duration_s);
    }
    return differences;
  });
}

}  // namespace

void register_replay_backfill(ReplayParts& parts) {
  parts.add({"backfill", "starts under FCFS, EASY and conservative backfilling (pyss)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& input : replay::folders_with(folder, "expected.csv")) replay_input(input, results);
             }});
}

}  // namespace palstudy
