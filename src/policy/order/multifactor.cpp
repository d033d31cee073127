// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/rounds.hpp"
#include "policy/active_records.hpp"
#include "policy/fair_share.hpp"
#include "policy/keyed_order.hpp"
#include "policy/slurm_priority.hpp"

namespace palstudy {
namespace {

/// The fair-share factors of a partition's jobs. Without accounts each tenant is an account of one user, with as many
/// shares as every other. A job uses its GPUs until the boundary at which others can have them. Jobs wider than the
/// partition are not counted.
class JobShares {
 public:
  explicit JobShares(const PriorityOptions& options)
      : rule_(options.rule), half_life_s_(options.half_life_s), ticks_(options.period_s) {}

  /// As OrderPolicy::observe; to be called whenever a job has ended, also where none is left.
  void observe(const View& view, std::span<const JobId> active) {
    if (!shares_) find_users(view);
    for (; ticks_.time_s(passed_ + 1) <= view.now_s; ++passed_) {
      if (records_.all.empty() && active.empty() && shares_->unused()) {
        passed_ = ticks_.at_or_before(view.now_s) - 1;  // nothing happens at ticks up to then
      }
      tick(view, passed_ + 1);
    }
    records_.update(active, [&](JobId job) { return Record{job}; });
    for (Record& record : records_.all) {
      record.before_s = view.table.course(record.job).attained_before_s;
      if (view.table.waiting(record.job)) shares_->find(user_of(view, record.job));
    }
  }

  /// 1 before the first observation.
  [[nodiscard]] double factor(const View& view, JobId job) const {
    return shares_ ? shares_->factor(user_of(view, job)) : 1;
  }

  /// As of OrderPolicy: ticks; numbers of tenants, users and accounts; the user of each tenant; account and shares of
  /// each user; shares of each account; usage and factors; the records.
  [[nodiscard]] std::vector<double> state() const {
    std::vector<double> numbers = {static_cast<double>(passed_), static_cast<double>(user_of_tenant_.size()),
                                   static_cast<double>(users_.size()), static_cast<double>(account_shares_.size())};
    numbers.insert(numbers.end(), user_of_tenant_.begin(), user_of_tenant_.end());
    for (const AccountUser& user : users_) {
      numbers.insert(numbers.end(), {static_cast<double>(user.account), user.shares});
    }
    numbers.insert(numbers.end(), account_shares_.begin(), account_shares_.end());
    if (shares_) {
      const std::vector<double> shares = shares_->state();
      numbers.insert(numbers.end(), shares.begin(), shares.end());
    }
    for (const Record& record : records_.all) {
      numbers.insert(numbers.end(), {static_cast<double>(record.job.value), record.before_s});
    }
    return numbers;
  }
  void restore(std::span<const double> state) {
    const auto take = [&](std::size_t count) {
      if (count > state.size()) throw fault("the state in a checkpoint has another length");
      const auto some = state.first(count);
      state = state.subspan(count);
      return some;
    };
    const auto counts = take(4);
    passed_ = static_cast<Boundary>(counts[0]);
    const auto tenants = static_cast<std::size_t>(counts[1]), users = static_cast<std::size_t>(counts[2]),
               accounts = static_cast<std::size_t>(counts[3]);
    user_of_tenant_.clear();
    for (const double user : take(tenants)) user_of_tenant_.push_back(static_cast<std::uint32_t>(user));
    users_.clear();
    for (std::size_t i = 0; i < users; ++i) {
      const auto user = take(2);
      if (!(user[0] < counts[3])) throw fault("the state in a checkpoint has a user of no account");
      users_.push_back({static_cast<std::size_t>(user[0]), user[1]});
    }
    const auto shares = take(accounts);
    account_shares_.assign(shares.begin(), shares.end());
    shares_.reset();
    if (!users_.empty()) {
      make_shares();
      shares_->restore(take(FairShare::numbers_a_user * users + accounts));
    }
    if (state.size() % 2 != 0) throw fault("the state in a checkpoint has another length");
    records_.all.clear();
    while (!state.empty()) {
      const auto record = take(2);
      records_.all.push_back({JobId(static_cast<std::uint32_t>(record[0])), record[1]});
    }
  }

