// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "gavel_world.hpp"
#include "replay.hpp"
#include "sim/scheduler/gavel/share_rounds.hpp"
#include "sim/scheduler/gavel/time_shares.hpp"

namespace palstudy {
namespace {

constexpr double gavel_round_s = 360, gavel_reset_s = 1920, of_log_s = 1.1e-6;  // the log has six decimals

struct GavelJob {
  std::uint32_t gpus = 1, class_row = 0;
  double submit_s = 0, steps = 0, left = 0;
  // What the world finds.
  double first_start_s = NAN, end_s = NAN, isolated_s = 0;
  std::uint32_t rounds = 0, moves = 0;
  // At the last solution: steps left and steps per second on the isolated share.
  double left_then = 0, isolated_then = 0;
  std::optional<std::uint32_t> last_type;  // of the last round, if it ran
  std::vector<std::uint32_t> workers;      // those that it had last
};

/// A round of a job: time, job, type, GPUs.
struct GavelRow {
  double time_s;
  std::uint32_t job, type;
  std::vector<std::uint32_t> workers;
};

/// A recorded solution: its time, its objective if there is one, and the shares, job by job.
struct GavelSolve {
  double time_s;
  std::size_t jobs;
  std::optional<double> objective;
  std::map<std::uint32_t, std::vector<double>> shares;
};

std::vector<GavelSolve> read_gavel_solves(const std::filesystem::path& folder, const replay::GavelBins& bins) {
  const CsvTable objectives = CsvTable::read(folder / "objectives.csv");
  std::vector<GavelSolve> solves;
  for (std::size_t row = 0; row < objectives.rows(); ++row) {
    const std::size_t column = objectives.column("objective");
    GavelSolve solve{objectives.number(row, objectives.column("time_s")),
                     static_cast<std::size_t>(objectives.integer(row, objectives.column("jobs"))),
                     {},
                     {}};
    if (!objectives.text(row, column).empty()) solve.objective = objectives.number(row, column);
    solves.push_back(solve);
  }
  const CsvTable table = CsvTable::read(folder / "allocations.csv");
  std::size_t at = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double time_s = table.number(row, table.column("time_s"));
    while (at < solves.size() && solves[at].time_s + of_log_s < time_s) ++at;
    if (at == solves.size()) throw data_error("shares of no solution", table.where(row, 0), "");
    auto& x = solves[at].shares[static_cast<std::uint32_t>(table.integer(row, table.column("job_id")))];
    x.resize(bins.gpus.size());
    x[bins.type(std::string(table.text(row, table.column("bin"))))] = table.number(row, table.column("x"));
  }
  return solves;
}

std::vector<GavelJob> read_gavel_jobs(const std::filesystem::path& file, const replay::GavelBins& bins) {
  const CsvTable table = CsvTable::read(file);
  std::vector<GavelJob> jobs(table.rows());
  for (std::size_t row = 0; row < jobs.size(); ++row) {
    if (table.integer(row, table.column("job_id")) != static_cast<long long>(row)) {
      throw data_error("jobs that are not numbered from 0", table.where(row, 0), "");
    }
    GavelJob& job = jobs[row];
    job.gpus = static_cast<std::uint32_t>(table.integer(row, table.column("num_gpus")));
    job.class_row = bins.class_row(table.text(row, table.column("class")));
    job.submit_s = table.number(row, table.column("submit_s"));
    job.steps = job.left = table.number(row, table.column("steps"));
  }
  return jobs;
}

/// Gavel's simulator: whole rounds, steps that are counted whole, GPUs by worker.
class GavelWorld {
 public:
  GavelWorld(const replay::GavelBins& bins, std::vector<GavelJob> jobs, std::vector<GavelSolve> solves,
             const std::string& policy)
      : bins_(bins),
        jobs_(std::move(jobs)),
        solves_(std::move(solves)),
        fifo_(policy.rfind("fifo", 0) == 0),
        shuffles_(policy.find("_perf") == std::string::npos),
        rounds_(bins.gpus.size(), gavel_round_s, gavel_reset_s, false, !fifo_) {
    const std::map<std::string, ShareObjective> known = {
        {"max_min_fairness_perf", ShareObjective::max_min},
        {"max_sum_throughput_perf", ShareObjective::sum},
        {"min_total_duration_perf", ShareObjective::makespan},
        {"finish_time_fairness_perf", ShareObjective::finish_time_fairness}};
    if (const auto found = known.find(policy); found != known.end()) objective_ = found->second;
  }

