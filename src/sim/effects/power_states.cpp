// SPDX-License-Identifier: MIT
#include "sim/effects/power_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "sim/state/energy_model.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();

std::uint32_t smallest_node(const Topology& topology) {
  std::uint32_t least = topology.gpus_of(NodeId(0));
  for (std::uint32_t n = 1; n < topology.nodes(); ++n) least = std::min(least, topology.gpus_of(NodeId(n)));
  return least;
}

/// The nodes of a partition, those that go off first; ties: the last.
std::vector<std::uint32_t> off_order(const PartitionState& state) {
  const std::uint32_t first = state.world.partitioning.first_node(state.resources.id).value;
  const std::vector<double>& value = state.world.power->off_first;
  std::vector<std::uint32_t> order(state.topology().nodes());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return value[first + a] != value[first + b] ? value[first + a] > value[first + b] : a > b;
  });
  return order;
}

}  // namespace

PowerStates::PowerStates(PartitionState& state)
    : state_(state),
      options_(state.world.power->options),
      forecast_(forecasts().at(options_.forecast).make()),
      rule_(power_rules().at(options_.off).make(options_.rule, forecast_)),
      order_(off_order(state)),
      gpus_per_node_(smallest_node(state.topology())),
      wanted_(static_cast<std::int64_t>(order_.size())) {
  const std::size_t n = order_.size();
  nodes_ = {std::vector(n, NodeState::on), std::vector<double>(n, 0.0), std::vector<std::uint32_t>(n, 0)};
  used_.push_back(0);
  rule_->use(0, wanted_);  // no node has been idle before
  rule_->use(0, 0);
  if (options_.off == "oracle" || options_.forecast == "oracle") compute_demand();
}

/// The share of this partition in the nodes that the cluster's jobs would use if each started when it was submitted.
void PowerStates::compute_demand() {
  constexpr double most_ticks = 1e6;
  std::vector<double> change;  // of the GPUs in use, by tick
  for (const Job& job : state_.world.workload.jobs) {
    const double begin = std::max(0.0, job.submit_s) / options_.tick_s;
    const double end = begin + job.iterations * job.iteration_s / options_.tick_s;
    const auto from = static_cast<std::size_t>(std::min(begin, most_ticks));
    const auto to = static_cast<std::size_t>(std::ceil(std::min(end, most_ticks)));
    if (change.size() <= to) change.resize(to + 1, 0.0);
    change[from] += job.gpus;
    change[to] -= job.gpus;
  }
  const double nodes = static_cast<double>(order_.size());
  double gpus = 0;
  for (const double step : change) {
    gpus += step;
    demand_by_tick_.push_back(std::min(nodes, std::ceil(gpus * nodes / state_.world.topology.gpus())));
  }
}

void PowerStates::on_take(JobId /*job*/, const GpuSet& gpus) {
  for (const NodeGpus& part : gpus) {
    const std::uint32_t node = part.node.value;
    if (nodes_.jobs[node]++ == 0) ++busy_;
    if (nodes_.state[node] != NodeState::on) taken_.push_back(node);
  }
}

void PowerStates::on_give(JobId /*job*/, const GpuSet& gpus) {
  for (const NodeGpus& part : gpus) {
    if (--nodes_.jobs[part.node.index()] == 0) --busy_;
  }
}

std::int64_t PowerStates::nodes_on() const { return static_cast<std::int64_t>(order_.size()) - off_; }

/// Whole nodes that the waiting jobs need which would fit if all nodes were on. They are counted as if no node with
/// jobs on it had room, since the scheduler has found none. Jobs on several partitions come first, as they are placed.
std::int64_t PowerStates::needed_nodes() {
  needy_.clear();
  if (over_ || (state_.queue.empty() && state_.wide_wanted == 0)) return 0;
  std::uint64_t room = state_.free.total() + state_.off_gpus + rising_;
  std::uint64_t needed = std::min<std::uint64_t>(state_.wide_wanted, room);
  room -= needed;
  for (const JobId job : state_.queue.waiting()) {
    if (room == 0) break;
    const std::uint32_t width = state_.table.waiting(job) ? state_.width(job) : 0;
    if (width > room) continue;
    room -= width;
    needed += width;
    if (width > 0) needy_.emplace_back(job, needed);
  }
  return idle_nodes_for(needed);
}

std::int64_t PowerStates::idle_nodes_for(std::uint64_t gpus) const {
  const auto whole = static_cast<std::int64_t>((gpus + gpus_per_node_ - 1) / gpus_per_node_);
  return std::min(whole, static_cast<std::int64_t>(order_.size()) - busy_);
}