 private:
  struct Record {
    JobId job;
    double before_s = 0;  ///< seconds for which it held GPUs before it last got some, at the last observation
  };

  [[nodiscard]] std::size_t user_of(const View& view, JobId job) const {
    return view.shares != nullptr ? view.shares->user_of_job[job.index()] : user_of_tenant_[view.job(job).tenant];
  }
  void find_users(const View& view) {
    if (view.shares != nullptr) {
      users_ = view.shares->users;
      account_shares_ = view.shares->account_shares;
    } else {
      find_tenants(view);
    }
    make_shares();
  }
  void find_tenants(const View& view) {
    std::uint16_t most = 0;
    for (const Job& job : view.jobs) most = std::max(most, job.tenant);
    std::vector<std::uint8_t> present(most + std::size_t{1}, 0);
    for (const Job& job : view.jobs) present[job.tenant] = 1;
    for (const std::uint8_t here : present) {
      user_of_tenant_.push_back(static_cast<std::uint32_t>(here != 0 ? users_.size() : 0));
      if (here != 0) users_.push_back({users_.size()});
    }
    account_shares_.assign(users_.size(), 1);
  }
  void make_shares() { shares_.emplace(rule_, users_, account_shares_, half_life_s_); }

  /// Since when a job of the records has held the GPUs that it has, or has given back now.
  [[nodiscard]] static std::optional<double> held_since_s(const View& view, const Record& record) {
    if (!view.table.here(record.job)) return std::nullopt;
    const JobCourse& course = view.table.course(record.job);
    if (!view.table.waiting(record.job)) return course.held_since_s;
    const double held_s = course.attained_before_s - record.before_s;
    return held_s > 0 ? std::optional(view.now_s - held_s) : std::nullopt;
  }

  /// The factor of a waiting job hangs on its account alone, so that it is found after all running jobs.
  void tick(const View& view, Boundary k) {
    const double before_s = ticks_.time_s(k - 1), now_s = ticks_.time_s(k);
    shares_->begin_tick(now_s - before_s);
    for (const Record& record : records_.all) {
      const auto since_s = held_since_s(view, record);
      if (!since_s || *since_s >= now_s) continue;
      const double seconds = now_s - std::max(*since_s, before_s);
      shares_->add(user_of(view, record.job), static_cast<double>(view.job(record.job).gpus), seconds);
    }
    shares_->end_tick();
  }

  FairShareRule rule_;
  double half_life_s_;
  Rounds ticks_;
  Boundary passed_ = 0;
  // Empty before the first observation.
  std::vector<std::uint32_t> user_of_tenant_;  // where no account is known
  std::vector<AccountUser> users_;
  std::vector<double> account_shares_;
  std::optional<FairShare> shares_;
  ActiveRecords<Record> records_;
};

/// Highest priority first, ties by id (Slurm 22.05's priority/multifactor). Priorities are whole numbers and change at
/// ticks alone, the multiples of PriorityCalcPeriod. No job is stopped.
class Multifactor final : public OrderPolicy {
 public:
  explicit Multifactor(const PriorityOptions& options)
      : options_(options), ticks_(options.period_s), shares_(options) {}

  /// It has a state where fair-share counts.
  [[nodiscard]] std::unique_ptr<OrderPolicy> for_partition() const override {
    return options_.fair_share_weight > 0 ? std::make_unique<Multifactor>(options_) : nullptr;
  }
  [[nodiscard]] bool observes_ends() const override { return true; }
  void observe(const View& view, std::span<const JobId> active) override { shares_.observe(view, active); }
  [[nodiscard]] std::vector<double> state() const override { return shares_.state(); }
  void restore(std::span<const double> state) override { shares_.restore(state); }

