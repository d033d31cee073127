// SPDX-License-Identifier: MIT
#include "policy/slurm_turn.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "policy/node_supply.hpp"
#include "policy/supposed_gpus.hpp"

namespace palstudy {
namespace {

/// GPUs that come back, by the limit of the job that holds them.
struct Return {
  ClockSecond end;  // at or before now: the job is over, and its GPUs come in a second
  JobId job;
  const GpuSet* gpus;

  [[nodiscard]] auto key() const { return std::pair(end, job); }
};

class SlurmTurn {
 public:
  SlurmTurn(BackfillTurn& turn, const SlurmPassOptions& options)
      : turn_(turn),
        options_(options),
        now_(on_clock(turn.now_s)),
        all_nodes_(nodes_in_service(*turn.gpus)),
        queue_nodes_(turn.queues.begin(), turn.queues.end()),
        supposed_(*turn.gpus, all_nodes_),
        started_(turn.waiting.size(), 0) {
    for (NodeSet& nodes : queue_nodes_) nodes &= all_nodes_;
  }

  void main_pass() {
    NodeSet closed(turn_.gpus->topology().nodes());
    for (std::size_t i = 0; i < std::min(options_.default_queue_depth, started_.size()); ++i) {
      if (closed.includes(all_nodes_)) return;
      if (turn_.array_full(turn_.waiting[i])) continue;
      NodeSet nodes = of_queue(turn_.waiting[i]);
      supposed_.only(nodes -= closed);
      if (!start(i)) closed |= of_queue(turn_.waiting[i]);
    }
  }

  void backfill_pass() {
    if (std::find(started_.begin(), started_.end(), 0) == started_.end()) return;
    find_returns();
    NodePromises promises(now_, now_ + options_.bf_window_s, all_nodes_);
    std::size_t left = options_.bf_max_job_test;
    for (std::size_t i = 0; i < started_.size() && left > 0; ++i) {
      if (started_[i] != 0 || turn_.array_full(turn_.waiting[i])) continue;
      if (!is_vain(turn_.waiting[i])) plan(i, promises);
      --left;
    }
  }

 private:
  /// A look for a start of a job from some time on, on `nodes_`.
  struct Attempt {
    const WaitingJob& job;
    NodePromises& promises;
    ClockSecond length, from, latest;
  };
  struct Planned {
    ClockSecond start;
    const GpuSet* gpus;  // null: on nodes that are promised then
  };

  [[nodiscard]] static NodeSet nodes_in_service(const FreeGpus& gpus) {
    NodeSet nodes = NodeSet::all(gpus.topology().nodes());
    for (std::uint32_t n = 0; n < gpus.topology().nodes(); ++n) {
      if (gpus.withdrawn(NodeId(n))) nodes.erase(NodeId(n));
    }
    return nodes;
  }
  [[nodiscard]] const NodeSet& of_queue(const WaitingJob& job) const {
    return queue_nodes_.empty() ? all_nodes_ : queue_nodes_[job.queue];
  }
  [[nodiscard]] ClockSecond on_clock(double time_s) const {
    return static_cast<ClockSecond>(std::floor(time_s)) + options_.clock_s;
  }
  /// A limit is in whole minutes.
  [[nodiscard]] static ClockSecond limit_s(double length_s) {
    return clock_minute_s * static_cast<ClockSecond>(std::ceil(length_s / static_cast<double>(clock_minute_s)));
  }
  [[nodiscard]] ClockSecond rounded_down(ClockSecond time) const { return time - time % options_.bf_resolution_s; }

  /// Starts a job on some nodes, if it can be.
  bool start_on(std::size_t i, const NodeSet& nodes) {
    // To look up who could serve costs more than to ask, where most jobs start at once.
    if (supply_known_ && ends_needed(turn_.waiting[i], nodes, 0) > 0) return false;
    supposed_.only(nodes);
    return start(i);
  }
  bool start(std::size_t i) {
    if (turn_.waiting[i].gpus > supposed_.free_now()) return false;
    end_first(0);
    supposed_.apply();
    if (!turn_.start(turn_.waiting[i]).placed) return false;
    supposed_.started(*turn_.running.back().gpus);
    supply_known_ = false;
    in_vain_.clear();
    started_[i] = 1;
    return true;
  }

  [[nodiscard]] Return return_of(const RunningJob& job) const {
    const ClockSecond end = on_clock(job.start_s) + limit_s(job.length_s);
    return {job.over ? now_ : end, job.job, job.gpus};
  }

  void find_returns() {
    turn_.list_running();
    for (const RunningJob& job : turn_.running) returns_.push_back(return_of(job));
    std::sort(returns_.begin(), returns_.end(), [](const Return& a, const Return& b) { return a.key() < b.key(); });
  }
  void add_return_of_started() {
    const Return added = return_of(turn_.running.back());
    const auto behind = [](const Return& a, const Return& b) { return a.key() < b.key(); };
    returns_.insert(std::upper_bound(returns_.begin(), returns_.end(), added, behind), added);
  }