void PowerStates::count_waits(double now_s) {
  if (at_once()) return;
  const std::int64_t ready = nodes_on() - static_cast<std::int64_t>(booting_.size());
  std::vector<JobId> waiting;
  for (const auto& [job, gpus] : needy_) {
    if (wants_others_ || busy_ + idle_nodes_for(gpus) > ready) waiting.push_back(job);
  }
  waits_.set(waiting, now_s);
}

double PowerStates::next_event_s() const {
  double next_s = std::min(static_cast<double>(used_.size()) * options_.tick_s, rule_->next_change_s());
  if (!stopping_.empty()) next_s = std::min(next_s, nodes_.since_s[stopping_.front()] + options_.stop_s);
  if (!booting_.empty()) next_s = std::min(next_s, nodes_.since_s[booting_.front()] + options_.boot_s);
  return next_s;
}

double PowerStates::next_room_s() const {
  return off_ == 0 && stopping_.empty() && booting_.empty() ? never_s : next_event_s();
}

/// Nodes that have stopped or booted. Between boundaries also what the rule says; at boundaries jobs come first.
void PowerStates::advance(double now_s, Changes& changes) {
  rising_ = 0;
  finish(now_s, changes);
  const EngineOptions& engine = state_.world.engine;
  if (engine.start == Start::event || engine.rounds().is_boundary(now_s)) return;
  decide(now_s);
  count_waits(now_s);
  apply(now_s, changes);
}

void PowerStates::settle(double now_s, Changes& changes) {
  rising_ = 0;
  for (const std::uint32_t node : taken_) {
    if (nodes_.state[node] != NodeState::on) enter(node, NodeState::on, now_s, changes);
  }
  taken_.clear();
  decide(now_s);
  wants_others_ = wants_others_ && !booting_.empty();
  // Nothing runs or boots, and a job does not fit on nodes that are on though they have GPUs enough: it wants others.
  const bool enough = booting_.empty() && static_cast<double>(nodes_on()) >= in_use_;
  if (!state_.queue.empty() && state_.running.size() == 0 && enough) {
    wanted_ = static_cast<std::int64_t>(order_.size());
    wants_others_ = off_ > 0;
  }
  count_waits(now_s);
  apply(now_s, changes);
}

/// Nodes in use, or needed by jobs that wait.
void PowerStates::count_use(double now_s) {
  const std::int64_t used = busy_ + needed_nodes();
  in_use_ = static_cast<double>(used);
  used_.back() = std::max(used_.back(), in_use_);
  rule_->use(now_s, used);
}

void PowerStates::decide(double now_s) {
  count_use(now_s);
  bool due = rule_->next_change_s() <= now_s || in_use_ > static_cast<double>(nodes_on());
  while (static_cast<double>(used_.size()) * options_.tick_s <= now_s) {
    used_.push_back(in_use_);
    due = true;
  }
  if (!due) return;
  const auto total = static_cast<std::int64_t>(order_.size());
  const PowerTick tick{now_s, options_.tick_s, used_, demand_by_tick_, nodes_on(), total};
  wanted_ = std::clamp(rule_->decide(tick).on, std::int64_t{0}, total);
}

void PowerStates::apply(double now_s, Changes& changes) {
  const std::int64_t target = std::max(wanted_, static_cast<std::int64_t>(in_use_));
  for (std::size_t i = 0; i < order_.size() && nodes_on() > target; ++i) stop(order_[i], now_s, changes);
  for (std::size_t i = order_.size(); i-- > 0 && nodes_on() < target;) {
    if (nodes_.state[order_[i]] == NodeState::off) boot(order_[i], now_s, changes);
  }
  finish(now_s, changes);  // what takes no time
}

/// Nothing happens where the node has jobs.
void PowerStates::stop(std::uint32_t node, double now_s, Changes& changes) {
  const bool held = !over_ && state_.free.mask(NodeId(node)) != state_.topology().full(NodeId(node));
  const bool idle = nodes_.state[node] == NodeState::on && nodes_.jobs[node] == 0 && !held;
  if (!idle) return;
  enter(node, NodeState::stopping, now_s, changes);
  if (at_once()) return;
  changes.down.push_back(NodeId(node));
  state_.off_gpus += state_.topology().gpus_of(NodeId(node));
}

void PowerStates::boot(std::uint32_t node, double now_s, Changes& changes) {
  enter(node, at_once() ? NodeState::on : NodeState::booting, now_s, changes);
}

