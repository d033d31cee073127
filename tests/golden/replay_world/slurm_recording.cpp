// SPDX-License-Identifier: MIT
#include "slurm_recording.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "slurm_text.hpp"

namespace palstudy::replay {
namespace {

constexpr Millis second = 1000, minute = 60 * second;
constexpr double week_min = 7 * 24 * 60;

Millis millis(double seconds) { return std::llround(seconds * second); }

/// `use(n)` for each number of a list such as "1-3,7".
template <class Use>
void for_each_number(const std::string& list, Use use) {
  for_each_match(list, R"((\d+)(?:-(\d+))?)", [&](const std::smatch& match) {
    const unsigned long first = std::stoul(match[1]), last = match[2].matched ? std::stoul(match[2]) : first;
    for (unsigned long n = first; n <= last; ++n) use(static_cast<std::uint32_t>(n));
  });
}

/// Nodes of a list such as "n[1-3,7]" or "n3 n7", which count from 1.
NodeSet nodes_of(const std::string& list, std::uint32_t nodes) {
  NodeSet set(nodes);
  for_each_match(list, R"(n(?:\[([^\]]*)\]|(\d+)))", [&](const std::smatch& match) {
    for_each_number(match[1].matched ? match[1] : match[2], [&](std::uint32_t n) {
      if (n < 1 || n > nodes) throw data_error("there is no node n" + std::to_string(n), list);
      set.insert(NodeId(n - 1));
    });
  });
  return set;
}

/// GPUs of a list such as "n[4-7]:0-3" or "n1:0,3;n2:1".
GpuSet gpus_of(const std::string& list, std::uint32_t nodes) {
  GpuSet gpus;
  for_each_match(list, R"((n(?:\[[^\]]*\]|\d+)):([\d,-]+))", [&](const std::smatch& match) {
    GpuMask mask = 0;
    for_each_number(match[2], [&](std::uint32_t gpu) { mask |= GpuMask{1} << gpu; });
    nodes_of(match[1], nodes).for_each([&](NodeId node) { gpus.push_back({node, mask}); });
  });
  canonicalize(gpus);
  return gpus;
}

/// `count` GPUs a node, where the record lacks their numbers.
GpuSet lowest_gpus(const NodeSet& nodes, std::uint32_t count) {
  GpuSet gpus;
  nodes.for_each([&](NodeId node) { gpus.push_back({node, (GpuMask{1} << count) - 1}); });
  return gpus;
}

Millis read_first_submit(const std::filesystem::path& file) {
  return millis(nlohmann::json::parse(read_text_file(file)).at("first_submit_epoch").get<double>());
}

Topology topology_of(const SlurmConf& conf) {
  std::vector<NodeGroup> nodes;
  for (const SlurmNode& node : conf.nodes) nodes.push_back({1, node.gpus});
  return {nodes, static_cast<std::uint32_t>(nodes.size())};
}

std::vector<double> weights_of(const SlurmConf& conf) {
  std::vector<double> weights;
  for (const SlurmNode& node : conf.nodes) weights.push_back(node.weight);
  return weights;
}

std::vector<QueueRule> queues_of(const SlurmConf& conf, std::uint32_t nodes) {
  std::vector<QueueRule> queues;
  for (const SlurmQueue& queue : conf.queues) queues.push_back({queue.name, nodes_of_queue(queue, nodes), queue.tier});
  return queues;
}

std::uint32_t place_of(const std::vector<QueueRule>& queues, std::string_view name) {
  const auto found = std::find_if(queues.begin(), queues.end(), [&](const QueueRule& one) { return one.name == name; });
  if (found == queues.end()) throw data_error("no queue " + std::string(name), "slurm.conf");
  return static_cast<std::uint32_t>(found - queues.begin());
}

/// By name of a job: the job that it comes after. Lines of events.csv such as "69.171,dependency,j020,afterany:29".
std::map<std::string, std::uint32_t> read_afters(const std::filesystem::path& file) {
  std::map<std::string, std::uint32_t> afters;
  for_each_match(
      read_text_file(file), R"(^[\d.]+,dependency,(\w+),after[^:]*:(\d+)\s*$)",
      [&](const std::smatch& match) { afters.emplace(match[1], static_cast<std::uint32_t>(std::stoul(match[2]))); });
  return afters;
}

/// Tasks such as "69_2" of "array=0-4%2". They wait under the array's id, and each gets one of its own as it starts.
void read_array(const std::string& what, const std::string& job, SlurmAttempt& attempt) {
  attempt.record = attempt.id;
  if (!what.starts_with("array=")) return;
  attempt.record = static_cast<std::uint32_t>(std::stoul(job));
  const auto percent = what.find('%');
  if (percent != std::string::npos) attempt.at_once = static_cast<std::uint32_t>(std::stoul(what.substr(percent + 1)));
}

std::vector<SlurmAttempt> read_attempts(const std::filesystem::path& folder, Millis first,
                                        const std::vector<QueueRule>& queues, std::uint32_t nodes) {
  const CsvTable jobs = CsvTable::read(folder / "jobs.csv"), table = CsvTable::read(folder / "schedule.csv");
  const auto afters = read_afters(folder / "events.csv");
  std::map<std::string, std::size_t, std::less<>> row_of;
  for (std::size_t row = 0; row < jobs.rows(); ++row) row_of.emplace(jobs.text(row, jobs.column("name")), row);
  std::vector<SlurmAttempt> attempts;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text = [&](const char* column) { return std::string(table.text(row, table.column(column))); };
    const auto time = [&](const char* column) { return first + millis(table.number(row, table.column(column))); };
    const std::size_t job = row_of.at(text("name"));
    const auto asked = [&](const char* column) {
      return static_cast<std::uint32_t>(jobs.integer(job, jobs.column(column)));
    };
    SlurmAttempt attempt;
    attempt.id = static_cast<std::uint32_t>(table.integer(row, table.column("jobidraw")));
    attempt.gpus = asked("gpus");
    attempt.user = jobs.text(job, jobs.column("user"));
    attempt.killed = text("state") == "TIMEOUT";
    const auto after = afters.find(text("name"));
    if (after != afters.end()) attempt.after = after->second;
    read_array(std::string(jobs.text(job, jobs.column("what"))), text("job"), attempt);
    attempt.queue = place_of(queues, jobs.text(job, jobs.column("partition")));
    attempt.limit_s = asked("limit_s");
    attempt.submit = time("submit_s");
    attempt.eligible = time("eligible_s");
    if (!text("start_s").empty()) {
      attempt.start = time("start_s");
      attempt.held = gpus_of(text("gpus"), nodes);
      if (attempt.held.empty()) attempt.held = lowest_gpus(nodes_of(text("nodelist"), nodes), asked("gpus_per_node"));
    }
    attempt.end = text("end_s").empty() ? INT64_MAX / 2 : time("end_s");
    attempts.push_back(attempt);
  }
  return attempts;
}

std::vector<SlurmRow> read_passes(const std::filesystem::path& file, Millis first, std::uint32_t nodes) {
  const CsvTable table = CsvTable::read(file);
  std::vector<SlurmRow> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text = [&](const char* column) { return std::string(table.text(row, table.column(column))); };
    const auto time = [&](const char* column) { return first + millis(table.number(row, table.column(column))); };
    SlurmRow& read = rows.emplace_back();
    read.backfill = text("scheduler") == "backfill";
    read.time = time("t_s");
    if (text("jobidraw").empty()) continue;
    read.id = static_cast<std::uint32_t>(table.integer(row, table.column("jobidraw")));
    read.starts = text("decision") == "start";
    read.nodes = nodes_of(text("nodelist"), nodes);
    if (!read.starts) read.start = time("plan_start_s"), read.end = time("plan_end_s");
  }
  return rows;
}