  void run();
  [[nodiscard]] const std::vector<GavelJob>& jobs() const { return jobs_; }
  [[nodiscard]] const std::vector<GavelRow>& rows() const { return rows_; }
  /// By solution: what ours is for the same jobs.
  [[nodiscard]] const std::vector<double>& objectives() const { return objectives_; }
  [[nodiscard]] std::size_t solutions() const { return solutions_; }

 private:
  [[nodiscard]] double speed(const GavelJob& job, std::uint32_t type) const {
    return bins_.speeds[job.class_row * bins_.gpus.size() + type];
  }
  void solve(double now_s);
  [[nodiscard]] ShareProblem problem(double now_s);
  /// Of one round. The simulator draws it anew for each, also for the one after which it waits for the next arrival.
  [[nodiscard]] std::vector<std::uint32_t> order_of_types();
  std::vector<GavelRow> assign(double now_s, const std::vector<RoundPick>& picks) const;
  double run_round(double now_s, const std::vector<GavelRow>& rows);

  const replay::GavelBins& bins_;
  std::vector<GavelJob> jobs_;
  std::vector<GavelSolve> solves_;
  bool fifo_, shuffles_;
  std::optional<ShareObjective> objective_;
  ShareRounds rounds_;
  replay::CPythonRandom random_{5};
  std::vector<GavelRow> rows_;
  std::vector<double> objectives_;
  std::size_t solutions_ = 0;
  double last_end_s_ = 0;
};

ShareProblem GavelWorld::problem(double now_s) {
  ShareProblem problem;
  problem.gpus = bins_.gpus;
  problem.speeds = bins_.speeds;
  problem.widest.assign(bins_.gpus.size(), UINT32_MAX);
  for (const JobId id : rounds_.jobs()) {
    GavelJob& job = jobs_[id.index()];
    if (job.isolated_then > 0) job.isolated_s += (job.left_then - job.left) / job.isolated_then;
    problem.jobs.push_back({job.class_row, job.gpus, 1, job.left, now_s - job.submit_s, job.isolated_s});
  }
  for (std::size_t i = 0; i < problem.jobs.size(); ++i) {
    GavelJob& job = jobs_[rounds_.jobs()[i].index()];
    job.left_then = job.left;
    job.isolated_then = isolated_speed(problem, problem.jobs[i]);
  }
  return problem;
}

/// The recorded shares are used, ours are compared: all solutions are of the same jobs, whichever vertex a solver took.
void GavelWorld::solve(double now_s) {
  if (solutions_ == solves_.size() || std::abs(solves_[solutions_].time_s - now_s) > of_log_s ||
      solves_[solutions_].jobs != rounds_.jobs().size()) {
    throw data_error(
        fmt::format("a solution at {} s for {} jobs that was not recorded", shortest(now_s), rounds_.jobs().size()),
        "objectives.csv", "");
  }
  const GavelSolve& recorded = solves_[solutions_++];
  const ShareProblem now = problem(now_s);
  objectives_.push_back(objective_ && recorded.objective ? divide_time(*objective_, now).primal : NAN);
  std::vector<double> shares;
  for (const JobId job : rounds_.jobs()) {
    const auto found = recorded.shares.find(job.value);
    if (found == recorded.shares.end()) shares.resize(shares.size() + bins_.gpus.size());
    if (found != recorded.shares.end()) shares.insert(shares.end(), found->second.begin(), found->second.end());
  }
  rounds_.reset(now_s, std::move(shares));
}

/// Gangs by size, the largest first; of a size first those that keep the GPUs they had on the same type a round ago;
/// the others take the lowest. The GPUs of the last type are numbered first.
std::vector<GavelRow> GavelWorld::assign(double now_s, const std::vector<RoundPick>& picks) const {
  std::vector<GavelRow> rows;
  std::set<std::uint32_t> sizes;
  for (const RoundPick& pick : picks) sizes.insert(jobs_[pick.job.index()].gpus);
  std::uint32_t first = std::accumulate(bins_.gpus.begin(), bins_.gpus.end(), 0u);
  for (std::uint32_t type = 0; type < bins_.gpus.size(); ++type) {
    first -= bins_.gpus[type];
    std::vector<std::uint8_t> taken(bins_.gpus[type]);
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      std::vector<std::uint32_t> others;
      for (const RoundPick& pick : picks) {
        const GavelJob& job = jobs_[pick.job.index()];
        if (pick.type != type || job.gpus != *size) continue;
        const bool keeps =
            job.last_type == type && std::none_of(job.workers.begin(), job.workers.end(),
                                                  [&](std::uint32_t w) { return taken[w - first] != 0; });
        if (!keeps) others.push_back(pick.job.value);
        if (!keeps) continue;
        for (const std::uint32_t worker : job.workers) taken[worker - first] = 1;
        rows.push_back({now_s, pick.job.value, type, job.workers});
      }
      for (const std::uint32_t job : others) {
        GavelRow row{now_s, job, type, {}};
        for (std::uint32_t w = 0; w < taken.size() && row.workers.size() < *size; ++w) {
          if (taken[w] != 0) continue;
          taken[w] = 1;
          row.workers.push_back(first + w);
        }
        rows.push_back(row);
      }
    }
  }
  return rows;
}

