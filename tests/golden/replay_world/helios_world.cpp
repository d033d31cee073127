// SPDX-License-Identifier: MIT
#include "helios_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

#include "core/numbers.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "sim/simulation.hpp"
#include "workload/predict/close_names.hpp"

namespace palstudy::replay {
namespace {

/// Numbers for names, by first appearance.
std::uint32_t number_of(std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) names.emplace_back(name);
  return static_cast<std::uint32_t>(found == names.end() ? names.size() - 1 : found - names.begin());
}

std::string nodes_of(GpuSet gpus) {
  canonicalize(gpus);
  std::string text;
  for (const NodeGpus& part : gpus) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ";", part.node.value, std::popcount(part.mask));
  }
  return text;
}

/// The nodes of a VC, all GPUs alike, with the consolidating placement.
struct Nodes {
  Nodes(std::uint32_t count, std::uint32_t gpus_per_node)
      : topology(std::vector<NodeGroup>{{count, gpus_per_node}}, count),
        bins(Slowdowns::flat({"A"}, topology.gpus()), BinRule{1, false}),
        expected(bins),
        placement(placements().at("consolidate").make({topology, bins, LocalityPenalty{}, 1}, {})),
        free(topology, bins, placement->needs()) {}

  bool start(JobId job, std::uint32_t gpus, double now_s, GpuSet& held) {
    GpuSet chosen;
    if (!placement->choose({job, ClassId(0), gpus, now_s}, free, chosen)) return false;
    for (const NodeGpus& part : chosen) free.take(part);
    held = chosen;
    return true;
  }
  void end(const GpuSet& held) {
    for (const NodeGpus& part : held) free.give(part);
  }

  Topology topology;
  Bins bins;
  ExpectedSlowdowns expected;
  Penalties penalty{LocalityPenalty{}};
  std::unique_ptr<PlacementPolicy> placement;
  FreeGpus free;
};

}  // namespace

HeliosInputs::HeliosInputs(const std::filesystem::path& folder) {
  const CsvTable nodes = CsvTable::read(folder / "nodes.csv");
  for (std::size_t row = 0; row < nodes.rows(); ++row) {
    Vc& vc = vcs[std::string(nodes.text(row, nodes.column("vc")))];
    vc.nodes = static_cast<std::uint32_t>(nodes.integer(row, nodes.column("nodes")));
    gpus_per_node = static_cast<std::uint32_t>(nodes.integer(row, nodes.column("gpus_per_node")));
  }
  std::vector<std::string> users, names;
  const auto read_job = [&](const CsvTable& table, std::size_t row) {
    Job job;
    job.submit_s = table.number(row, table.column("submit_s"));
    job.gpus = static_cast<std::uint32_t>(table.integer(row, table.column("num_gpus")));
    job.iterations = table.number(row, table.column("duration_s"));
    job.iteration_s = 1;
    if (table.has_column("user")) job.user = number_of(users, table.text(row, table.column("user")));
    if (table.has_column("name")) job.name = number_of(names, table.text(row, table.column("name")));
    if (table.has_column("predicted_s")) job.predicted_s = table.number(row, table.column("predicted_s"));
    return job;
  };
  if (std::filesystem::exists(folder / "history.csv")) {
    const CsvTable ended = CsvTable::read(folder / "history.csv");
    for (std::size_t row = 0; row < ended.rows(); ++row) history.push_back(read_job(ended, row));
  }
  const CsvTable jobs = CsvTable::read(folder / "jobs.csv");
  for (std::size_t row = 0; row < jobs.rows(); ++row) {
    job_ids.emplace_back(jobs.text(row, jobs.column("job_id")));
    Vc& vc = vcs.at(std::string(jobs.text(row, jobs.column("vc"))));
    vc.workload.jobs.push_back(read_job(jobs, row));
    vc.workload.jobs.back().id = static_cast<std::int64_t>(row);
    if (jobs.has_column("model_s")) vc.model_s.push_back(jobs.number(row, jobs.column("model_s")));
  }
  for (auto& [name, vc] : vcs) {
    vc.workload.classes = {"A"};
    vc.workload.models = vc.workload.tenants = {""};
    vc.workload.users = users;
    vc.workload.names = names;
  }
}

