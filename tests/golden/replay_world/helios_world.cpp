// SPDX-License-Identifier: MIT
#include "helios_world.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

#include "core/numbers.hpp"
#include "helios_nodes.hpp"
#include "policy/order_policy.hpp"
#include "workload/predict/close_names.hpp"

namespace palstudy::replay {
namespace {

/// Numbers for names, by first appearance.
std::uint32_t number_of(std::vector<std::string>& names, std::string_view name) {
  const auto number = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  if (number == names.size()) names.emplace_back(name);
  return static_cast<std::uint32_t>(number);
}

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
    const View view{now_s, 1, nodes_.topology.gpus(), jobs_, own_, nodes_.penalty, nodes_.expected};
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
  OwnJobs own_{table_, PartitionId(0)};
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

}  // namespace palstudy::replay