  void order(const View& view, std::span<JobId> jobs) const override {
    const double tick_s = ticks_.time_s(ticks_.at_or_before(view.now_s));
    sort_waiting(
        view, jobs,
        [&](JobId job) { return view.table.running(job) ? 0.0 : -static_cast<double>(priority(view, job, tick_s)); },
        [](JobId) { return 0.0; });
  }
  [[nodiscard]] bool preemptive() const override { return false; }
  [[nodiscard]] bool counts_shares() const override { return options_.fair_share_weight > 0; }

  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    const auto waiting =
        std::count_if(ordered.begin(), ordered.end(), [&](JobId job) { return view.table.waiting(job); });
    const double next_s = order_change_s(*this, view, ordered);
    return waiting > 1 ? std::min(next_s, ticks_.time_s(ticks_.after(view.now_s))) : next_s;
  }

 private:
  /// Age counts from when the jobs that it comes after are over (Slurm's documentation of priority/multifactor).
  [[nodiscard]] static double eligible_s(const View& view, JobId job) {
    const bool links = view.starts != nullptr && !view.starts->after(job).empty();
    return links ? view.table.course(job).waiting_since_s : view.job(job).submit_s;
  }
  [[nodiscard]] std::int64_t priority(const View& view, JobId id, double tick_s) const {
    const Job& job = view.job(id);
    const std::uint32_t nodes = (job.gpus + view.gpus_per_node - 1) / view.gpus_per_node;
    const JobPart part{static_cast<double>(nodes) / std::max(1U, view.nodes),
                       static_cast<double>(job.gpus) / std::max(1U, view.gpus)};
    return slurm_priority(options_, tick_s - eligible_s(view, id), shares_.factor(view, id), part);
  }

  PriorityOptions options_;
  Rounds ticks_;
  JobShares shares_;
};

/// A key of `[slurm]`.
Param option(const char* name, ParamType type, const char* unit, const char* summary, const char* value, double most) {
  Param param{name, type, unit, summary, value, 0, most};
  param.section = "slurm";
  return param;
}

std::vector<Param> options() {
  constexpr double most_weight = 1e9, most_min = 1e7;
  using enum ParamType;
  Param period = option("PriorityCalcPeriod", number, "min", "Priorities change at multiples of it.", "5", most_min);
  period.least = 0.01;
  Param max_age = option("PriorityMaxAge", number, "min", "Age at which priority grows no more.", "10080", most_min);
  max_age.least = 0.01;
  Param favor_small{"PriorityFavorSmall", boolean, "", "Narrow jobs get the priority of size, instead of wide ones.",
                    "false"};
  favor_small.section = "slurm";
  Param flags{"PriorityFlags", text, "", "How usage becomes a factor: by Fair Tree, or by the classic formula.",
              "\"FAIR_TREE\""};
  flags.section = "slurm";
  flags.choices = {"FAIR_TREE", "NO_FAIR_TREE"};
  return {
      option("PriorityWeightAge", number, "", "Priority of a job that has waited for PriorityMaxAge or longer.", "0",
             most_weight),
      option("PriorityWeightFairshare", number, "", "Priority of a job whose account and user have used nothing.", "0",
             most_weight),
      option("PriorityWeightJobSize", number, "", "Priority of a job as wide as its partition.", "0", most_weight),
      max_age,
      favor_small,
      option("PriorityDecayHalfLife", number, "min", "Half-life of usage; 0: it does not decay.", "10080", most_min),
      period,
      flags};
}

}  // namespace

void register_order_multifactor(OrderRegistry& registry) {
  registry.add({"multifactor",
                "highest priority first, weighted by age, fair share and size, as Slurm 22.05's "
                "priority/multifactor; no job is stopped",
                options(),
                [](const ParamValues& params) { return std::make_unique<Multifactor>(priority_options(params)); }});
}

}  // namespace palstudy