class HeliosWorld::Impl {
 public:
  Impl(const HeliosInputs& inputs, const HeliosInputs::Vc& vc, const std::string& order, const std::string& predictor)
      : vc_(vc),
        jobs_(vc.workload.jobs),
        nodes_(vc.nodes, inputs.gpus_per_node),
        order_(orders().at(order).make({})),
        combined_(predictor == "combined"),
        predictor_(predictors().at(combined_ ? "rolling" : predictor).make.make({vc.workload, 1}, {})),
        table_(jobs_.size()),
        held_(jobs_.size()),
        rows_(jobs_.size()) {
    table_.predicted_gpu_s.assign(jobs_.size(), nan);
    for (const Job& job : inputs.history) learn(job);
  }

  std::vector<HeliosRow> run() {
    for (double now_s = 0; now_s < infinity; now_s = next_s(now_s)) second(now_s);
    return rows_;
  }

  /// The artifact's weights, where its model has a prediction.
  double key(const Job& job) const {
    const double rolling = predictor_->gpu_s(job);
    if (!combined_) return rolling;
    const auto at = static_cast<std::size_t>(&job - jobs_.data());
    const double model = vc_.model_s[at] * job.gpus;
    return model > 0 ? 0.1 * rolling + 0.9 * model : rolling;
  }

  std::vector<std::string> close(const std::string& name) const {
    std::vector<std::string> names;
    for (const std::uint32_t i : close_names(name, known_)) names.push_back(known_[i]);
    return names;
  }

 private:
  void second(double now_s) {
    while (!ends_.empty() && ends_.top().first <= now_s) {
      end(ends_.top().second);
      ends_.pop();
    }
    bool waited = !queue_.empty();
    for (; next_ < jobs_.size() && jobs_[next_].submit_s <= now_s; ++next_) queue_.emplace_back(next_);
    if (waited) fix_keys();
    serve(now_s);
  }

  /// A newcomer to an empty queue that has to wait gets its key in the second after.
  double next_s(double now_s) const {
    double next_s = infinity;
    if (!ends_.empty()) next_s = ends_.top().first;
    if (next_ < jobs_.size()) next_s = std::min(next_s, jobs_[next_].submit_s);
    const bool unkeyed = std::any_of(queue_.begin(), queue_.end(),
                                     [&](JobId job) { return std::isnan(table_.predicted_gpu_s[job.index()]); });
    return unkeyed ? std::min(next_s, now_s + 1) : next_s;
  }

  void fix_keys() {
    for (const JobId job : queue_) {
      double& predicted = table_.predicted_gpu_s[job.index()];
      if (!std::isnan(predicted)) continue;
      HeliosRow& row = rows_[job.index()];
      row.key = predicted = key(jobs_[job.index()]);
      const auto& names = vc_.workload.names;
      row.no_name_match = !names.empty() && close(names[jobs_[job.index()].name]).empty();
    }
  }

  void serve(double now_s) {
    const View view{now_s, 1, nodes_.topology.gpus(), jobs_, table_, nodes_.penalty, nodes_.expected};
    std::vector<JobId> ordered = queue_;
    order_->order(view, ordered);
    for (const JobId job : ordered) {
      if (!nodes_.start(job, jobs_[job.index()].gpus, now_s, held_[job.index()])) return;
      HeliosRow& row = rows_[job.index()];
      row.start_s = now_s;
      row.end_s = now_s + jobs_[job.index()].iterations;
      row.queue_s = now_s - jobs_[job.index()].submit_s;
      row.nodes = nodes_of(held_[job.index()]);
      ends_.emplace(row.end_s, job);
      std::erase(queue_, job);
    }
  }

  /// A job joins the artifact's history once for each of its nodes.
  void end(JobId job) {
    nodes_.end(held_[job.index()]);
    for (std::size_t i = 0; i < held_[job.index()].size(); ++i) learn(jobs_[job.index()]);
  }
  void learn(const Job& job) {
    predictor_->learn(job, job.iterations);
    if (vc_.workload.names.empty()) return;
    const std::string& name = vc_.workload.names[job.name];
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.push_back(name);
  }

  const HeliosInputs::Vc& vc_;
  const std::vector<Job>& jobs_;
  Nodes nodes_;
  std::unique_ptr<OrderPolicy> order_;
  bool combined_;
  std::unique_ptr<Predictor> predictor_;
  std::vector<std::string> known_;
  JobTable table_;
  std::vector<GpuSet> held_;
  std::vector<HeliosRow> rows_;
  std::vector<JobId> queue_;  // by ascending job
  std::size_t next_ = 0;      // the next to arrive
  std::priority_queue<std::pair<double, JobId>, std::vector<std::pair<double, JobId>>, std::greater<>> ends_;
};

