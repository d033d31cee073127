// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "policy/active_records.hpp"
#include "policy/order_policy.hpp"

namespace palstudy {
namespace {

/// Largest finish-time fairness rho first, and leases: a simplification of Themis (NSDI'20) for rigid gangs, of whose
/// auction no program is public. A gang bids for all of its GPUs or none, bids are true, so the largest rho wins; there
/// is no payment, and no filter of the worst jobs (its fraction f).
///
/// GPUs are offered when a job arrives or ends or a lease ends. Jobs under a lease keep their GPUs, none is stopped or
/// moved to others; all others are served by rho, then by id. A job that gets or keeps GPUs has a lease from then on.
/// Between offers the order stays.
class Rho final : public OrderPolicy {
 public:
  explicit Rho(double lease_s) : lease_s_(lease_s) {}

  [[nodiscard]] std::unique_ptr<OrderPolicy> for_partition() const override { return std::make_unique<Rho>(lease_s_); }
  [[nodiscard]] bool preemptive() const override { return true; }
  [[nodiscard]] bool knows_durations() const override { return true; }

  void observe(const View& view, std::span<const JobId> active) override {
    for (Course& course : courses_.all) renew(view, course);
    const double area = area_at(view.now_s);
    const bool changed = courses_.update(active, [&](JobId job) { return Course{job, view.now_s, area}; });
    if (changed) {
      area_ = area;
      since_s_ = view.now_s;
    }
    const bool ended = std::any_of(courses_.all.begin(), courses_.all.end(), [&](const Course& course) {
      return view.table.running(course.job) && expired(view, course);
    });
    if (changed || ended) offer(view);
  }

  void order(const View& /*view*/, std::span<JobId> jobs) const override { order_as(ordered_, jobs); }

  void victims(const View& view, JobId /*job*/, std::span<const JobId> behind, std::vector<JobId>& out) const override {
    for (std::size_t i = behind.size(); i-- > 0;) {
      const Course* course = courses_.find(behind[i]);
      if (view.table.running(behind[i]) && (course == nullptr || expired(view, *course))) out.push_back(behind[i]);
    }
  }

  void staying(const View& view, std::vector<JobId>& out) const override {
    for (const Course& course : courses_.all) {
      if (leased(view, course)) out.push_back(course.job);
    }
  }

  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> /*ordered*/) const override {
    double next_s = infinity;
    for (Course course : courses_.all) {
      if (!view.table.running(course.job)) continue;
      renew(view, course);
      next_s = std::min(next_s, course.lease_end_s);
    }
    return next_s;
  }

  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> numbers = {area_, since_s_, offered_s_};
    for (const JobId job : ordered_) {
      const Course& course = *courses_.find(job);
      numbers.insert(numbers.end(), {static_cast<double>(job.value), course.seen_s, course.area_before,
                                     course.held_since_s, course.lease_end_s});
    }
    return numbers;
  }
  void restore(std::span<const double> state) override {
    constexpr std::size_t shared = 3, each = 5;
    if (state.size() % each != shared) throw fault("the state in a checkpoint has another length");
    area_ = state[0], since_s_ = state[1], offered_s_ = state[2];
    courses_.all.clear(), ordered_.clear();
    for (std::size_t i = shared; i < state.size(); i += each) {
      const JobId job(static_cast<std::uint32_t>(state[i]));
      courses_.all.push_back({job, state[i + 1], state[i + 2], state[i + 3], state[i + 4]});
      ordered_.push_back(job);
    }
    std::sort(courses_.all.begin(), courses_.all.end(), [](const auto& a, const auto& b) { return a.job < b.job; });
  }

 private:
  struct Course {
    JobId job;
    double seen_s = 0;         ///< when it was first seen waiting
    double area_before = 0;    ///< the integral of the number of active jobs up to then
    double held_since_s = -1;  ///< the start that the lease belongs to
    double lease_end_s = 0;
  };

  /// Brings the lease up to date: a job that has started since has one from then on, a running job that was among those
  /// of the last offer has kept its GPUs and has one from that on.
  void renew(const View& view, Course& course) const {
    if (!view.table.running(course.job)) return;
    const double held_since_s = view.table.course(course.job).held_since_s;
    if (held_since_s != course.held_since_s) {
      course.held_since_s = held_since_s;
      course.lease_end_s = held_since_s + lease_s_;
    } else if (course.lease_end_s <= offered_s_) {
      course.lease_end_s = offered_s_ + lease_s_;
    }
  }
  [[nodiscard]] static bool expired(const View& view, const Course& course) { return course.lease_end_s <= view.now_s; }
  [[nodiscard]] static bool leased(const View& view, const Course& course) {
    return view.table.running(course.job) && !expired(view, course);
  }

  /// The integral of the number of active jobs.
  [[nodiscard]] double area_at(double now_s) const {
    return area_ + static_cast<double>(courses_.all.size()) * (now_s - since_s_);
  }
  /// Age and nominal time left over the time on an equal share: 1 / N of the GPUs, N being the mean number of jobs over
  /// its stay.
  [[nodiscard]] double rho(const View& view, const Course& course) const {
    const Job& job = view.job(course.job);
    const double here_s = view.now_s - course.seen_s;
    const double jobs =
        here_s > 0 ? (area_at(view.now_s) - course.area_before) / here_s : static_cast<double>(courses_.all.size());
    const double left_s = std::max(0.0, job.ideal_s() - view.table.attained_s(course.job, view.now_s));
    return (view.now_s - job.submit_s + left_s) / (job.ideal_s() * std::max(1.0, job.gpus * jobs / view.gpus));
  }

  void offer(const View& view) {
    std::vector<std::pair<double, JobId>> bids;
    ordered_.clear();
    for (const Course& course : courses_.all) {
      if (leased(view, course)) {
        ordered_.push_back(course.job);
      } else {
        bids.emplace_back(-rho(view, course), course.job);
      }
    }
    std::sort(bids.begin(), bids.end());
    for (const auto& [bid, job] : bids) ordered_.push_back(job);
    offered_s_ = view.now_s;
  }

  double lease_s_;
  ActiveRecords<Course> courses_;
  std::vector<JobId> ordered_;     // as at the last offer
  double area_ = 0, since_s_ = 0;  // the integral of the number of active jobs up to then
  double offered_s_ = -1;
};

}  // namespace

void register_order_rho(OrderRegistry& registry) {
  registry.add(
      {"rho",
       "largest finish-time fairness rho first, among the jobs without a lease on their GPUs: a simplification of "
       "Themis; stops others for it",
       {{"lease_s", ParamType::number, "s", "Length of a lease: how long a job keeps its GPUs; 0: no lease.", "0", 0}},
       [](const ParamValues& params) { return std::make_unique<Rho>(params.number("lease_s")); }});
}

}  // namespace palstudy