/// Lines of events.csv such as "100.293,drain n3,n7,,": their fields are not quoted.
std::vector<SlurmOutage> read_outages(const std::filesystem::path& file, Millis first, std::uint32_t nodes) {
  constexpr Millis resumed_later = 1100;  // a resumed node takes jobs a second later
  std::vector<SlurmOutage> outages;
  for_each_match(read_text_file(file), R"(^([\d.]+),(drain|down|resume)\b(.*)$)", [&](const std::smatch& match) {
    const bool gone = match[2] != "resume";
    const Millis time = first + millis(std::stod(match[1]));
    outages.push_back({time + (gone ? 0 : resumed_later), nodes_of(match[3], nodes), gone});
  });
  return outages;
}

}  // namespace

SlurmPriorities::SlurmPriorities(const std::filesystem::path& folder, Millis first_submit, double points_a_second,
                                 const std::vector<SlurmAttempt>& attempts) {
  if (!std::filesystem::exists(folder / "sprio.psv")) return;
  for (const SlurmAttempt& attempt : attempts) samples_[attempt.id].push_back({attempt.eligible, 0});
  for (auto& [id, samples] : samples_) samples.resize(1);
  std::vector<Millis> ticks;
  read_samples(folder / "sprio.psv", first_submit, points_a_second, ticks);
  for (auto& [id, samples] : samples_) samples.front().priority = samples.size() > 1 ? samples[1].priority : 0;
  if (std::filesystem::exists(folder / "slurmctld.log.gz")) read_initial(folder / "slurmctld.log.gz");
  find_phase(std::move(ticks));
}