  /// Whether nothing was found for a job that is alike, and nothing has changed since.
  [[nodiscard]] bool is_vain(const WaitingJob& job) const {
    return job.demand.nodes > 0 && std::ranges::any_of(in_vain_, [&](const WaitingJob& other) {
             return other.gpus == job.gpus && other.queue == job.queue && other.demand == job.demand &&
                    limit_s(other.length_s) == limit_s(job.length_s);
           });
  }
  /// Starts a job, or promises it nodes. Gives up after so many tries as no recorded job needs.
  void plan(std::size_t i, NodePromises& promises) {
    constexpr int most_tries = 200;
    const WaitingJob& job = turn_.waiting[i];
    Attempt attempt{job, promises, limit_s(job.length_s), now_, 0};
    for (int tries = 0; tries < most_tries; ++tries) {
      nodes_ = of_queue(job);
      const ClockSecond next = promises.remove_promised(attempt.from, attempt.from + attempt.length, nodes_);
      if (attempt.from == now_ && start_on(i, nodes_)) return add_return_of_started();
      attempt.latest = next != 0 ? next : now_ + options_.bf_window_s;
      const auto planned = earliest(attempt);
      if (!planned || (next != 0 && planned->start > next)) {
        if (next == 0) return in_vain_.push_back(job);
        attempt.from = next;
        continue;
      }
      if (planned->start > now_ + options_.bf_window_s) return;
      if (planned->gpus != nullptr && promise_open(attempt, *planned)) return;
      attempt.from =
          planned->start > attempt.from ? planned->start : rounded_down(attempt.from) + options_.bf_resolution_s;
    }
  }

  /// Promises the nodes of a planned start, if none of them is promised then.
  bool promise_open(const Attempt& attempt, const Planned& planned) {
    NodeSet taken(turn_.gpus->topology().nodes());
    for (const NodeGpus& part : *planned.gpus) taken.insert(part.node);
    const auto [begin, end] = span_of(attempt, planned.start);
    if (attempt.promises.promised(begin, end, taken)) return false;
    promise(attempt.job, planned.start, rounded_down(planned.start + attempt.length), *planned.gpus);
    attempt.promises.promise(begin, end, taken);
    in_vain_.clear();
    return true;
  }
  /// From when to when nodes are promised to a job that starts then.
  [[nodiscard]] std::pair<ClockSecond, ClockSecond> span_of(const Attempt& attempt, ClockSecond start) const {
    return {std::max(rounded_down(start), now_), rounded_down(start + attempt.length)};
  }

  void promise(const WaitingJob& job, ClockSecond start, ClockSecond end, const GpuSet& gpus) {
    const auto since_0 = [&](ClockSecond time) { return static_cast<double>(time - options_.clock_s); };
    turn_.promise({job.job, since_0(start), since_0(end), &gpus});
  }

  /// GPUs that come back on some nodes.
  [[nodiscard]] static std::uint32_t on_nodes(const Return& gives, const NodeSet& nodes) {
    std::uint32_t sum = 0;
    for (const NodeGpus& part : *gives.gpus) sum += nodes.contains(part.node) ? gpus_in(part.mask) : 0;
    return sum;
  }
  /// The first job of `returns_` from place `k` on that holds GPUs of some nodes.
  [[nodiscard]] std::size_t next_on(const NodeSet& nodes, std::size_t k) const {
    while (k < returns_.size() && on_nodes(returns_[k], nodes) == 0) ++k;
    return k;
  }
  /// The first jobs of `returns_` have ended, and no others.
  void end_first(std::size_t jobs) {
    while (ended_ < jobs) supposed_.end(*returns_[ended_++].gpus);
    while (ended_ > jobs) supposed_.take_back(*returns_[--ended_].gpus);
  }

  /// After how many ends nodes can serve a job, at least; more than `most` if it takes more.
  [[nodiscard]] std::size_t ends_needed(const WaitingJob& job, const NodeSet& nodes, std::size_t most) {
    if (job.demand.nodes == 0) return 0;
    if (!supply_known_) find_supply();
    return supply_.ends_needed(job.demand, nodes, most);
  }
  void find_supply() {
    std::vector<GpuMask> free(turn_.gpus->topology().nodes(), 0);
    supply_.clear(turn_.gpus->topology().widest_node());
    const auto add = [&](NodeId node, GpuMask gpus, std::size_t ends) {
      if (!all_nodes_.contains(node)) return;
      GpuMask& of_node = free[node.index()];
      const std::uint32_t before = gpus_in(of_node);
      of_node |= gpus;
      supply_.add(node, before, gpus_in(of_node), ends);
    };
    all_nodes_.for_each([&](NodeId node) { add(node, supposed_.now(node), 0); });
    for (std::size_t k = 0; k < returns_.size(); ++k) {
      for (const NodeGpus& part : *returns_[k].gpus) add(part.node, part.mask, k + 1);
    }
    supply_known_ = true;
  }