/// Returns when the round ends: with its latest job. The simulator counts a job's time from the end of the round
/// before, also where nothing ran in between.
double GavelWorld::run_round(double now_s, const std::vector<GavelRow>& rows) {
  double end_s = now_s;
  std::vector<std::optional<std::uint32_t>> types(jobs_.size());
  for (const GavelRow& row : rows) {
    GavelJob& job = jobs_[row.job];
    const double steps = std::min(std::floor(speed(job, row.type) * gavel_round_s), job.left);
    const double finish_s = now_s + steps / speed(job, row.type);
    job.left -= steps;
    if (std::isnan(job.first_start_s)) job.first_start_s = now_s;
    if (job.rounds > 0 && job.workers != row.workers) ++job.moves;
    ++job.rounds;
    job.workers = row.workers;
    types[row.job] = row.type;
    rounds_.ran({JobId(row.job), row.type}, finish_s - last_end_s_);
    if (job.left == 0) {
      job.end_s = finish_s;
      rounds_.remove(JobId(row.job));
    }
    end_s = std::max(end_s, finish_s);
  }
  for (std::size_t i = 0; i < jobs_.size(); ++i) jobs_[i].last_type = types[i];
  if (!rows.empty()) last_end_s_ = end_s;
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  return end_s;
}

std::vector<std::uint32_t> GavelWorld::order_of_types() {
  std::vector<std::uint32_t> types(bins_.gpus.size());
  std::iota(types.begin(), types.end(), 0u);
  if (shuffles_) random_.shuffle(types);
  return types;
}

void GavelWorld::run() {
  std::vector<std::uint32_t> arrivals(jobs_.size());
  std::iota(arrivals.begin(), arrivals.end(), 0u);
  std::stable_sort(arrivals.begin(), arrivals.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return jobs_[a].submit_s < jobs_[b].submit_s; });
  std::size_t next = 0;
  double now_s = 0;
  while (next < jobs_.size() || !rounds_.jobs().empty()) {
    const double before_s = now_s;
    if (rounds_.jobs().empty()) {
      const double arrival_s = jobs_[arrivals[next]].submit_s;
      if (!rows_.empty() && arrival_s > now_s) (void)order_of_types();  // of a round in which nobody is left
      now_s = std::max(now_s, arrival_s);
    }
    for (; next < jobs_.size() && jobs_[arrivals[next]].submit_s <= now_s; ++next) {
      rounds_.add(JobId(arrivals[next]), jobs_[arrivals[next]].gpus);
    }
    const bool solves = rounds_.due(now_s);
    if (solves) solve(now_s);
    const auto rows = assign(now_s, rounds_.fill(order_of_types(), bins_.gpus));
    now_s = run_round(now_s, rows);
    if (!rows.empty()) continue;
    if (next < jobs_.size())
      now_s = jobs_[arrivals[next]].submit_s;
    else if (solves && now_s == before_s)
      throw data_error("jobs that never run", "allocations.csv", "");
    else
      rounds_.forget_reset();
  }
  if (rounds_.due(now_s)) solve(now_s);  // for nobody
}

std::string differs_in_time(const char* name, double ours, double recorded) {
  return std::abs(ours - recorded) <= of_log_s ? "" : replay::differs(name, ours, recorded);
}

