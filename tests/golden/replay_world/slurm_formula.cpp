// SPDX-License-Identifier: MIT
#include "slurm_formula.hpp"

#include <algorithm>

#include "core/files.hpp"
#include "default_params.hpp"
#include "policy/order_policy.hpp"
#include "slurm_text.hpp"

namespace palstudy::replay {
namespace {

PriorityOptions options_of(const SlurmRecording& recording) {
  ParamValues params = default_params(orders().at("multifactor").params);
  for (const Param& param : orders().at("multifactor").params) {
    const auto value = recording.conf.values.find(key_of("slurm", param));
    if (value == recording.conf.values.end()) continue;
    if (param.type == ParamType::text)
      params.set(param.name, value->second.text);
    else if (param.type == ParamType::boolean)
      params.set(param.name, value->second.boolean ? 1.0 : 0.0);
    else
      params.set(param.name, value->second.as_real());
  }
  return priority_options(params);
}

}  // namespace

SlurmFormula::SlurmFormula(const SlurmRecording& recording, const std::filesystem::path& folder)
    : recording_(recording), options_(options_of(recording)) {
  read_accounts(read_text_file(folder / "sacctmgr.txt"));
  for (const SlurmRow& row : recording.rows) last_ = std::max(last_, row.time);
  find_factors();
}

void SlurmFormula::read_accounts(const std::string& commands) {
  std::map<std::string, std::size_t> accounts;
  for_each_match(commands, R"(add account (\S+) Fairshare=(\d+))", [&](const std::smatch& match) {
    accounts.emplace(match[1], account_shares_.size());
    account_shares_.push_back(std::stod(match[2]));
  });
  for_each_match(commands, R"(add user (\S+) Account=(\S+) Fairshare=(\d+))", [&](const std::smatch& match) {
    user_of_.emplace(match[1], users_.size());
    users_.push_back({accounts.at(match[2]), std::stod(match[3])});
  });
}

/// Times in whole seconds, as Slurm has them. The factors of jobs that come between two ticks are found when they come.
void SlurmFormula::find_factors() {
  constexpr Millis second = 1000;
  const auto period = static_cast<Millis>(second * options_.period_s);
  FairShare shares(options_.rule, users_, account_shares_, options_.half_life_s);
  const Millis first = *recording_.priorities.tick_after(recording_.first_submit) / second * second - period;
  for (Millis tick = first; tick < last_; tick += period) {
    shares.begin_tick(options_.period_s);
    std::vector<const SlurmAttempt*> waiting;
    for (const SlurmAttempt& job : recording_.attempts) {
      const std::size_t user = user_of_.at(job.user);
      const bool runs = job.start && *job.start / second * second < tick && job.end > tick;
      if (runs) {
        const Millis since = std::max(*job.start / second * second, tick == first ? 0 : tick - period);
        shares.add(user, job.gpus, static_cast<double>(tick - since) / second);
      } else if (job.eligible <= tick && (!job.start || *job.start >= tick)) {
        shares.find(user);
        waiting.push_back(&job);
      }
    }
    shares.end_tick();
    for (const SlurmAttempt* job : waiting) factors_[job->id][tick] = shares.factor(user_of_.at(job->user));
    for (const SlurmAttempt& job : recording_.attempts) {
      if (job.eligible <= tick || job.eligible > tick + period) continue;
      shares.find(user_of_.at(job.user));
      factors_[job.id][job.eligible] = shares.factor(user_of_.at(job.user));
    }
  }
}

std::int64_t SlurmFormula::at(const SlurmAttempt& job, Millis time) const {
  const auto& factors = factors_.at(job.id);
  const auto& [since, factor] = *std::prev(factors.upper_bound(std::max(time, factors.begin()->first)));
  const std::uint32_t nodes = recording_.topology.nodes(), widest = recording_.topology.widest_node();
  const JobPart part{static_cast<double>((job.gpus + widest - 1) / widest) / nodes,
                     static_cast<double>(job.gpus) / recording_.topology.gpus()};
  constexpr Millis second = 1000;
  const auto age_s = static_cast<double>(since / second - job.eligible / second);
  return slurm_priority(options_, age_s, factor, part);
}

}  // namespace palstudy::replay
