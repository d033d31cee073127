// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "policy/active_records.hpp"
#include "policy/order_policy.hpp"

namespace palstudy {
namespace {

/// A crossing is announced so much earlier than computed, so that no rounding moves it past a boundary.
constexpr double early_s = 1e-6;

/// Discretised two-dimensional least attained service (Tiresias, NSDI'19, section 4.2, and its simulator's dlas-gpu):
/// queues by GPU-seconds attained, in each the running jobs first, then the place in the queue's list. A job that
/// reaches its queue's threshold goes to the end of the next queue, by at most one queue at a boundary. A job that has
/// waited `promote` times as long as it has run, both since it first ran or was last promoted, goes to the end of the
/// first. The demotion is exact: the simulator itself compares seconds with GPU-seconds when it computes the next one.
class Las2d final : public OrderPolicy {
 public:
  Las2d(std::vector<double> thresholds, double promote)
      : thresholds_(std::move(thresholds)), promote_(promote), lists_(thresholds_.size() + 1) {}

  [[nodiscard]] std::unique_ptr<OrderPolicy> for_partition() const override {
    return std::make_unique<Las2d>(thresholds_, promote_);
  }
  [[nodiscard]] bool preemptive() const override { return true; }

  void observe(const View& view, std::span<const JobId> active) override {
    update(active);
    for (auto& list : lists_) {
      std::stable_partition(list.begin(), list.end(), [&](JobId job) { return view.table.running(job); });
    }
    for (Course& course : courses_.all) change_queue(view, course);
  }

  void order(const View& /*view*/, std::span<JobId> jobs) const override {
    thread_local std::vector<JobId> all;
    all.clear();
    for (const auto& list : lists_) all.insert(all.end(), list.begin(), list.end());
    order_as(all, jobs);
  }

  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> /*ordered*/) const override {
    for (const auto& list : lists_) {
      const auto runs = [&](JobId job) { return view.table.running(job); };
      if (!std::is_partitioned(list.begin(), list.end(), runs)) return view.now_s;
    }
    double left_s = infinity;
    for (const Course& course : courses_.all) left_s = std::min(left_s, until_change_s(view, course));
    return view.now_s + left_s - early_s;
  }

  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> numbers;
    for (const auto& list : lists_) {
      for (const JobId job : list) {
        const Course& course = *courses_.find(job);
        numbers.insert(numbers.end(), {static_cast<double>(job.value), static_cast<double>(course.queue),
                                       course.attained_before_s, course.began_s});
      }
    }
    return numbers;
  }
  void restore(std::span<const double> state) override {
    if (state.size() % 4 != 0) throw fault("the state in a checkpoint has another length");
    for (auto& list : lists_) list.clear();
    courses_.all.clear();
    for (std::size_t i = 0; i < state.size(); i += 4) {
      const Course course{JobId(static_cast<std::uint32_t>(state[i])), static_cast<std::size_t>(state[i + 1]),
                          state[i + 2], state[i + 3]};
      courses_.all.push_back(course);
      lists_.at(course.queue).push_back(course.job);
    }
    std::sort(courses_.all.begin(), courses_.all.end(), [](const auto& a, const auto& b) { return a.job < b.job; });
  }

 private:
  /// A job since it arrived or was last promoted.
  struct Course {
    JobId job;
    std::size_t queue = 0;
    double attained_before_s = 0;  ///< seconds run before
    double began_s = nan;          ///< when it first ran; NaN: not yet

    [[nodiscard]] double run_s(const View& view) const {
      return view.table.attained_s(job, view.now_s) - attained_before_s;
    }
  };

  void update(std::span<const JobId> active) {
    const bool changed = courses_.update(active, [&](JobId job) {
      lists_.front().push_back(job);
      return Course{job};
    });
    if (!changed) return;
    for (auto& list : lists_) {
      std::erase_if(list, [&](JobId job) { return courses_.find(job) == nullptr; });
    }
  }

  /// Seconds until a job is demoted or promoted if it goes on running or waiting; 0 or less: now.
  [[nodiscard]] double until_change_s(const View& view, const Course& course) const {
    if (!view.table.here(course.job)) return infinity;  // it has moved out since the last observation
    const double run_s = course.run_s(view);
    if (view.table.running(course.job)) {
      if (course.queue + 1 == lists_.size()) return infinity;
      return thresholds_[course.queue] / view.job(course.job).gpus - run_s;
    }
    if (promote_ == 0 || course.queue == 0 || std::isnan(course.began_s)) return infinity;
    return std::floor(promote_ * run_s) - (view.now_s - course.began_s - run_s);
  }

  void change_queue(const View& view, Course& course) {
    const double run_s = course.run_s(view);
    if (std::isnan(course.began_s) && run_s > 0) course.began_s = view.table.course(course.job).held_since_s;
    if (view.table.running(course.job)) {
      const bool last = course.queue + 1 == lists_.size();
      if (!last && view.job(course.job).gpus * run_s >= thresholds_[course.queue]) move(course, course.queue + 1);
    } else if (until_change_s(view, course) <= 0) {
      course.attained_before_s += run_s;
      course.began_s = nan;
      move(course, 0);
    }
  }

  void move(Course& course, std::size_t queue) {
    std::erase(lists_[course.queue], course.job);
    course.queue = queue;
    lists_[queue].push_back(course.job);
  }

  std::vector<double> thresholds_;
  double promote_;
  std::vector<std::vector<JobId>> lists_;  // by queue
  ActiveRecords<Course> courses_;
};

/// "3250, 7200". Errors (usage): not ascending numbers over 0.
std::vector<double> thresholds_of(const std::string& text) {
  std::vector<double> thresholds;
  std::string part;
  for (const char c : text + ",") {
    if (c != ',' && c != ' ' && c != ';') {
      part += c;
      continue;
    }
    if (part.empty()) continue;
    const auto value = parse_double(part);
    if (!value || !(*value > (thresholds.empty() ? 0.0 : thresholds.back()))) {
      throw usage_error("\"" + text + "\" is not a list of ascending GPU-seconds", "policy.thresholds",
                        "write it as \"3250, 7200\"");
    }
    thresholds.push_back(*value);
    part.clear();
  }
  return thresholds;
}

}  // namespace

void register_order_las2d(OrderRegistry& registry) {
  registry.add(
      {"las2d",
       "Tiresias' discretised two-dimensional least attained service: queues by GPU-seconds attained, the running jobs "
       "of a queue first; stops others for it",
       {{"thresholds", ParamType::text, "GPU.s",
         "GPU-seconds at which a job goes to the next queue, ascending: \"3250, 7200\" makes three queues.",
         "\"3250, 7200\""},
        {"promote", ParamType::number, "",
         "A job that has waited this many times as long as it has run goes back to the first queue; 0: none does.", "0",
         0, 1e6}},
       [](const ParamValues& params) {
         return std::make_unique<Las2d>(thresholds_of(params.text("thresholds")), params.number("promote"));
       }});
}

}  // namespace palstudy