void compare_gavel_rounds(const std::filesystem::path& file, const replay::GavelBins& bins, const GavelWorld& world,
                          replay::Results& results) {
  const CsvTable table = CsvTable::read(file);
  std::map<std::uint32_t, std::vector<const GavelRow*>> ours;  // by job, in the order of time
  for (const GavelRow& row : world.rows()) ours[row.job].push_back(&row);
  std::map<std::uint32_t, std::size_t> seen;
  const std::size_t rows = std::max(table.rows(), world.rows().size());
  results.compare(file, rows, [&](std::size_t row) -> std::string {
    if (row >= table.rows()) return "a round that was not recorded";
    const auto job = static_cast<std::uint32_t>(table.integer(row, table.column("job_id")));
    const std::size_t at = seen[job]++;
    if (at >= ours[job].size()) return "the job runs in fewer rounds";
    const GavelRow& mine = *ours[job][at];
    if (std::abs(mine.time_s - table.number(row, table.column("time_s"))) > of_log_s)
      return "the job does not run then";
    std::vector<std::string> workers;
    for (const std::uint32_t worker : mine.workers) workers.push_back(std::to_string(worker));
    const std::string placed = bins.names[mine.type] + ": " + join(workers, " ");
    const std::string recorded = std::string(table.text(row, table.column("bin"))) + ": " +
                                 std::string(table.text(row, table.column("workers")));
    return placed == recorded ? "" : placed + ", recorded " + recorded;
  });
}

void compare_gavel_jobs(const std::filesystem::path& file, const GavelWorld& world, replay::Results& results) {
  const CsvTable table = CsvTable::read(file);
  results.compare(file, table.rows(), [&](std::size_t row) {
    const auto number = [&](const char* column) { return table.number(row, table.column(column)); };
    const GavelJob& job = world.jobs()[static_cast<std::size_t>(number("job_id"))];
    return differs_in_time("first_start_s", job.first_start_s, number("first_start_s")) +
           differs_in_time("end_s", job.end_s, number("end_s")) +
           differs_in_time("jct_s", job.end_s - job.submit_s, number("jct_s")) +
           replay::differs("rounds", job.rounds, number("rounds")) +
           replay::differs("moves", job.moves, number("moves"));
  });
}

void compare_gavel_objectives(const std::filesystem::path& file, const std::string& policy, const GavelWorld& world,
                              replay::Results& results) {
  const CsvTable table = CsvTable::read(file);
  results.compare(file, table.rows(), [&](std::size_t row) -> std::string {
    if (row >= world.solutions()) return "no solution then";
    const double ours = world.objectives()[row];
    if (std::isnan(ours)) return "";
    const double recorded = table.number(row, table.column("objective"));
    if (policy != "min_total_duration_perf") {
      return replay::differs("objective", ours, recorded, policy.rfind("finish", 0) == 0 ? 2e-6 : 1e-6);
    }
    // A bisection to 5 %, from above.
    if (ours <= recorded * (1 + 1e-6) && ours >= recorded * 0.95) return "";
    return fmt::format("makespan {}, recorded {}", shortest(ours), shortest(recorded));
  });
}

void replay_gavel_sim(const std::filesystem::path& folder, replay::Results& results) {
  const std::string name = folder.filename().string();
  const std::string policy = name.substr(0, name.find('-'));
  const replay::GavelBins bins = replay::read_gavel_bins(folder.parent_path() / "bins.csv", "throughput_");
  GavelWorld world(bins, read_gavel_jobs(folder.parent_path() / "jobs.csv", bins), read_gavel_solves(folder, bins),
                   policy);
  try {
    world.run();
  } catch (const Error& error) {  // the rows from there on are missing
    fmt::print(stderr, "{}: {}\n", folder.string(), error.what());
  }
  compare_gavel_rounds(folder / "rounds.csv", bins, world, results);
  compare_gavel_jobs(folder / "jobs.csv", world, results);
  compare_gavel_objectives(folder / "objectives.csv", policy, world, results);
}

}  // namespace

void register_replay_gavel_sim(ReplayParts& parts) {
  parts.add({"gavel-sim",
             "Gavel's simulator fed with its recorded shares, and its objectives (POLICY-SOLVER/rounds.csv)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& input : replay::folders_with(folder, "rounds.csv")) replay_gavel_sim(input, results);
             }});
}

}  // namespace palstudy