/// The only place where a node changes its state.
void PowerStates::enter(std::uint32_t node, NodeState next, double now_s, Changes& changes) {
  NodeState& now = nodes_.state[node];
  if (now != NodeState::on) changes.left.push_back({NodeId(node), nodes_.since_s[node], now_s, now});
  const auto counts_as_off = [](NodeState state) { return state == NodeState::stopping || state == NodeState::off; };
  off_ += (counts_as_off(next) ? 1 : 0) - (counts_as_off(now) ? 1 : 0);
  if (now == NodeState::stopping) std::erase(stopping_, node);
  if (now == NodeState::booting) std::erase(booting_, node);
  if (next == NodeState::stopping) stopping_.push_back(node);
  if (next == NodeState::booting) booting_.push_back(node);
  now = next;
  nodes_.since_s[node] = now_s;
}

void PowerStates::finish(double now_s, Changes& changes) {
  while (!stopping_.empty() && nodes_.since_s[stopping_.front()] + options_.stop_s <= now_s) {
    const std::uint32_t node = stopping_.front();
    enter(node, NodeState::off, nodes_.since_s[node] + options_.stop_s, changes);
  }
  while (!booting_.empty() && nodes_.since_s[booting_.front()] + options_.boot_s <= now_s) {
    const std::uint32_t node = booting_.front();
    enter(node, NodeState::on, nodes_.since_s[node] + options_.boot_s, changes);
    changes.up.push_back(NodeId(node));
    rising_ += state_.topology().gpus_of(NodeId(node));
    state_.off_gpus -= state_.topology().gpus_of(NodeId(node));
  }
}

void PowerStates::end_states(double end_s, Changes& changes) {
  end_s_ = end_s;
  finish(end_s, changes);
  const EnergyModel* energy = state_.world.energy;
  const double until_s = energy == nullptr ? end_s : std::max(end_s, energy->horizon_s);
  if (until_s > end_s) outlast(until_s, changes);
  for (std::uint32_t node = 0; node < order_.size(); ++node) {
    if (nodes_.state[node] != NodeState::on) {
      changes.left.push_back({NodeId(node), nodes_.since_s[node], until_s, nodes_.state[node]});
    }
  }
}

/// The rule goes on after the run, on nodes without jobs: none runs, waits or comes any more, and oracles know it.
void PowerStates::outlast(double until_s, Changes& changes) {
  constexpr std::uint32_t most_instants = 1'000'000;  // for a horizon far beyond any run; nodes stay as they are then
  over_ = true;
  busy_ = 0;
  std::fill(nodes_.jobs.begin(), nodes_.jobs.end(), 0U);
  demand_by_tick_.resize(std::min(demand_by_tick_.size(), used_.size()));
  double now_s = end_s_;
  for (std::uint32_t instants = 0; now_s <= until_s && instants < most_instants; ++instants) {
    finish(now_s, changes);
    decide(now_s);
    apply(now_s, changes);
    now_s = next_event_s();
  }
  finish(until_s, changes);
}

template <class Archive>
void PowerStates::serialize(Archive& archive, unsigned /*version*/) {
  (archive & nodes_.state & nodes_.since_s & nodes_.jobs);
  (archive & stopping_ & booting_ & used_ & in_use_ & busy_ & off_ & wanted_);
  (archive & rule_->state() & wants_others_ & waits_);
  require_same(nodes_.state.size(), order_.size());
  if (Archive::is_saving::value || at_once()) return;
  for (std::uint32_t node = 0; node < order_.size(); ++node) {
    if (nodes_.state[node] == NodeState::on) continue;
    state_.free.withdraw(NodeId(node));
    state_.off_gpus += state_.topology().gpus_of(NodeId(node));
  }
}

void PowerStates::check(double now_s) const {
  for (std::uint32_t node = 0; node < order_.size(); ++node) {
    if (nodes_.state[node] != NodeState::on && nodes_.jobs[node] > 0) throw fault("a job is on a node that is not on");
    if (nodes_.since_s[node] > now_s) throw fault("a node changes its state later than now");
  }
}

void register_effect_power_states(EffectRegistry& registry) {
  registry.add({"power-states",
                "Idle nodes are powered off, and on again when jobs need them: `power.off`.",
                {},
                {.place = 6,
                 .used = [](const World& world) { return world.power != nullptr; },
                 .make = [](PartitionState& state, Attempts&) -> std::unique_ptr<Effect> {
                   return std::make_unique<PowerStates>(state);
                 },
                 .acts = BetweenBoundaries::idle_nodes}});
}

}  // namespace palstudy
