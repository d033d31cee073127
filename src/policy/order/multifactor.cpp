// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "policy/keyed_order.hpp"
#include "policy/tenant_usage.hpp"

namespace palstudy {
namespace {

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
        {"half_life_s", ParamType::number, "s", "In this time usage counts half; 0: it does not decay.", "604800", 0,
         most_s},
        {"usage_period_s", ParamType::number, "s", "Usage is counted and decays at multiples of it.", "300", 1,
         most_s}},
       [](const ParamValues& params) { return std::make_unique<Multifactor>(factors_of(params)); }});
}

}  // namespace palstudy
