// SPDX-License-Identifier: MIT
#include "inputs/queue_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

/// "0-11 14": first and last of each, or one alone; empty: all.
std::vector<NodeRange> node_ranges(const CsvTable& table, std::size_t row, std::size_t column) {
  std::vector<NodeRange> ranges;
  const std::string text(table.text(row, column));
  for (const std::string& range : split(text, ' ')) {
    if (range.empty()) continue;
    const auto dash = range.find('-');
    const auto first = parse_integer(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > UINT32_MAX) {
      throw data_error(fmt::format("nodes \"{}\"", text), table.where(row, column),
                       "numbers and ranges with spaces between them, as in 0-11 14; empty for all nodes");
    }
    ranges.push_back({static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*last)});
  }
  return ranges;
}

/// Minutes as seconds; none where the column is not there, or empty.
std::optional<double> limit_s(const CsvTable& table, std::size_t row, const char* column) {
  constexpr double most_min = 1e8;
  if (!table.has_column(column) || table.text(row, table.column(column)).empty()) return std::nullopt;
  return minute_s * table.number(row, table.column(column), 1, most_min);
}

std::vector<SlurmQueue> read_queues(const std::filesystem::path& path) {
  constexpr int most_tier = 65533;  // Slurm's
  const CsvTable table = CsvTable::read(path);
  std::vector<SlurmQueue> queues;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t name = table.column("queue"), nodes = table.column("nodes");
    SlurmQueue queue;
    queue.name = table.text(row, name);
    queue.where = table.where(row, name);
    queue.nodes = node_ranges(table, row, nodes);
    if (table.has_column("tier")) {
      queue.tier = static_cast<std::uint32_t>(table.integer(row, table.column("tier"), 0, most_tier));
    }
    queue.default_s = limit_s(table, row, "default_min");
    queue.most_s = limit_s(table, row, "max_min");
    queues.push_back(std::move(queue));
  }
  return queues;
}

/// By Job::queue.
std::vector<std::uint32_t> places_of_names(const std::vector<SlurmQueue>& queues, const RunPlan& run,
                                           const Workload& workload) {
  if (workload.queues.empty()) return {0};
  std::vector<std::uint32_t> places(workload.queues.size(), 0);
  std::vector<std::uint8_t> seen(places.size(), 0);
  for (const Job& job : workload.jobs) {
    const std::string& name = workload.queues[job.queue];
    if (name.empty() || seen[job.queue]++ > 0) continue;
    const auto found = std::ranges::find(queues, name, &SlurmQueue::name);
    if (found == queues.end()) {
      std::vector<std::string> names;
      for (const SlurmQueue& queue : queues) names.push_back(queue.name);
      throw data_error(fmt::format("job {} is of queue \"{}\", which {} = \"{}\" does not have", job.id, name,
                                   keys::queues.name, run.slurm.queues),
                       jobs_of(run), "its queues with GPUs are " + join(names));
    }
    places[job.queue] = static_cast<std::uint32_t>(found - queues.begin());
  }
  return places;
}

std::uint32_t gpus_of(const NodeSet& nodes, const Topology& topology) {
  std::uint32_t gpus = 0;
  nodes.for_each([&](NodeId node) { gpus += topology.gpus_of(node); });
  return gpus;
}

}  // namespace

const std::vector<SlurmQueue>& QueueInputs::queues(const RunPlan& run) {
  const std::string& written = run.slurm.queues;
  return memoize(queues_, written, [&] {
    const auto path = files_.named(keys::queues, written);
    auto queues = is_slurm_conf(written) ? read_slurm_conf(path).queues : read_queues(path);
    if (queues.empty()) throw data_error("has no queue", path.string(), "give one, or leave slurm.queues out");
    for (auto queue = queues.begin(); queue != queues.end(); ++queue) {
      if (queue->default_s && queue->most_s && *queue->default_s > *queue->most_s) {
        throw data_error(fmt::format("the default limit of queue \"{}\" is longer than its longest", queue->name),
                         queue->where, "give a shorter default, or a longer limit");
      }
      if (std::ranges::find(queues.begin(), queue, queue->name, &SlurmQueue::name) == queue) continue;
      throw data_error(fmt::format("queue \"{}\" is given twice", queue->name), queue->where, "keep one of them");
    }
    files_.add(written, path);
    return queues;
  });
}

void QueueInputs::limit_jobs(const RunPlan& run, Workload& workload) {
  const bool given = !run.slurm.queues.empty();  // a column with one name in it says nothing alone
  files_.note_column("queue", keys::queues, given, workload.queues.size() > (given ? 0 : 1));
  if (run.slurm.queues.empty()) return;
  const auto& all = queues(run);
  const auto places = places_of_names(all, run, workload);
  const Job* longest = nullptr;
  std::size_t over = 0;
  for (Job& job : workload.jobs) {
    const SlurmQueue& queue = all[places[job.queue]];
    if (job.estimate_s == 0) job.estimate_s = queue.default_s.value_or(queue.most_s.value_or(0));
    if (!queue.most_s || job.estimate_s <= *queue.most_s) continue;
    ++over;
    if (longest == nullptr || job.estimate_s > longest->estimate_s) longest = &job;
  }
  if (longest == nullptr) return;
  const SlurmQueue& queue = all[places[longest->queue]];
  throw data_error(
      fmt::format("{} a longer limit than the queue allows; job {} has {} min, and queue \"{}\" allows {}",
                  over == 1 ? "1 job has" : counted(over, "job") + " have", longest->id,
                  shortest(longest->estimate_s / minute_s), queue.name, shortest(*queue.most_s / minute_s)),
      jobs_of(run), "give them a shorter estimate_s, or another queue: Slurm would never start them");
}

const QueueRules* QueueInputs::of(const RunPlan& run, const Workload& workload, const Topology& topology) {
  if (run.slurm.queues.empty()) return nullptr;
  return &memoize(rules_, topology_text(run) + "\n" + workload_text(run), [&] {
    QueueRules rules;
    std::vector<std::uint32_t> gpus;
    for (const SlurmQueue& queue : queues(run)) {
      rules.all.push_back({queue.name, nodes_of_queue(queue, topology.nodes()), queue.tier});
      gpus.push_back(gpus_of(rules.all.back().nodes, topology));
    }
    rules.of_name = places_of_names(queues(run), run, workload);
    for (const Job& job : workload.jobs) {
      const std::uint32_t queue = rules.of(job);
      if (job.gpus <= gpus[queue]) continue;
      throw data_error(fmt::format("job {} wants {} GPUs, and queue \"{}\" has {}", job.id, job.gpus,
                                   rules.all[queue].name, gpus[queue]),
                       jobs_of(run), "give the queue more nodes, or the job another queue");
    }
    return rules;
  });
}

}  // namespace palstudy
