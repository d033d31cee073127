// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "replay.hpp"
#include "sim/scheduler/ones/counts.hpp"
#include "sim/scheduler/ones/reorder.hpp"
#include "sim/scheduler/ones/schedule.hpp"

namespace palstudy {
namespace {

using std::filesystem::path;

constexpr double crossover_rate = 0.5, mutation_rate = 0.3;  // of the recorded program
constexpr double recorded_digits = 1e-7;  // scores come from predictions of six decimals and throughputs of nine digits

/// The jobs of one case and the number of its GPUs.
struct OnesCase {
  std::uint32_t gpus = 0;
  std::vector<OnesJob> jobs;
};

OnesStatus status_of(std::string_view text) {
  const std::map<std::string_view, OnesStatus> known = {{"new", OnesStatus::fresh},
                                                        {"running", OnesStatus::running},
                                                        {"stopped", OnesStatus::stopped},
                                                        {"complete", OnesStatus::complete}};
  const auto found = known.find(text);
  if (found == known.end()) throw data_error("unknown status " + std::string(text));
  return found->second;
}

/// "1:20.5;2:40": throughputs by GPUs. That of no GPUs is 0, which is understood.
MeasuredThroughput throughput_of(const std::string& text) {
  MeasuredThroughput throughput;
  for (const std::string& point : split(text, ';')) {
    const std::vector<std::string> parts = split(point, ':');
    const auto gpus = parse_integer(parts.at(0));
    if (gpus.value() > 0) throughput.add(static_cast<std::uint32_t>(*gpus), parse_double(parts.at(1)).value());
  }
  return throughput;
}

std::map<long long, OnesCase> read_cases(const path& file) {
  const CsvTable table = CsvTable::read(file);
  std::map<long long, OnesCase> cases;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto count = [&](const char* column) {
      return static_cast<std::uint32_t>(table.integer(row, table.column(column), 0, UINT32_MAX));
    };
    const auto text = [&](const char* column) { return table.text(row, table.column(column)); };
    OnesCase& into = cases[table.integer(row, table.column("case"))];
    if (count("job") != into.jobs.size()) throw data_error("jobs out of order", table.where(row, table.column("job")));
    into.gpus = count("gpus");
    OnesJob job;
    job.status = status_of(text("status"));
    job.wanted = count("ones_max");
    job.limit = count("training_max");
    job.epochs = count("completed_epochs");
    job.samples = table.number(row, table.column("completed_samples"));
    job.progress = parse_double(text("predicted_progress")).value_or(nan);
    job.throughput = throughput_of(std::string(text("throughput")));
    if (job.executed() != (table.integer(row, table.column("executed"), 0, 1) == 1)) {
      throw data_error("a job that is executed for one of the two alone", table.where(row, table.column("executed")));
    }
    into.jobs.push_back(std::move(job));
  }
  return cases;
}

std::uint32_t row_number(const std::string& text, std::size_t below) {
  const auto row = parse_integer(text);
  if (!row || *row < 0 || static_cast<std::size_t>(*row) >= below) throw data_error("no such job: " + text);
  return static_cast<std::uint32_t>(*row);
}

/// "1 - 2": the job of each GPU.
OnesSchedule schedule_of(std::string_view text, const OnesCase& of) {
  OnesSchedule schedule;
  for (const std::string& entry : split(std::string(text), ' ')) {
    schedule.push_back(entry == "-" ? no_job_row : row_number(entry, of.jobs.size()));
  }
  if (schedule.size() != of.gpus) throw data_error("a schedule of other GPUs: " + std::string(text));
  return schedule;
}

OnesCounts counts_of(std::string_view text, const OnesCase& of) {
  OnesCounts counts;
  for (const std::string& entry : split(std::string(text), ' ')) {
    const std::vector<std::string> parts = split(entry, ':');
    counts.push_back(
        {row_number(parts.at(0), of.jobs.size()), static_cast<std::uint32_t>(parse_integer(parts.at(1)).value())});
  }
  return counts;
}

std::string text_of(const OnesSchedule& schedule) {
  std::vector<std::string> entries;
  for (const std::uint32_t row : schedule) entries.push_back(row == no_job_row ? "-" : std::to_string(row));
  return join(entries, " ");
}

std::string text_of(const OnesCounts& counts) {
  std::vector<std::string> entries;
  for (const auto& [row, gpus] : counts) entries.push_back(std::to_string(row) + ":" + std::to_string(gpus));
  return join(entries, " ");
}

/// The recorded uniform numbers, one after the other; all have to be taken.
class RecordedDraws {
 public:
  explicit RecordedDraws(std::string_view text) {
    for (const std::string& number : split(std::string(text), ' ')) numbers_.push_back(parse_double(number).value());
  }
  [[nodiscard]] OnesDraw next() {
    return [this](std::uint32_t) { return numbers_.at(taken_++); };
  }
  [[nodiscard]] std::string left() const { return taken_ == numbers_.size() ? "" : "; draws are left"; }

