// SPDX-License-Identifier: MIT
#include "sim/scheduler/sia/sia_scheduler.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

#include "core/numbers.hpp"
#include "sim/scheduler/elastic/elastic_decisions.hpp"
#include "sim/state/elastic_places.hpp"
#include "sim/state/state_archive.hpp"
#include "workload/elastic/batch_tuning.hpp"

namespace palstudy {
namespace {

/// The goodput with a batch that the job cannot change; 0 where a GPU would have fewer samples than it can.
double fixed_goodput(const ElasticModel& model, const Configuration& of, double samples, double noise) {
  const TypeTime& type = model.types[of.type];
  const Batch batch = batch_of(model.limits, type.max_local, of.shape.gpus, samples);
  if (batch.local < model.limits.min_local) return 0;
  return goodput(model.limits, type.step, of.shape, batch, noise);
}

}  // namespace

SiaScheduler::SiaScheduler(const SchedulerContext& context, const SiaOptions& options)
    : state_(context.state), elastic_(*context.state.world.elastic), options_(options) {
  const Topology& topology = state_.topology();
  const NodeId first = state_.world.partitioning.first_node(state_.resources.id);
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    const std::uint32_t type = elastic_.type(NodeId(first.value + n));
    if (type >= types_.size()) types_.resize(type + 1), nodes_of_type_.resize(type + 1);
    ++types_[type].nodes;
    types_[type].gpus_per_node = std::max(types_[type].gpus_per_node, topology.gpus_of(NodeId(n)));
    nodes_of_type_[type].push_back(NodeId(n));
  }
  configurations_ = configurations(types_);
}

void SiaScheduler::notify(const JobEvent& event) {
  if (event.change == JobChange::ended) past_.erase(event.job);
}

double SiaScheduler::next_change_s(const View& view) { return idle() ? infinity : view.now_s; }

const std::vector<double>& SiaScheduler::goodputs_of(JobId job, std::uint32_t epoch) const {
  const bool fixed = elastic_.elasticity != Elasticity::counts_and_batch;
  const std::uint32_t batch = fixed ? elastic_.batch[job.index()] : 0;
  const auto [found, is_new] = goodputs_.try_emplace({elastic_.model_of[job.index()], epoch, batch});
  if (!is_new) return found->second;
  const ElasticModel& model = elastic_.model(job);
  const double noise = model.noise_in(epoch);
  if (!fixed) {
    found->second = configuration_goodputs(model.limits, model.types, configurations_, UINT32_MAX, noise);
  } else {
    for (const Configuration& of : configurations_) found->second.push_back(fixed_goodput(model, of, batch, noise));
  }
  return found->second;
}

std::optional<std::size_t> SiaScheduler::held(const ElasticState& one,
                                              const std::vector<Configuration>& columns) const {
  if (!one.runs()) return std::nullopt;
  const ElasticPlace place = place_of(state_, state_.running.allocation[one.slot].gpus, one.epoch);
  const auto found = std::ranges::find(columns, Configuration{place.type, place.shape});
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

SiaScheduler::Row SiaScheduler::row_of(const ElasticState& one) const {
  const ElasticModel& model = elastic_.model(one.job);
  Row row;
  if (elastic_.elasticity == Elasticity::none) {
    const std::uint32_t gpus = state_.job(one.job).gpus;
    for (std::size_t type = 0; type < types_.size(); ++type) {
      row.columns.push_back({type, packed_shape(gpus, types_[type].gpus_per_node)});
    }
    row.goodputs = normalized_goodputs(
        type_throughputs(model.limits, model.types, types_, gpus, elastic_.batch[one.job.index()]), gpus);
  } else {
    const auto past = past_.find(one.job);
    const std::uint32_t most = growth_limit(model.limits, past == past_.end() ? 0 : past->second.most);
    row.columns = configurations_;
    std::vector<double> goodputs = goodputs_of(one.job, one.epoch);
    for (std::size_t i = 0; i < goodputs.size(); ++i) {
      if (configurations_[i].shape.gpus > most) goodputs[i] = 0;
    }
    row.goodputs = normalized_goodputs(goodputs);
  }
  row.held = held(one, row.columns);
  return row;
}

/// What its jobs hold, or could have.
std::vector<std::uint32_t> SiaScheduler::capacities() const {
  std::vector<std::uint32_t> gpus(types_.size(), 0);
  for (std::size_t type = 0; type < types_.size(); ++type) {
    for (const NodeId node : nodes_of_type_[type]) gpus[type] += std::popcount(state_.free.mask(node));
  }
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    const GpuSet& held = state_.running.allocation[slot].gpus;
    gpus[place_of(state_, held, 0).type] += count(held);
  }
  return gpus;
}

void SiaScheduler::add_row(const ElasticState& one, const Row& row, double now_s) {
  const auto past = past_.find(one.job);
  const std::uint32_t restarts = past == past_.end() ? 0 : past->second.restarts;
  const double factor = restart_factor(now_s - state_.job(one.job).submit_s, restarts, elastic_.restart_of(one.job));
  const auto costs = configuration_costs(row.goodputs, factor, row.held, options_);
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const auto type = static_cast<std::uint32_t>(row.columns[i].type);
    choices.push_back({costs[i], row.columns[i].shape.gpus, type, type + 1});
  }
  std::optional<std::uint32_t> pinned;
  if (one.starts && row.held) pinned = static_cast<std::uint32_t>(*row.held);
  program_.add_row(choices, 0, pinned);
}

void SiaScheduler::decide(const View& view, Transaction& transaction) {
  const std::vector<ElasticState> states = elastic_states(state_, view.now_s);
  std::vector<Row> rows;
  program_.begin(capacities());
  for (const ElasticState& one : states) {
    if (one.runs()) past_[one.job].most = std::max(past_[one.job].most, one.gpus);
    rows.push_back(row_of(one));
    add_row(one, rows.back(), view.now_s);
  }
  const MultipleChoiceSolution& solution = program_.solve();
  std::vector<ElasticDecision> decisions;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (solution.choices[i] == no_choice) {
      decisions.push_back({});
      continue;
    }
    const Configuration& chosen = rows[i].columns[solution.choices[i]];
    const bool stays = rows[i].held == solution.choices[i];
    const auto past = past_.find(states[i].job);
    if (!stays && past != past_.end()) ++past->second.restarts;
    const bool all = types_.size() == 1;
    decisions.push_back({{chosen.shape.gpus, 0},
                         stays,
                         all ? std::span<const NodeId>() : std::span<const NodeId>(nodes_of_type_[chosen.type])});
  }
  carry_out(states, decisions, transaction);
}

template <class Archive>
void SiaScheduler::serialize(Archive& archive, unsigned /*version*/) {
  std::vector<JobId> jobs;
  std::vector<std::uint32_t> restarts, most;
  for (const auto& [job, past] : past_) {
    jobs.push_back(job), restarts.push_back(past.restarts), most.push_back(past.most);
  }
  (archive & jobs & restarts & most);
  if constexpr (Archive::is_loading::value) {
    require_same(jobs.size(), restarts.size());
    require_same(jobs.size(), most.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) past_[jobs[i]] = {restarts[i], most[i]};
  }
}
template void SiaScheduler::serialize(StateOut&, unsigned);
template void SiaScheduler::serialize(StateIn&, unsigned);

}  // namespace palstudy
