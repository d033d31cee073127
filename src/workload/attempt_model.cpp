// SPDX-License-Identifier: MIT
#include "workload/attempt_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers.hpp"
#include "core/random.hpp"

namespace palstudy {
namespace {

/// Uniform in (0, 1), never one of the ends.
double open_uniform(std::uint32_t word) { return (word + 0.5) * 0x1.0p-32; }

std::uint64_t entity_of(const Job& job) { return static_cast<std::uint64_t>(job.id); }

/// The factor f for which min(1, f x weight) has that mean: the largest weights are cut at 1, the others share the
/// rest.
double factor_of_mean(std::vector<double>& weights, double mean) {
  std::ranges::sort(weights);
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double left = mean * static_cast<double>(weights.size());
  for (auto heaviest = weights.rbegin(); heaviest != weights.rend(); ++heaviest) {
    if (!(sum > 0)) break;
    if (left * *heaviest <= sum) return left / sum;
    left -= 1, sum -= *heaviest;
  }
  return weights.empty() ? 0 : infinity;
}

}  // namespace

AttemptModel::AttemptModel(FailureTable table, const FailureOptions& options)
    : table_(std::move(table)), options_(options), of_job_(table_.fails.size()), of_place_(table_.fails.size()) {
  for (std::size_t size = 0; size < table_.fails.size(); ++size) {
    for (std::size_t r = 0; r < table_.reasons.size(); ++r) {
      const FailureReason& reason = table_.reasons[r];
      if (!reason.drawn || reason.trials[size] == 0) continue;
      Counts& counts = (reason.of_place ? of_place_ : of_job_)[size];
      const double before = counts.all();
      counts.reasons.push_back(static_cast<std::int32_t>(r));
      counts.up_to.push_back(before + reason.trials[size]);
    }
    const double rest = 1 - given_up(size);
    kill_share_.push_back(rest > 0 ? std::min(1.0, table_.killed[size] / rest) : 0);
  }
}

/// The share of jobs of which every attempt fails, so that the published share of killed jobs, which is of all jobs,
/// can be had of the others: by the reason of the attempt before, which comes back or not.
double AttemptModel::given_up(std::size_t size) const {
  const double fails = std::min(1.0, options_.scale * table_.fails[size]);
  double all = 0, come_back = 0;
  for (const FailureReason& reason : table_.reasons) {
    if (!reason.drawn) continue;
    all += reason.trials[size];
    if (reason.repeats) come_back += reason.trials[size];
  }
  const double share = come_back / all, back = options_.scale > 0 ? options_.repeat : 0;
  double repeating = fails * share, other = fails * (1 - share);
  for (std::uint32_t retry = 0; retry < options_.retries; ++retry) {
    const double anew = fails * (repeating * (1 - back) + other);
    repeating = repeating * back + anew * share;
    other = anew * (1 - share);
  }
  return repeating + other;
}

std::int32_t AttemptModel::Counts::at(double u) const {
  const auto found = std::upper_bound(up_to.begin(), up_to.end() - 1, u * all());
  return reasons[static_cast<std::size_t>(found - up_to.begin())];
}

Ending AttemptModel::ending(const Job& job, std::uint32_t attempt, std::int32_t previous, double factor) const {
  // One word each for: does the reason come back, does the attempt fail, why, after how long.
  const auto words = draw(options_.seed, Purpose::attempt, entity_of(job), 2 * attempt);
  const auto after = [&](std::int32_t by) { return run_time_to_failure_s(reason(by), open_uniform(words[3])); };
  if (options_.scale > 0 && previous != Ending::none && reason(previous).repeats &&
      open_uniform(words[0]) < options_.repeat) {
    return {previous, after(previous)};
  }
  const std::size_t size = table_.size_of(job.gpus);
  const double fails = std::min(1.0, options_.scale * table_.fails[size]);
  const double place_share = of_place_[size].all() / (of_place_[size].all() + of_job_[size].all());
  const double by_job = fails * (1 - place_share), by_place = fails * place_share * factor;
  const double u = open_uniform(words[1]);
  if (u >= by_job + by_place) return {};
  const std::int32_t by = (u < by_job ? of_job_ : of_place_)[size].at(open_uniform(words[2]));
  return {by, after(by)};
}

void AttemptModel::weigh_kills(std::span<const Job> jobs) {
  if (options_.kill_exponent == 0) return;
  std::vector<std::vector<double>> weights(table_.fails.size());
  for (const Job& job : jobs)
    weights[table_.size_of(job.gpus)].push_back(std::pow(job.ideal_s(), options_.kill_exponent));
  kill_factor_.assign(weights.size(), 0.0);
  for (std::size_t size = 0; size < weights.size(); ++size) {
    kill_factor_[size] = factor_of_mean(weights[size], kill_share_[size]);
  }
}

bool AttemptModel::killed(const Job& job) const {
  const std::size_t size = table_.size_of(job.gpus);
  const double u = open_uniform(draw(options_.seed, Purpose::killed_job, entity_of(job), 0)[0]);
  if (kill_factor_.empty()) return u < kill_share_[size];
  return u < kill_factor_[size] * std::pow(job.ideal_s(), options_.kill_exponent);
}

double AttemptModel::share_until_killed(const Job& job) const {
  if (!options_.kills_within || !killed(job)) return 1;
  return open_uniform(draw(options_.seed, Purpose::killed_job, entity_of(job), 0)[1]);
}

std::int32_t AttemptModel::preemption_reason() const {
  const auto made = std::ranges::find_if(table_.reasons, [](const auto& r) { return !r.drawn; });
  return made == table_.reasons.end() ? Ending::none : static_cast<std::int32_t>(made - table_.reasons.begin());
}

double AttemptModel::place_of_fault(const Job& job, std::uint32_t attempt) const {
  return open_uniform(draw(options_.seed, Purpose::attempt, entity_of(job), 2 * attempt + 1)[0]);
}

}  // namespace palstudy