  /// When a job could start on `nodes_`, promises apart, and where; none after `latest`. Running jobs end in groups: a
  /// group's bound is the first half minute of the clock after the first end, and doubles its distance from group to
  /// group. A running job on other nodes passes without a look at the bound, so that the next one is in the group
  /// whenever it ends.
  std::optional<Planned> earliest(const Attempt& attempt) {
    constexpr ClockSecond group_s = 30;
    const std::size_t all = returns_.size(), by_latest = ends_by(attempt.latest);
    needed_ = ends_needed(attempt.job, nodes_, by_latest);
    if (needed_ > by_latest) return std::nullopt;
    free_ = Free{};
    if (const auto now = attempt.from > now_ ? try_at(attempt, 0, now_) : std::nullopt) return now;
    std::size_t k = ends_by(now_);
    if (const auto soon = k > 0 ? try_at(attempt, k, now_ + 1) : std::nullopt) return soon;
    const std::size_t first = next_on(nodes_, k);
    if (first == all) return std::nullopt;
    const ClockSecond bound = returns_[first].end - returns_[first].end % group_s + group_s;
    ClockSecond width = group_s;
    while (k < all) {
      std::size_t last = next_on(nodes_, std::max(k + 1, ends_by(bound + width)) - 1);
      const std::size_t behind = last == all ? all : last + 1;
      while (last == all || on_nodes(returns_[last], nodes_) == 0) {
        if (last == k) return std::nullopt;
        --last;
      }
      if (returns_[last].end > attempt.latest) return std::nullopt;
      if (const auto then = try_at(attempt, last + 1, std::max(returns_[last].end, now_ + 1))) return then;
      k = behind;
      while (k < all && returns_[k].end > bound + width) width *= 2;
    }
    return std::nullopt;
  }
  /// A start after so many ends.
  std::optional<Planned> try_at(const Attempt& attempt, std::size_t ends, ClockSecond time) {
    if (ends < needed_) return std::nullopt;
    const ClockSecond start = std::max(time, attempt.from);
    if (surely_promised(attempt, ends, start)) return Planned{start, nullptr};
    supposed_.only(nodes_);
    if (attempt.job.demand.nodes == 0) {
      for (; free_.ends < ends; ++free_.ends) free_.gpus += on_nodes(returns_[free_.ends], nodes_);
      if (supposed_.free_now() + free_.gpus < attempt.job.gpus) return std::nullopt;
    }
    end_first(ends);
    supposed_.apply();
    const GpuSet* gpus = turn_.would_get(attempt.job);
    return gpus == nullptr ? std::nullopt : std::optional<Planned>({start, gpus});
  }
  /// Whether too few of the nodes that can serve a job then are promised to none while it runs.
  bool surely_promised(const Attempt& attempt, std::size_t ends, ClockSecond start) {
    const auto [begin, end] = span_of(attempt, start);
    if (attempt.job.demand.nodes == 0 || begin >= end) return false;
    open_ = nodes_;
    (void)attempt.promises.remove_promised(begin, end - 1, open_);
    return ends_needed(attempt.job, open_, ends) > ends;
  }
  /// How many of `returns_` have ended by then.
  [[nodiscard]] std::size_t ends_by(ClockSecond time) const {
    const auto later = [&](const Return& one) { return one.end <= time; };
    return static_cast<std::size_t>(std::ranges::partition_point(returns_, later) - returns_.begin());
  }

  BackfillTurn& turn_;
  const SlurmPassOptions& options_;
  const ClockSecond now_;
  const NodeSet all_nodes_;
  std::vector<NodeSet> queue_nodes_;  // those of the queues that are in service; empty: all
  SupposedGpus supposed_;
  std::vector<std::uint8_t> started_;  // by place in `turn.waiting`
  std::vector<Return> returns_;        // ascending by key
  std::size_t ended_ = 0;              // of these, supposed
  NodeSet nodes_, open_;               // of the attempt under way; those of its nodes that are promised to none
  std::size_t needed_ = 0;             // ends without which it cannot start
  struct Free {
    std::size_t ends = 0;
    std::uint32_t gpus = 0;
  } free_;                           // what these ends give back on `nodes_`
  std::vector<WaitingJob> in_vain_;  // for which nothing was found since the last start or promise
  NodeSupply supply_;
  bool supply_known_ = false;  // for the free GPUs and `returns_` as they are
};

}  // namespace

void take_slurm_turn(BackfillTurn& turn, const SlurmPassOptions& options, SlurmPasses passes) {
  SlurmTurn slurm(turn, options);
  if (passes.main) slurm.main_pass();
  if (passes.backfill) slurm.backfill_pass();
}

}  // namespace palstudy
