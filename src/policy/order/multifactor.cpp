// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "policy/active_records.hpp"
#include "policy/keyed_order.hpp"

namespace palstudy {
namespace {

/// What each tenant has used of a partition, in GPU-seconds that decay with a half-life (Slurm's documentation of
/// priority/multifactor, PriorityDecayHalfLife and PriorityCalcPeriod). It is counted at ticks, the multiples of the
/// period: what was used before a tick is multiplied by 2^(-period / half-life), then what has been used since the tick
/// before is added. Between ticks it stays, so that it does not depend on the boundaries at which it is looked at.
///
/// A job uses its GPUs until the boundary at which others can have them. Jobs wider than the partition are not counted.
class TenantUsage {
 public:
  /// `half_life_s`: 0: it does not decay.
  TenantUsage(double half_life_s, double period_s);

  /// As OrderPolicy::observe; to be called whenever a job has ended, also where none is left.
  void observe(const View& view, std::span<const JobId> active);

  /// Share of what all tenants have used, at the last tick; 0 where none has used anything.
  [[nodiscard]] double share(std::uint16_t tenant) const;
  /// Number of tenants that have jobs in the run, whether they have arrived or not; 0 before the first observation.
  [[nodiscard]] std::size_t tenants() const { return tenants_; }
  /// The first tick after the last observation.
  [[nodiscard]] double next_tick_s() const { return (ticks_ + 1) * period_s_; }

  /// As of OrderPolicy.
  [[nodiscard]] std::vector<double> state() const;
  void restore(std::span<const double> state);

 private:
  struct Record {
    JobId job;
    double before_s = 0;   ///< seconds for which it held GPUs before it last got some
    double counted_s = 0;  ///< seconds that are counted in a tenant's usage
  };
  struct Usage {
    double at_tick = 0;  ///< GPU-seconds, at the last tick
    double since = 0;    ///< GPU-seconds since, of jobs that have given their GPUs back
  };

  void count_tenants(const View& view);
  /// Seconds for which the job has held GPUs in all, if it gives none back before `now`: infinite while it holds some.
  [[nodiscard]] static double held_in_all_s(const View& view, const Record& record);
  /// What was used before the tick decays, and what running jobs have used since the last one is added.
  void advance_to_tick(const View& view, double tick_s);
  void count_ended(const View& view);