HeliosWorld::HeliosWorld(const HeliosInputs& inputs, const HeliosInputs::Vc& vc, const std::string& order,
                         const std::string& predictor)
    : impl_(std::make_unique<Impl>(inputs, vc, order, predictor)) {}
HeliosWorld::~HeliosWorld() = default;
std::vector<HeliosRow> HeliosWorld::run() { return impl_->run(); }
double HeliosWorld::key(const Job& job) const { return impl_->key(job); }
std::vector<std::string> HeliosWorld::close(const std::string& name) const { return impl_->close(name); }

namespace {

/// A job of the SRTF world.
struct Shrinking {
  std::size_t row;
  std::uint32_t gpus;
  double remaining_s;
  double since_s;  ///< since when it waits
  bool started = false;
};

class SrtfWorld {
 public:
  SrtfWorld(const HeliosInputs& inputs, const HeliosInputs::Vc& vc)
      : jobs_(vc.workload.jobs), nodes_(vc.nodes, inputs.gpus_per_node), held_(jobs_.size()), rows_(jobs_.size()) {}

  std::vector<HeliosRow> run() {
    for (double now_s = 0; now_s < infinity;) {
      const bool changed = second(now_s);
      const double next_s = changed ? now_s + 1 : quiet_until_s(now_s);
      for (Shrinking& job : running_) job.remaining_s -= next_s - now_s - 1;  // the seconds passed over
      now_s = next_s;
    }
    return rows_;
  }

 private:
  bool second(double now_s) {
    const bool ended = shrink(now_s), arrived = admit(now_s);
    const std::vector<std::size_t> order = ordered(now_s);
    const auto [started, preempted] = choose(order);
    stop(now_s, preempted);
    const bool some_started = start(now_s, started);
    return ended || arrived || some_started || !preempted.empty();
  }

  /// Jobs with nothing left end; the others have run one second more.
  bool shrink(double now_s) {
    const std::size_t before = running_.size();
    std::vector<Shrinking> going_on;
    for (Shrinking& job : running_) {
      if (job.remaining_s > 0) {
        --job.remaining_s;
        going_on.push_back(job);
        continue;
      }
      rows_[job.row].end_s = now_s;
      nodes_.end(held_[job.row]);
    }
    running_ = std::move(going_on);
    return running_.size() != before;
  }

  bool admit(double now_s) {
    const std::size_t before = next_;
    for (; next_ < jobs_.size() && jobs_[next_].submit_s <= now_s; ++next_) {
      queue_.push_back({next_, jobs_[next_].gpus, jobs_[next_].iterations, now_s});
    }
    return next_ != before;
  }

  /// The order of the program, given the jobs as the artifact has them: those that wait first, each list in the order
  /// in which jobs joined it. Positions, first of the queue, then of the running jobs.
  std::vector<std::size_t> ordered(double now_s) const {
    std::vector<Job> all;
    for (const auto* list : {&queue_, &running_}) {
      for (const Shrinking& job : *list) {
        all.push_back(jobs_[job.row]);
        all.back().iterations = job.remaining_s;
      }
    }
    JobTable table(all.size());
    std::vector<JobId> ids;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ids.emplace_back(i);
      table.state[i] = i < queue_.size() ? JobState::waiting : JobState::running;
      table.course[i].held_since_s = now_s;
    }
    order_->order({now_s, 1, nodes_.topology.gpus(), all, table, nodes_.penalty, nodes_.expected}, ids);
    std::vector<std::size_t> positions;
    for (const JobId id : ids) positions.push_back(id.index());
    return positions;
  }

  /// Goes through the jobs as long as GPUs last: those of the queue that start, and the running ones that are stopped.
  std::pair<std::vector<std::size_t>, std::vector<std::size_t>> choose(const std::vector<std::size_t>& order) const {
    std::vector<std::size_t> started, preempted;
    std::uint32_t quota = nodes_.topology.gpus();
    for (const std::size_t at : order) {
      const bool waits = at < queue_.size();
      const std::uint32_t gpus = (waits ? queue_[at] : running_[at - queue_.size()]).gpus;
      if (gpus <= quota) {
        quota -= gpus;
        if (waits) started.push_back(queue_[at].row);
      } else if (!waits) {
        preempted.push_back(running_[at - queue_.size()].row);
      }
    }
    return {started, preempted};
  }