 private:
  std::vector<double> numbers_;
  std::size_t taken_ = 0;
};

/// The calls of one recording, one by one. Those of a case share the deployed schedule and the scores.
class OnesCalls {
 public:
  OnesCalls(const CsvTable& calls, const std::map<long long, OnesCase>& cases) : calls_(calls), cases_(cases) {}

  /// How call `row` differs.
  [[nodiscard]] std::string differs(std::size_t row) {
    const OnesCase& of = cases_.at(calls_.integer(row, calls_.column("case")));
    const auto text = [&](const char* column) { return calls_.text(row, calls_.column(column)); };
    const std::string_view call = text("operator");
    if (call == "current") {
      deployed_ = schedule_of(text("in1"), of);
      scored_.clear();
      scores_.clear();
      return text("out").empty() ? "" : "a deployed schedule with a result";
    }
    if (call == "score") return score_differs(text("in1"), text("out"), of);
    const std::string ours = call == "select_first" ? selected() : result(call, row, of);
    return ours == text("out") ? "" : std::string(call) + " " + ours + ", recorded " + std::string(text("out"));
  }

 private:
  [[nodiscard]] std::string result(std::string_view call, std::size_t row, const OnesCase& of) {
    const auto text = [&](const char* column) { return calls_.text(row, calls_.column(column)); };
    if (call == "reorder") {
      const OnesCounts counts = counts_of(text("in1"), of);
      const OnesSchedule ours = reorder_(counts, deployed_, of.jobs).schedule;
      const std::vector<std::uint32_t> gpus = gpus_by_row(ours, of.jobs.size());
      const bool placed =
          std::ranges::all_of(counts, [&](const OnesCount& count) { return gpus[count.row] == count.gpus; });
      return text_of(ours) + (placed == (text("draws_or_ok") == "1") ? "" : "; not all jobs are placed by both");
    }
    const OnesSchedule first = schedule_of(text("in1"), of);
    if (call == "refresh") return text_of(refreshed(first, of.jobs));
    if (call == "pad") return text_of(padded(first, of.jobs, fill_order(of.jobs)));
    RecordedDraws draws(text("draws_or_ok"));
    if (call == "mutate") {
      const OnesSchedule left = mutated(first, of.jobs, mutation_rate, draws.next());
      return text_of(left) + draws.left();
    }
    if (call != "crossover") throw data_error("unknown operator " + std::string(call));
    const auto children = crossed(first, schedule_of(text("in2"), of), of.jobs, crossover_rate, draws.next());
    return text_of(children.first) + " | " + text_of(children.second) + draws.left();
  }
  [[nodiscard]] std::string score_differs(std::string_view in, std::string_view recorded, const OnesCase& of) {
    const OnesSchedule schedule = schedule_of(in, of);
    OnesCounts counts;
    const std::vector<std::uint32_t> gpus = gpus_by_row(schedule, of.jobs.size());
    for (std::uint32_t row = 0; row < gpus.size(); ++row) {
      if (gpus[row] > 0) counts.push_back({row, gpus[row]});
    }
    scored_.emplace_back(in);
    scores_.push_back(usage(counts, of.jobs));
    return replay::differs("score", scores_.back(), parse_double(recorded).value(), recorded_digits);
  }
  [[nodiscard]] std::string selected() const { return scored_.at(lowest(scores_, 1).at(0)); }

  const CsvTable& calls_;
  const std::map<long long, OnesCase>& cases_;
  OnesReorder reorder_;
  OnesSchedule deployed_;
  std::vector<std::string> scored_;
  std::vector<double> scores_;
};

/// All files PREFIX-operators.csv at `folder` and below, by path.
std::vector<path> recordings(const path& folder) {
  std::set<path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename().string().ends_with("operators.csv")) found.insert(entry.path());
  }
  return {found.begin(), found.end()};
}

}  // namespace

void register_replay_ones(ReplayParts& parts) {
  parts.add({"ones", "The operators of ONES, with the recorded uniform numbers (PREFIX-jobs.csv, PREFIX-operators.csv)",
             [](const path& folder, replay::Results& results) {
               for (const path& file : recordings(folder)) {
                 const std::string name = file.filename().string();
                 const std::string prefix = name.substr(0, name.size() - std::string("operators.csv").size());
                 const auto cases = read_cases(file.parent_path() / (prefix + "jobs.csv"));
                 const CsvTable calls = CsvTable::read(file);
                 OnesCalls replayed(calls, cases);
                 results.compare(file, calls.rows(), [&](std::size_t row) { return replayed.differs(row); });
               }
             }});
}

}  // namespace palstudy