/// Appends to `ticks` when the last tick before a sample seems to have been, by the job's age.
void SlurmPriorities::read_samples(const std::filesystem::path& file, Millis first_submit, double points_a_second,
                                   std::vector<Millis>& ticks) {
  const char* row = R"(^([\d.]+)\|(\d+)\|[^|]*\|[^|]*\|(PD|R)\|(\d+)\|(\d*))";
  std::set<std::uint32_t> running;  // a job keeps the priority with which it started
  for_each_match(read_text_file(file), row, [&](const std::smatch& match) {
    const auto job = samples_.find(static_cast<std::uint32_t>(std::stoul(match[2])));
    if (job == samples_.end() || (match[3] == "R" && !running.insert(job->first).second)) return;
    std::vector<Sample>& samples = job->second;
    samples.push_back({first_submit + millis(std::stod(match[1])), std::stoll(match[4]), match[3] == "PD"});
    const double age = match[5].length() > 0 ? std::stod(match[5]) : 0;
    constexpr double half = 0.5;  // points and seconds are cut to whole ones
    if (age > 0) ticks.push_back(samples[0].time / second * second + millis((age + half) / points_a_second + half));
  });
}

void SlurmPriorities::read_initial(const std::filesystem::path& log) {
  for_each_match(read_text_file(log), R"(JobId=(\d+) InitPrio=(\d+))", [&](const std::smatch& match) {
    const auto job = samples_.find(static_cast<std::uint32_t>(std::stoul(match[1])));
    if (job != samples_.end()) job->second.front().priority = std::stoll(match[2]);
  });
}

/// Of the phases that fit the samples best the one nearest to what the ages say in the median.
void SlurmPriorities::find_phase(std::vector<Millis> ticks) {
  if (ticks.empty()) return;
  constexpr Millis step = 100;
  const Millis first = ticks.front();
  const auto from_first = [&](Millis tick) { return (tick - first + 3 * minute / 2) % minute - minute / 2; };
  std::transform(ticks.begin(), ticks.end(), ticks.begin(), from_first);
  std::nth_element(ticks.begin(), ticks.begin() + static_cast<std::ptrdiff_t>(ticks.size() / 2), ticks.end());
  const Millis median = first + ticks[ticks.size() / 2];
  std::size_t fewest = SIZE_MAX;
  for (Millis distance = 0; distance <= second; distance += step) {
    for (const Millis phase : {median - distance, median + distance}) {
      const std::size_t count = misfits(phase % minute);
      if (count < fewest) fewest = count, phase_ = phase % minute;
    }
  }
}

/// A tick lies between two samples if they differ, and only then.
std::size_t SlurmPriorities::misfits(Millis phase) const {
  std::size_t count = 0;
  for (const auto& [id, samples] : samples_) {
    for (std::size_t i = 1; i < samples.size(); ++i) {
      const bool ticks = (samples[i].time - phase) / minute != (samples[i - 1].time - phase) / minute;
      count += ticks != (samples[i].priority != samples[i - 1].priority) ? 1 : 0;
    }
  }
  return count;
}

std::optional<Millis> SlurmPriorities::tick_after(Millis time) const {
  if (samples_.empty()) return std::nullopt;
  return phase_ + ((time - phase_) / minute + 1) * minute;
}

std::int64_t SlurmPriorities::at(const SlurmAttempt& job, Millis time) const {
  const auto found = samples_.find(job.id);
  if (found == samples_.end()) return 0;
  const std::vector<Sample>& samples = found->second;
  const Millis next = *tick_after(time), tick = next - minute;
  std::int64_t priority = samples.front().priority;
  for (const Sample& sample : samples) {
    if (sample.time >= next) break;
    priority = sample.priority;
    if (sample.time > tick) break;
  }
  return priority;
}

SlurmRecording::SlurmRecording(const std::filesystem::path& folder)
    : first_submit(read_first_submit(folder / "meta.json")),
      conf(read_slurm_conf(folder / "slurm.conf")),
      topology(topology_of(conf)),
      weights(weights_of(conf)),
      queues(queues_of(conf, topology.nodes())),
      attempts(read_attempts(folder, first_submit, queues, topology.nodes())),
      rows(read_passes(folder / "passes.csv.gz", first_submit, topology.nodes())),
      outages(read_outages(folder / "events.csv", first_submit, topology.nodes())),
      priorities(folder, first_submit,
                 setting("slurm.PriorityWeightAge", 0) / (60 * setting("slurm.PriorityMaxAge", week_min)), attempts) {}

const SlurmAttempt* SlurmRecording::last_attempt(std::uint32_t id) const {
  const auto last = std::find_if(attempts.rbegin(), attempts.rend(), [&](const auto& one) { return one.id == id; });
  return last == attempts.rend() ? nullptr : &*last;
}

Millis SlurmRecording::ready(const SlurmAttempt& attempt) const {
  const SlurmAttempt* const before = attempt.after ? last_attempt(*attempt.after) : nullptr;
  if (before != nullptr) return std::max(before->end, attempt.submit);
  return attempt.at_once > 0 ? attempt.submit : attempt.eligible;
}

double SlurmRecording::setting(const std::string& key, double otherwise) const {
  const auto value = conf.values.find(key);
  return value == conf.values.end() ? otherwise : value->second.as_real();
}

}  // namespace palstudy::replay
