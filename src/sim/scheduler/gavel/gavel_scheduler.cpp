// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/gavel_scheduler.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/numbers.hpp"
#include "policy/placement/packed.hpp"
#include "policy/tensor_groups.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

bool by_job(const RoundPick& a, const RoundPick& b) { return a.job < b.job; }

bool overlap(const GpuSet& a, const GpuSet& b) {
  for (const NodeGpus& part : a) {
    for (const NodeGpus& other : b) {
      if (part.node == other.node && (part.mask & other.mask) != 0) return true;
    }
  }
  return false;
}

}  // namespace

GavelScheduler::GavelScheduler(const SchedulerContext& context, const GavelOptions& options)
    : state_(context.state),
      placement_(context.placement),
      options_(options),
      types_(state_.topology(), state_.resources.bins, options.types, options.nested),
      rounds_(types_.size(), state_.world.engine.round_s, options.reset_s, options.nested),
      all_of_type_(types_.size()) {}

void GavelScheduler::notify(const JobEvent& event) {
  in_vain_ = 0;
  switch (event.change) {
    case JobChange::arrived:
    case JobChange::moved_in:
      return arrive(event.job);
    case JobChange::ended:
    case JobChange::moved_out:
      return leave(event.job, event.now_s, true);
    case JobChange::failed:
      return leave(event.job, event.now_s, false);
    default:
      return;  // its own decisions
  }
}

void GavelScheduler::arrive(JobId job) {
  if (wide(job)) {
    wide_.insert(std::lower_bound(wide_.begin(), wide_.end(), job), job);
    return;
  }
  rounds_.add(job, state_.width(job));
  isolated_.insert(isolated_.begin() + static_cast<std::ptrdiff_t>(rounds_.row(job)), Isolated{});
}

/// A job holds its GPUs until the boundary; that is what the type's time has it for.
void GavelScheduler::leave(JobId job, double now_s, bool ends) {
  const auto pick = std::lower_bound(running_.begin(), running_.end(), RoundPick{job}, by_job);
  if (pick != running_.end() && pick->job == job) {
    rounds_.ran(*pick, now_s - since_s_);
    running_.erase(pick);
  }
  if (!ends) return;
  if (wide(job)) {
    std::erase(wide_, job);
    return;
  }
  isolated_.erase(isolated_.begin() + static_cast<std::ptrdiff_t>(rounds_.row(job)));
  rounds_.remove(job);
}

/// Every boundary where jobs run, since their times count. Where none does and every order of the types has been tried
/// in vain, new shares alone can help.
double GavelScheduler::next_change_s(const View& view) {
  const bool visits_all = state_.running.size() > 0 || state_.world.engine.visit_every_boundary;
  return !idle() && visits_all ? view.now_s : next_start_s(view);
}

double GavelScheduler::next_start_s(const View& view) const {
  if (idle() || state_.reserved) return infinity;
  const bool all_tried = in_vain_ >= (rotates_types() ? types_.size() : 1);
  return all_tried ? rounds_.next_reset_s() : view.now_s;
}

void GavelScheduler::decide(const View& view, Transaction& transaction) {
  for (const RoundPick& pick : running_) rounds_.ran(pick, view.now_s - since_s_);
  since_s_ = view.now_s;
  find_available();
  start_wide(transaction);
  capacity_ = types_.count(available_);
  if (rounds_.due(view.now_s)) solve(view);
  std::vector<RoundPick> picks = rounds_.fill(order_of_types(view.now_s), capacity_);
  if (picks.empty()) rounds_.forget_reset();  // all have arrived since the last solution
  std::sort(picks.begin(), picks.end(), by_job);
  if (state_.reserved) std::erase_if(picks, [&](const RoundPick& pick) { return !state_.table.running(pick.job); });
  running_.clear();
  keep_running(picks, transaction);
  place(picks, transaction);
  std::sort(running_.begin(), running_.end(), by_job);
  in_vain_ = transaction.changes() || !running_.empty() || state_.reserved ? 0 : in_vain_ + 1;
}

void GavelScheduler::find_available() {
  available_.resize(state_.topology().nodes());
  for (std::uint32_t node = 0; node < available_.size(); ++node) available_[node] = state_.free.mask(NodeId(node));
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    if (wide(state_.running.job[slot])) continue;
    for (const NodeGpus& part : state_.running.allocation[slot].gpus) available_[part.node.index()] |= part.mask;
  }
}

