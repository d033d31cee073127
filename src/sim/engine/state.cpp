// SPDX-License-Identifier: MIT
// The state of a run as bytes and back, field by field, one code for both ways. It is read as it stands between two
// instants: no segment is settled, so a run that is saved goes on to the same last bit as one that is not. Who adds a
// member to a class that takes part adds it here, unless it is a buffer or follows from the rest.
#include <algorithm>
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>

#include "core/byte_buffers.hpp"
#include "sim/engine/run.hpp"
#include "sim/state/fields.hpp"

namespace palstudy {
namespace {

constexpr unsigned archive_flags = boost::archive::no_header;

template <class Work>
std::string to_bytes(Work work) {
  ByteSink sink;
  {
    boost::archive::binary_oarchive archive(sink, archive_flags);
    Fields f(archive);
    work(f);
  }
  return std::move(sink.bytes);
}

template <class Work>
void from_bytes(const std::string& bytes, Work work) {
  ByteSource source(bytes);
  boost::archive::binary_iarchive archive(source, archive_flags);
  Fields f(archive, bytes.size());
  work(f);
}

void same_size(std::size_t a, std::size_t b) {
  if (a != b) throw fault("a state of another length");
}

/// The values that some jobs have in a column by JobId.
template <class F, class Column>
void of_jobs(F& f, const std::vector<JobId>& jobs, Column& column) {
  std::vector<typename Column::value_type> values;
  if constexpr (F::saving) {
    values.reserve(jobs.size());
    for (const JobId job : jobs) values.push_back(column[job.index()]);
  }
  f(values);
  if constexpr (!F::saving) {
    same_size(values.size(), jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) column[jobs[i].index()] = values[i];
  }
}

/// The first `count` values of a column.
template <class F, class Column>
void first_of(F& f, std::size_t count, Column& column) {
  std::vector<typename Column::value_type> values;
  if constexpr (F::saving) values.assign(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(count));
  f(values);
  if constexpr (!F::saving) {
    if (values.size() != count || count > column.size()) throw fault("a state of another length");
    std::copy(values.begin(), values.end(), column.begin());
  }
}

template <class F>
void fields_of(F& f, Stretch& s) {
  f(s.job), f(s.begin_s), f(s.end_s), f(s.slowdown), f(s.penalty), f(s.work_s), f(s.width), f(s.measured);
}

template <class F>
void fields_of(F& f, IndexCounts& counts) {
  f(counts.queries), f(counts.updates), f(counts.moves);
}

}  // namespace

template <class F>
void RunRows::shared_state(F& f) {
  f(arrived_);
  contention_.state(f);
  if (arrived_ > rows.size()) throw fault("more jobs than there are");
  first_of(f, arrived_, arrivals_);
  first_of(f, arrived_, rows.partition);
}

template <class F>
void RunRows::state_of(F& f, const std::vector<JobId>& jobs, const std::vector<std::uint8_t>& finished) {
  of_jobs(f, jobs, records);
  if (!rows.status.empty()) of_jobs(f, jobs, rows.status);
  if constexpr (!F::saving) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (finished[i] == 0 || !measured(jobs[i])) continue;
      last_measured_finish_s_ = std::max(last_measured_finish_s_, records[jobs[i].index()].finish_s);
    }
  }
}

template <class F>
void Recorder::state(F& f) {
  fields(f, record_);
  f(finished_), f(held_by_events_s_), f(now_s_), f(queued_), f(queued_since_s_), f(instant_s_);
  f(jobs_), f(jobs_since_s_);
  stretches_of_instant_.resize(f.count(stretches_of_instant_.size(), sizeof(double)));
  for (Stretch& stretch : stretches_of_instant_) fields_of(f, stretch);
  f(idle_of_instant_);
}