  double factor_;  // of what was used before, at each tick
  double period_s_;
  std::size_t tenants_ = 0;
  double ticks_ = 0;          // that have passed
  double total_ = 0;          // of all tenants, at the last tick
  std::vector<Usage> usage_;  // by tenant
  ActiveRecords<Record> records_;
};

TenantUsage::TenantUsage(double half_life_s, double period_s)
    : factor_(half_life_s > 0 ? std::exp2(-period_s / half_life_s) : 1.0), period_s_(period_s) {}

void TenantUsage::count_tenants(const View& view) {
  std::vector<std::uint8_t> present;
  for (const Job& job : view.jobs) {
    if (job.tenant >= present.size()) present.resize(job.tenant + std::size_t{1}, 0);
    present[job.tenant] = 1;
  }
  tenants_ = static_cast<std::size_t>(std::count(present.begin(), present.end(), 1));
  usage_.resize(present.size());
}

void TenantUsage::observe(const View& view, std::span<const JobId> active) {
  if (tenants_ == 0) count_tenants(view);
  for (; next_tick_s() <= view.now_s; ++ticks_) {
    advance_to_tick(view, next_tick_s());
    const bool stays = records_.all.empty() && (total_ == 0 || factor_ == 1);
    if (stays)
      ticks_ = std::max(ticks_, std::floor(view.now_s / period_s_) - 2);  // nothing happens at ticks up to then
  }
  count_ended(view);
  records_.update(active, [&](JobId job) {
    const double before_s = view.table.course(job).attained_before_s;
    return Record{job, before_s, before_s};
  });
}

/// The time of a job that is over is not in the table: its GPUs have become free now. A job that has moved to another
/// partition held none here.
double TenantUsage::held_in_all_s(const View& view, const Record& record) {
  if (!view.table.here(record.job)) return record.counted_s;
  if (view.table.running(record.job)) return infinity;
  const JobCourse& course = view.table.course(record.job);
  const bool over = view.table.finished(record.job);
  return over ? course.attained_before_s + (view.now_s - course.held_since_s) : course.attained_before_s;
}

void TenantUsage::advance_to_tick(const View& view, double tick_s) {
  for (Usage& usage : usage_) {
    usage.at_tick = usage.at_tick * factor_ + usage.since;
    usage.since = 0;
  }
  for (Record& record : records_.all) {
    const double all_s = held_in_all_s(view, record);
    if (all_s <= record.counted_s) continue;
    const double held_since_s = view.table.course(record.job).held_since_s;
    const double held_s = std::min(all_s, record.before_s + std::max(0.0, tick_s - held_since_s));
    if (held_s <= record.counted_s) continue;
    const Job& job = view.job(record.job);
    usage_[job.tenant].at_tick += job.gpus * (held_s - record.counted_s);
    record.counted_s = held_s;
  }
  total_ = 0;
  for (const Usage& usage : usage_) total_ += usage.at_tick;
}

void TenantUsage::count_ended(const View& view) {
  for (Record& record : records_.all) {
    const double held_s = held_in_all_s(view, record);
    if (held_s == infinity) continue;
    const Job& job = view.job(record.job);
    usage_[job.tenant].since += job.gpus * std::max(0.0, held_s - record.counted_s);
    record.before_s = record.counted_s = held_s;
  }
}

double TenantUsage::share(std::uint16_t tenant) const {
  return tenant < usage_.size() && total_ > 0 ? usage_[tenant].at_tick / total_ : 0.0;
}

std::vector<double> TenantUsage::state() const {
  std::vector<double> numbers = {static_cast<double>(tenants_), ticks_, total_, static_cast<double>(usage_.size())};
  for (const Usage& usage : usage_) numbers.insert(numbers.end(), {usage.at_tick, usage.since});
  for (const Record& record : records_.all) {
    numbers.insert(numbers.end(), {static_cast<double>(record.job.value), record.before_s, record.counted_s});
  }
  return numbers;
}

void TenantUsage::restore(std::span<const double> state) {
  constexpr std::size_t shared = 4, each = 3;
  const std::size_t by_tenant = state.size() < shared ? 0 : 2 * static_cast<std::size_t>(state[3]);
  if (state.size() < shared + by_tenant || (state.size() - shared - by_tenant) % each != 0) {
    throw fault("the state in a checkpoint has another length");
  }
  tenants_ = static_cast<std::size_t>(state[0]);
  ticks_ = state[1], total_ = state[2];
  usage_.clear(), records_.all.clear();
  for (std::size_t i = shared; i < shared + by_tenant; i += 2) usage_.push_back({state[i], state[i + 1]});
  for (std::size_t i = shared + by_tenant; i < state.size(); i += each) {
    records_.all.push_back({JobId(static_cast<std::uint32_t>(state[i])), state[i + 1], state[i + 2]});
  }
}

/// `[policy]` of a multifactor order.
struct Factors {
  double age_weight = 0, fair_share_weight = 0, size_weight = 0;
  double max_age_s = 0;  ///< at which the age factor is 1
  bool favor_small = false;
  double half_life_s = 0, period_s = 0;  ///< of usage: how fast it decays, how often it is counted
};

/// Highest priority first (Slurm's documentation of priority/multifactor with the classic fair-share algorithm):
///
///     age_weight x min(1, age / max_age_s) + fair_share_weight x 2^(-U / S) + size_weight x GPUs / GPUs of the
///     partition
///
/// U is the tenant's share of the decayed usage, S = 1 / number of tenants. Ties by submit time, then id. No job is
/// stopped.
///
/// All ages grow by one a second, so that of a priority only what differs between jobs is computed: `rest` less the
/// age weight of the time of submission, or of max_age_s ago for older jobs. For two jobs younger than max_age_s that
/// stays as it is to the last bit, and so does their order.
class Multifactor final : public OrderPolicy {
 public:
  explicit Multifactor(const Factors& factors)
      : factors_(factors),
        rate_(factors.age_weight / factors.max_age_s),
        usage_(factors.half_life_s, factors.period_s) {}

  /// It has a state where fair-share counts.
  [[nodiscard]] std::unique_ptr<OrderPolicy> for_partition() const override {
    return factors_.fair_share_weight > 0 ? std::make_unique<Multifactor>(factors_) : nullptr;
  }
  [[nodiscard]] bool observes_ends() const override { return true; }
  void observe(const View& view, std::span<const JobId> active) override { usage_.observe(view, active); }
  [[nodiscard]] std::vector<double> state() const override { return usage_.state(); }
  void restore(std::span<const double> state) override { usage_.restore(state); }

