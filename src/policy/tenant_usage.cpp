// SPDX-License-Identifier: MIT
#include "policy/tenant_usage.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {

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

}  // namespace palstudy