template <class F>
void WideJobs::state(F& f) {
  f(waiting_), f(held_), f(reserved_), f(queued_gpus_);
  running_.resize(f.count(running_.size(), sizeof(double)));
  for (Running& run : running_) {
    f(run.job), f(run.launched_s), f(run.finish_s), f(run.slowdown), f(run.penalty), f(run.segment);
    run.parts.resize(f.count(run.parts.size(), sizeof(std::uint32_t)));
    for (auto& [partition, gpus] : run.parts) f(partition), f(gpus);
  }
  recorder_.state(f);
}

IndexCounts Partition::index_counts() const {
  const IndexCounts& now = free_.counts();
  return {earlier_.queries + now.queries, earlier_.updates + now.updates, earlier_.moves + now.moves};
}

/// The running jobs, in the order of their roll, which is that of the slots now.
template <class F>
void Partition::running_state(F& f) {
  std::vector<JobId> jobs = running_.job;
  std::vector<GpuSet> gpus(jobs.size());
  std::vector<double> finish_s(jobs.size());
  for (std::size_t slot = 0; slot < jobs.size(); ++slot) {
    gpus[slot] = running_.holds[slot].gpus;
    finish_s[slot] = running_.finish.at(slot);
  }
  f(jobs), f(gpus), f(finish_s);
  if constexpr (!F::saving) {
    same_size(jobs.size(), gpus.size());
    same_size(jobs.size(), finish_s.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      for (const NodeGpus& part : gpus[i]) free_.take(part);
      running_.finish.set(add_running(jobs[i], gpus[i]), finish_s[i]);
    }
  }
  const auto count = static_cast<std::ptrdiff_t>(running_.size());
  std::vector<Pace> pace(running_.pace.begin(), running_.pace.begin() + count);
  std::vector<std::uint8_t> released(running_.released.begin(), running_.released.begin() + count);
  f(pace), f(released);
  if constexpr (!F::saving) {
    same_size(pace.size(), running_.size());
    same_size(released.size(), running_.size());
    std::copy(pace.begin(), pace.end(), running_.pace.begin());
    std::copy(released.begin(), released.end(), running_.released.begin());
    for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
      touch(slot);
      if (tenancy_) tenancy_->book.restored(running_.job[slot]);
    }
    restore_neighbours();
  }
}

/// The GPUs that stopped jobs had: looked up for those that wait, so that the order is not that of the table.
template <class F>
void Partition::stopped_state(F& f) {
  std::vector<std::uint32_t> jobs;
  std::vector<GpuSet> gpus;
  if constexpr (F::saving) {
    for (const JobId job : queue_.waiting()) {
      const auto last = last_gpus_.find(job.value);
      if (last == last_gpus_.end()) continue;
      jobs.push_back(job.value);
      gpus.push_back(last->second);
    }
  }
  f(jobs), f(gpus);
  if constexpr (!F::saving) {
    same_size(jobs.size(), gpus.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) last_gpus_.emplace(jobs[i], std::move(gpus[i]));
  }
}

template <class F>
void Partition::state(F& f) {
  running_state(f);
  held_.resize(f.count(held_.size(), 1));
  for (auto& [job, gpus] : held_) {
    f(job), f(gpus);
    if constexpr (!F::saving) {
      for (const NodeGpus& part : gpus) free_.take(part);
    }
  }
  f(held_gpus_), f(reserved_), f(previous_order_), f(touched_), f(placements_), f(told_late_);
  queue_.state(f);
  stopped_state(f);
  IndexCounts counts = index_counts();
  fields_of(f, counts);
  if constexpr (!F::saving) earlier_ = counts;
  if (tenancy_) {
    f(tenancy_->parts), tenancy_->book.state(f);
    same_size(tenancy_->parts.size(), held_.size());
    if constexpr (!F::saving) {
      for (std::uint32_t slot = 0; slot < running_.size(); ++slot) seal(running_.job[slot], running_.holds[slot].gpus);
    }
  }
  recorder_.state(f);
}