/// Stops the jobs whose GPUs a wide one gets; they take part in the round as others do.
void GavelScheduler::start_wide(Transaction& transaction) {
  for (const JobId job : wide_) {
    if (state_.table.running(job) || state_.reserved) continue;
    const GpuSet gpus = types_.take_slowest(state_.width(job), state_.rates.tensor_group(job), available_);
    if (gpus.empty()) continue;
    for (const std::uint32_t slot : state_.running.by_job()) {
      const GpuSet& held = state_.running.allocation[slot].gpus;
      if (!transaction.released(slot) && overlap(held, gpus)) {
        transaction.release(state_.running.job[slot], StopReason::order);
      }
    }
    transaction.take(job, gpus);
  }
}

void GavelScheduler::solve(const View& view) {
  TimeShares shares = divide_time(options_.objective, problem(view));
  SolveRows& rows = state_.solves;
  rows.time_s.push_back(view.now_s);
  rows.partition.push_back(state_.resources.id.value);
  rows.objective.push_back(options_.objective);
  rows.jobs.push_back(static_cast<std::uint32_t>(rounds_.jobs().size()));
  rows.groups.push_back(shares.groups);
  rows.primal.push_back(shares.primal);
  rows.dual.push_back(shares.dual);
  rows.iterations.push_back(shares.iterations);
  rounds_.reset(view.now_s, std::move(shares.x));
  in_vain_ = 0;
}

/// Rows of speeds are numbered by class and GPUs, whatever jobs there have been before.
ShareProblem GavelScheduler::problem(const View& view) {
  ShareProblem problem;
  problem.gpus = capacity_;
  problem.nested = options_.nested;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> rows;
  for (const JobId job : rounds_.jobs()) rows[{state_.job(job).cls.value, state_.width(job)}] = 0;
  for (auto& [kind, row] : rows) {
    row = static_cast<std::uint32_t>(problem.speeds.size() / types_.size());
    const auto& values = speeds(ClassId(kind.first), kind.second);
    problem.speeds.insert(problem.speeds.end(), values.begin(), values.end());
  }
  for (std::size_t i = 0; i < isolated_.size(); ++i) {
    const JobId id = rounds_.jobs()[i];
    const double left = left_s(id, view.now_s);
    Isolated& isolated = isolated_[i];
    if (isolated.speed_then > 0) isolated.time_s += (isolated.left_then_s - left) / isolated.speed_then;
    isolated.left_then_s = left;
    problem.jobs.push_back({rows.at({state_.job(id).cls.value, state_.width(id)}), state_.width(id), 1, left,
                            view.now_s - state_.job(id).submit_s, isolated.time_s});
  }
  for (std::size_t i = 0; i < isolated_.size(); ++i) {
    isolated_[i].speed_then = isolated_speed(problem, problem.jobs[i]);
  }
  return problem;
}

/// Seconds of work at speed 1; a job that is about to end has a little.
double GavelScheduler::left_s(JobId id, double now_s) const {
  constexpr double little_s = 1e-3;
  const Job& job = state_.job(id);
  const std::uint32_t slot = state_.running.slot_of(id);
  const double done = slot == RunningSet::no_slot ? state_.table.course(id).work_done
                                                  : state_.work.work_at(state_.running.progress[slot].segment, now_s);
  return std::max((job.iterations - done) * job.iteration_s, little_s);
}

const std::vector<double>& GavelScheduler::speeds(ClassId cls, std::uint32_t gpus) {
  std::vector<double>& speeds = speeds_[{cls.value, gpus}];
  if (!speeds.empty()) return speeds;
  speeds = types_.speeds(cls, gpus);
  if (!options_.aware) std::fill(speeds.begin(), speeds.end(), *std::max_element(speeds.begin(), speeds.end()));
  return speeds;
}

/// Fast types are filled first. Where types are not told apart, none may come first for ever: another one begins at
/// every boundary (Gavel's simulator shuffles them).
std::vector<std::uint32_t> GavelScheduler::order_of_types(double now_s) const {
  std::vector<std::uint32_t> order(types_.size());
  std::iota(order.begin(), order.end(), 0u);
  if (!rotates_types()) return order;
  const auto boundary = static_cast<std::size_t>(state_.world.engine.rounds().count(now_s));
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(boundary % order.size()), order.end());
  return order;
}