  void stop(double now_s, const std::vector<std::size_t>& rows) {
    for (const std::size_t row : rows) {
      const auto job = std::find_if(running_.begin(), running_.end(), [&](const auto& one) { return one.row == row; });
      constexpr double one_gpu_s = 7, one_node_s = 30, several_nodes_s = 60;
      job->remaining_s += job->gpus == 1 ? one_gpu_s : job->gpus <= 8 ? one_node_s : several_nodes_s;
      job->since_s = now_s;
      nodes_.end(held_[row]);
      ++rows_[row].preemptions;
      queue_.push_back(*job);
      running_.erase(job);
    }
  }

  /// A job that does not fit although there are GPUs enough waits; others go on.
  bool start(double now_s, const std::vector<std::size_t>& rows) {
    bool any = false;
    for (const std::size_t row : rows) {
      if (!nodes_.start(JobId(row), jobs_[row].gpus, now_s, held_[row])) continue;
      any = true;
      const auto job = std::find_if(queue_.begin(), queue_.end(), [&](const auto& one) { return one.row == row; });
      if (!job->started) rows_[row].start_s = now_s;
      rows_[row].queue_s += now_s - job->since_s;
      rows_[row].nodes = nodes_of(held_[row]);
      job->started = true;
      running_.push_back(*job);
      queue_.erase(job);
    }
    return any;
  }

  /// After a second that changed nothing the next ones change nothing either, until a job arrives or ends.
  double quiet_until_s(double now_s) const {
    double until_s = next_ < jobs_.size() ? jobs_[next_].submit_s : infinity;
    for (const Shrinking& job : running_) until_s = std::min(until_s, now_s + job.remaining_s + 1);
    return until_s;
  }

  const std::vector<Job>& jobs_;
  Nodes nodes_;
  std::unique_ptr<OrderPolicy> order_ = orders().at("srtf").make({});
  std::vector<GpuSet> held_;
  std::vector<HeliosRow> rows_;
  std::vector<Shrinking> queue_, running_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<HeliosRow> run_srtf(const HeliosInputs& inputs, const HeliosInputs::Vc& vc) {
  return SrtfWorld(inputs, vc).run();
}

std::vector<HeliosRow> run_engine(const HeliosInputs& inputs, const HeliosInputs::Vc& vc, const std::string& order,
                                  const std::string& predictor) {
  const Nodes nodes(vc.nodes, inputs.gpus_per_node);
  const Slowdowns truth = Slowdowns::flat({"A"}, nodes.topology.gpus());
  EngineOptions engine;
  engine.round_s = 1;
  MeasureWindow all;
  all.last = static_cast<std::int64_t>(inputs.job_ids.size());
  const LocalityPenalty none{1, 1, 1};
  World world{nodes.topology, truth, nodes.bins, vc.workload, none, none, engine, all, {true, false}};
  world.predictor = [&] { return predictors().at(predictor).make.make({vc.workload, 1}, {}); };
  const RunResult result = simulate(world, *orders().at(order).make({}), *nodes.placement);
  std::vector<HeliosRow> rows(vc.workload.jobs.size());
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    HeliosRow& row = rows[result.jobs.job[i].index()];
    row.start_s = result.jobs.start_s[i];
    row.end_s = result.jobs.finish_s[i];
    row.queue_s = row.start_s - vc.workload.jobs[result.jobs.job[i].index()].submit_s;
    row.preemptions = result.jobs.preemptions[i];
  }
  const EventRows& events = result.events;
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (events.kind[e] != EventKind::launch) continue;
    GpuSet gpus;
    for (std::size_t i = 0; i < events.gpu_count[e]; ++i) {
      const std::uint32_t gpu = events.gpus[events.gpu_begin[e] + i];
      gpus.push_back({NodeId(gpu / inputs.gpus_per_node), GpuMask{1} << gpu % inputs.gpus_per_node});
    }
    rows[events.job[e].index()].nodes = nodes_of(gpus);
  }
  return rows;
}

}  // namespace palstudy::replay