/// The jobs of each partition, by partition, and last those that are on several.
std::vector<std::vector<JobId>> Run::jobs_by_partition() const {
  std::vector<std::vector<JobId>> jobs(parts_.size() + 1);
  for (std::size_t j = 0; j < rows_.arrived(); ++j) {
    const std::int32_t p = rows_.rows.partition[j];
    jobs.at(p < 0 ? parts_.size() : static_cast<std::size_t>(p)).push_back(JobId(j));
  }
  return jobs;
}

template <class F>
void Run::jobs_state(F& f, const std::vector<JobId>& jobs) {
  JobTable& table = states_.table;
  of_jobs(f, jobs, table.state);
  std::vector<std::uint8_t> finished;
  std::vector<JobId> alive;
  for (const JobId job : jobs) {
    finished.push_back(table.state[job.index()] == JobState::finished ? 1 : 0);
    if (finished.back() == 0) alive.push_back(job);
  }
  of_jobs(f, alive, table.starved), of_jobs(f, alive, table.course);
  if (world_.failures != nullptr) {
    states_.attempts.columns([&](auto& column) { of_jobs(f, alive, column); });
  }
  rows_.state_of(f, jobs, finished);
}

template <class F>
void Run::shared_state(F& f) {
  f(now_s_), f(next_job_), f(instants_), f(demand_gpus_);
  rows_.shared_state(f);
  jobs_state(f, jobs_by_partition().back());
  wide_.state(f);
}

template <class F>
void Run::partition_state(F& f, std::size_t p, const std::vector<JobId>& jobs) {
  if constexpr (F::saving) parts_[p]->write_back();
  jobs_state(f, jobs);
  parts_[p]->state(f);
}

RunState Run::own_state() {
  RunState state{now_s_, instants_, {}, {}};
  if (exchange_.rank() == 0) state.shared = to_bytes([&](auto& f) { shared_state(f); });
  const auto jobs = jobs_by_partition();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!parts_[p]) continue;
    state.partitions.push_back(
        {PartitionId(p), cost_s_[p], to_bytes([&](auto& f) { partition_state(f, p, jobs[p]); })});
    exchange_.tick();
  }
  return state;
}

RunState Run::state() {
  RunState state;
  try {
    state = own_state();
  } catch (...) {
    failure_ = std::current_exception();
  }
  if (exchange_.ranks() == 1) {
    if (failure_) std::rethrow_exception(failure_);
    return state;
  }
  std::array<double, 1> failed = {failure_ ? 1.0 : 0.0};
  exchange_.max(failed);
  if (failed[0] > 0) throw_if_failed();
  const auto fields = [](auto& f, RunState& part) {
    part.partitions.resize(f.count(part.partitions.size(), 1));
    for (PartitionState& p : part.partitions) f(p.id), f(p.cost_s), f(p.bytes);
  };
  const bool first = exchange_.rank() == 0;
  auto others = exchange_.collect(first ? std::string() : to_bytes([&](auto& f) { fields(f, state); }));
  for (std::size_t r = 1; r < others.size(); ++r) {
    RunState part;
    from_bytes(others[r], [&](auto& f) { fields(f, part); });
    others[r] = {};
    std::move(part.partitions.begin(), part.partitions.end(), std::back_inserter(state.partitions));
  }
  std::sort(state.partitions.begin(), state.partitions.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return state;
}

void Run::restore(const RunState& state) {
  from_bytes(state.shared, [&](auto& f) { shared_state(f); });
  if (next_job_ != rows_.arrived()) throw fault("a state in which a job is lost");
  const auto jobs = jobs_by_partition();
  std::vector<std::uint8_t> there(parts_.size(), 0);
  for (const PartitionState& part : state.partitions) {
    const std::size_t p = part.id.index();
    if (p >= parts_.size() || !parts_[p]) continue;
    from_bytes(part.bytes, [&](auto& f) { partition_state(f, p, jobs[p]); });
    cost_s_[p] = part.cost_s;
    there[p] = 1;
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p] && there[p] == 0) throw fault("a state without one of its partitions");
  }
}

}  // namespace palstudy