  void order(const View& view, std::span<JobId> jobs) const override {
    const double capped_s = view.now_s - factors_.max_age_s;  // who was submitted by then has the full age factor
    const auto fixed = [&](JobId job) { return view.table.running(job); };  // in the order in which they started, by id
    sort_waiting(
        view, jobs,
        [&](JobId job) {
          return fixed(job) ? 0.0 : rate_ * std::max(view.job(job).submit_s, capped_s) - rest(view, job);
        },
        [&](JobId job) { return !fixed(job) && view.job(job).submit_s <= capped_s ? -rest(view, job) : infinity; });
  }
  [[nodiscard]] bool preemptive() const override { return false; }

  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    double next_s = order_change_s(*this, view, ordered);
    std::optional<JobId> before;
    std::size_t waiting = 0;
    for (const JobId job : ordered) {
      if (!view.table.waiting(job)) continue;
      if (before) next_s = std::min(next_s, overtakes_s(view, *before, job));
      before = job;
      ++waiting;
    }
    return waiting > 1 && usage_.tenants() > 1 ? std::min(next_s, usage_.next_tick_s()) : next_s;
  }

 private:
  /// Priority but for the age.
  [[nodiscard]] double rest(const View& view, JobId id) const {
    const Job& job = view.job(id);
    const double part = std::min(1.0, static_cast<double>(job.gpus) / std::max(1U, view.gpus));
    const double shares = usage_.share(job.tenant) * static_cast<double>(usage_.tenants());  // U / S
    return factors_.fair_share_weight * std::exp2(-shares) +
           factors_.size_weight * (factors_.favor_small ? 1 - part : part);
  }

  /// When `second`, which is behind `first` now, goes before it, if usage stays: `first` has reached max_age_s and
  /// `second` still grows. Somewhat early, so that no rounding moves it past a boundary.
  [[nodiscard]] double overtakes_s(const View& view, JobId first, JobId second) const {
    const double rest1 = rest(view, first), rest2 = rest(view, second), submit_s = view.job(second).submit_s;
    if (!(rate_ > 0) || !(rest1 < rest2)) return infinity;
    constexpr double rounding = 1e-14;
    const double margin_s = rounding * ((rest1 + rest2) / rate_ + factors_.max_age_s + view.now_s);
    return factors_.max_age_s + submit_s - (rest2 - rest1) / rate_ - margin_s;
  }

  Factors factors_;
  double rate_;  // priority a second of age
  TenantUsage usage_;
};

Factors factors_of(const ParamValues& params) {
  return {params.number("age_weight"),    params.number("fair_share_weight"), params.number("size_weight"),
          params.number("max_age_s"),     params.number("favor_small") != 0,  params.number("half_life_s"),
          params.number("usage_period_s")};
}

}  // namespace

void register_order_multifactor(OrderRegistry& registry) {
  constexpr double most_weight = 1e9, most_s = 1e9;
  registry.add(
      {"multifactor",
       "highest priority first, weighted by age, the tenant's fair share and size, as Slurm's priority/multifactor; no "
       "job is stopped",
       {{"age_weight", ParamType::number, "", "Priority of a job that has waited for max_age_s or longer.", "1000", 0,
         most_weight},
        {"fair_share_weight", ParamType::number, "", "Priority of a job whose tenant has used nothing.", "1000", 0,
         most_weight},
        {"size_weight", ParamType::number, "", "Priority of a job as wide as its partition.", "1000", 0, most_weight},
        {"max_age_s", ParamType::number, "s", "Age at which priority grows no more.", "604800", 1, most_s},
        {"favor_small", ParamType::boolean, "", "Narrow jobs get the priority of size, instead of wide ones.", "false"},
        {"half_life_s", ParamType::number, "s", "Half-life of usage; 0: it does not decay.", "604800", 0, most_s},
        {"usage_period_s", ParamType::number, "s", "Usage is counted and decays at multiples of it.", "300", 1,
         most_s}},
       [](const ParamValues& params) { return std::make_unique<Multifactor>(factors_of(params)); }});
}

}  // namespace palstudy