/// Takes the running jobs that keep their GPUs out of `picks`, and stops the others for the time being.
void GavelScheduler::keep_running(std::vector<RoundPick>& picks, Transaction& transaction) {
  spare_.assign(types_.size(), 0);
  std::int64_t all = 0;
  for (std::size_t type = 0; type < spare_.size(); ++type) spare_[type] = all += capacity_[type];
  for (const RoundPick& pick : picks) {
    for (std::size_t type = pick.type; type < spare_.size(); ++type) spare_[type] -= state_.width(pick.job);
  }
  std::vector<RoundPick> others;
  auto pick = picks.begin();
  for (const std::uint32_t slot : state_.running.by_job()) {
    const JobId job = state_.running.job[slot];
    if (wide(job)) continue;
    for (; pick != picks.end() && pick->job < job; ++pick) others.push_back(*pick);
    const bool picked = pick != picks.end() && pick->job == job;
    if (picked && !transaction.released(slot) && stays(*pick, slot)) {
      running_.push_back(*pick++);
      continue;
    }
    if (picked) others.push_back(*pick++);
    if (!transaction.released(slot)) transaction.release(job, StopReason::order);
  }
  others.insert(others.end(), pick, picks.end());
  picks = std::move(others);
}

/// Whether a job's GPUs are all of its type; and, where types are nested, whether those that it has of faster types are
/// not needed there.
bool GavelScheduler::stays(const RoundPick& pick, std::uint32_t slot) {
  const GpuSet& gpus = state_.running.allocation[slot].gpus;
  for (const NodeGpus& part : gpus) {
    if ((part.mask & ~types_.allowed(pick.type, part.node)) != 0) return false;
  }
  if (!options_.nested) return true;
  const auto held = [&](std::size_t type) {
    std::int64_t sum = 0;
    for (const NodeGpus& part : gpus) sum += std::popcount(part.mask & types_.allowed(type, part.node));
    return sum;
  };
  for (std::size_t type = 0; type < pick.type; ++type) {
    if (held(type) > spare_[type]) return false;
  }
  for (std::size_t type = 0; type < pick.type; ++type) spare_[type] -= held(type);
  return true;
}

/// Type by type, with the free GPUs of others out of the way.
void GavelScheduler::place(const std::vector<RoundPick>& picks, Transaction& transaction) {
  GpuSet others;
  for (std::uint32_t type = 0; type < types_.size(); ++type) {
    const auto of_type = [&](const RoundPick& pick) { return pick.type == type; };
    if (std::none_of(picks.begin(), picks.end(), of_type)) continue;
    types_.others(type, state_.free, others);
    transaction.mask(others);
    for (const RoundPick& pick : picks) {
      if (of_type(pick) && place(pick, transaction)) running_.push_back(pick);
    }
    transaction.unmask(others);
  }
}

/// A job that is refused while others hold GPUs of its type waits for the next round; one that the type could never
/// hold as the policy wants it takes what the program of shares has counted.
bool GavelScheduler::place(const RoundPick& pick, Transaction& transaction) {
  if (transaction.place(pick.job)) return true;
  if (!placement_.may_refuse() || !refused_by_type(pick)) return false;
  GpuSet gpus;
  if (!choose_packed(state_.width(pick.job), state_.free, gpus)) return false;  // nodes have gone since the count
  canonicalize(gpus);
  if (!keep_groups_whole(state_.rates.tensor_group(pick.job), state_.free, gpus)) return false;
  transaction.take(pick.job, gpus);
  return true;
}

/// Whether the placement refuses a job the GPUs of its type although all of them are free.
bool GavelScheduler::refused_by_type(const RoundPick& pick) {
  std::unique_ptr<FreeGpus>& all = all_of_type_[pick.type];
  if (!all) {
    all = std::make_unique<FreeGpus>(state_.topology(), state_.free.bins(), placement_.needs());
    GpuSet others;
    types_.others(pick.type, *all, others);
    for (const NodeGpus& part : others) all->take(part);
  }
  GpuSet gpus;
  return !placement_.choose({pick.job, state_.job(pick.job).cls, state_.width(pick.job), since_s_}, *all, gpus);
}

}  // namespace palstudy
