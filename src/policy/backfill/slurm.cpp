// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "policy/backfill_policy.hpp"
#include "policy/node_promises.hpp"

namespace palstudy {
namespace {

/// `[slurm]`, as far as the two passes read it; names and defaults of Slurm 22.05.
struct PassOptions {
  std::size_t default_queue_depth, bf_max_job_test;
  ClockSecond bf_resolution_s, bf_window_s;
  ClockSecond clock_s;  ///< of time 0
};

constexpr ClockSecond minute_s = 60;

/// The free GPUs of a turn, as they would be if some nodes took no jobs and some running jobs had ended. What is
/// supposed reaches the index of free GPUs with `apply` alone, so that what is not asked about costs little.
class SupposedGpus {
 public:
  SupposedGpus(FreeGpus& free, const NodeSet& in_service)
      : free_(free), in_service_(in_service), open_(in_service), now_(free.topology().nodes(), 0) {
    in_service_.for_each([&](NodeId node) { now_[node.index()] = free_.mask(node); });
    applied_ = now_;
    ended_.resize(now_.size(), 0);
    changed_.resize(now_.size(), 0);
    free_now_ = free_.total();
  }
  SupposedGpus(const SupposedGpus&) = delete;
  SupposedGpus& operator=(const SupposedGpus&) = delete;
  ~SupposedGpus() {
    std::ranges::fill(ended_, 0);
    in_service_.for_each([&](NodeId node) { change(node); });
    only(in_service_);
    apply();
  }

  /// No other nodes take jobs.
  void only(const NodeSet& nodes) {
    NodeSet::for_each_difference(open_, nodes, [&](NodeId node) {
      const std::uint32_t free = gpus_in(now_[node.index()]);
      free_now_ += nodes.contains(node) ? free : -free;
      change(node);
    });
    open_ = nodes;
  }
  void end(const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) ended_[part.node.index()] |= part.mask, change(part.node);
  }
  void take_back(const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) ended_[part.node.index()] &= ~part.mask, change(part.node);
  }
  /// A job has got these, which were free.
  void started(const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) {
      now_[part.node.index()] &= ~part.mask;
      applied_[part.node.index()] &= ~part.mask;
      free_now_ -= gpus_in(part.mask);
    }
  }
  /// Makes the index say what is supposed.
  void apply() {
    for (const NodeId node : to_apply_) {
      const std::size_t n = node.index();
      const GpuMask wanted = open_.contains(node) ? now_[n] | ended_[n] : 0, was = applied_[n];
      if ((was & ~wanted) != 0) free_.take({node, was & ~wanted});
      if ((wanted & ~was) != 0) free_.give({node, wanted & ~was});
      applied_[n] = wanted;
      changed_[n] = 0;
    }
    to_apply_.clear();
  }

  /// GPUs of the open nodes that no job holds.
  [[nodiscard]] std::uint32_t free_now() const { return free_now_; }
  [[nodiscard]] const NodeSet& open() const { return open_; }

 private:
  [[nodiscard]] static std::uint32_t gpus_in(GpuMask mask) { return static_cast<std::uint32_t>(std::popcount(mask)); }
  void change(NodeId node) {
    if (changed_[node.index()] != 0 || !in_service_.contains(node)) return;
    changed_[node.index()] = 1;
    to_apply_.push_back(node);
  }

  FreeGpus& free_;
  const NodeSet in_service_;
  NodeSet open_;
  std::vector<GpuMask> now_, ended_, applied_;  // by node: free now; of jobs that have ended; free in the index
  std::vector<std::uint8_t> changed_;           // by node: in `to_apply_`
  std::vector<NodeId> to_apply_;
  std::uint32_t free_now_ = 0;
};

/// GPUs that come back, by the limit of the job that holds them.
struct Return {
  ClockSecond end;  // at or before now: the job is over, and its GPUs come in a second
  JobId job;
  const GpuSet* gpus;
  std::uint32_t count;  // of GPUs

  [[nodiscard]] auto key() const { return std::pair(end, job); }
};

/// One turn of Slurm 22.05's scheduling of whole GPUs, by the rules that recorded runs show
/// (docs/howto/slurm-as-it-is.md has them in words).
class SlurmTurn {
 public:
  SlurmTurn(BackfillTurn& turn, const PassOptions& options)
      : turn_(turn),
        options_(options),
        now_(on_clock(turn.now_s)),
        all_nodes_(nodes_in_service(*turn.gpus)),
        supposed_(*turn.gpus, all_nodes_),
        started_(turn.waiting.size(), 0) {}

  /// Starts jobs in order. One that does not fit closes the nodes of its queue to all jobs behind it.
  void main_pass() {
    NodeSet closed(turn_.gpus->topology().nodes());
    for (std::size_t i = 0; i < std::min(options_.default_queue_depth, started_.size()); ++i) {
      if (closed.includes(all_nodes_)) return;
      NodeSet nodes = of_queue(turn_.waiting[i]);
      supposed_.only(nodes -= closed);
      if (!start(i)) closed |= of_queue(turn_.waiting[i]);
    }
  }

  /// Starts jobs that need no promised node, and promises the others whole nodes. Promises of earlier passes are void.
  void backfill_pass() {
    if (std::find(started_.begin(), started_.end(), 0) == started_.end()) return;
    find_returns();
    NodePromises promises(now_, now_ + options_.bf_window_s, all_nodes_);
    std::size_t left = options_.bf_max_job_test;
    for (std::size_t i = 0; i < started_.size() && left > 0; ++i) {
      if (started_[i] != 0) continue;
      plan(i, promises);
      --left;
    }
  }

 private:
  struct Planned {
    ClockSecond start;
    const GpuSet* gpus;
  };

  [[nodiscard]] static NodeSet nodes_in_service(const FreeGpus& gpus) {
    NodeSet nodes = NodeSet::all(gpus.topology().nodes());
    for (std::uint32_t n = 0; n < gpus.topology().nodes(); ++n) {
      if (gpus.withdrawn(NodeId(n))) nodes.erase(NodeId(n));
    }
    return nodes;
  }
  [[nodiscard]] NodeSet of_queue(const WaitingJob& job) const {
    NodeSet nodes = all_nodes_;
    return turn_.queues.empty() ? nodes : nodes &= turn_.queues[job.queue];
  }
  [[nodiscard]] ClockSecond on_clock(double time_s) const {
    return static_cast<ClockSecond>(std::floor(time_s)) + options_.clock_s;
  }
  /// A limit is in whole minutes.
  [[nodiscard]] static ClockSecond limit_s(double length_s) {
    return minute_s * static_cast<ClockSecond>(std::ceil(length_s / static_cast<double>(minute_s)));
  }
  [[nodiscard]] ClockSecond rounded_down(ClockSecond time) const { return time - time % options_.bf_resolution_s; }

  bool start(std::size_t i) {
    if (turn_.waiting[i].gpus > supposed_.free_now()) return false;
    end_first(0);
    supposed_.apply();
    if (!turn_.start(turn_.waiting[i]).placed) return false;
    supposed_.started(*turn_.running.back().gpus);
    started_[i] = 1;
    return true;
  }

  [[nodiscard]] Return return_of(const RunningJob& job) const {
    const ClockSecond end = on_clock(job.start_s) + limit_s(job.length_s);
    return {job.over ? now_ : end, job.job, job.gpus, count(*job.gpus)};
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

  /// Starts a job, or promises it nodes. Gives up after so many tries as no recorded job needs.
  void plan(std::size_t i, NodePromises& promises) {
    constexpr int most_tries = 200;
    const WaitingJob& job = turn_.waiting[i];
    const ClockSecond length = limit_s(job.length_s);
    ClockSecond from = now_;
    for (int tries = 0; tries < most_tries; ++tries) {
      NodeSet nodes = of_queue(job);
      const ClockSecond next = promises.remove_promised(from, from + length, nodes);
      supposed_.only(nodes);
      if (from == now_ && start(i)) return add_return_of_started();
      const ClockSecond latest = next != 0 ? next : now_ + options_.bf_window_s;
      const auto planned = earliest(job, from > now_, latest);
      const ClockSecond start = planned ? std::max(planned->start, from) : 0;
      if (!planned || (next != 0 && start > next)) {
        if (next == 0) return;
        from = next;
        continue;
      }
      NodeSet taken(turn_.gpus->topology().nodes());
      for (const NodeGpus& part : *planned->gpus) taken.insert(part.node);
      const ClockSecond begin = std::max(rounded_down(start), now_), end = rounded_down(start + length);
      const bool open = !promises.promised(begin, end, taken), within = start <= now_ + options_.bf_window_s;
      if (within && open) promise(job, start, end, *planned->gpus);
      if (!within) return;
      if (open) return promises.promise(begin, end, taken);
      from = start > from ? start : rounded_down(from) + options_.bf_resolution_s;
    }
  }

  void promise(const WaitingJob& job, ClockSecond start, ClockSecond end, const GpuSet& gpus) {
    const auto since_0 = [&](ClockSecond time) { return static_cast<double>(time - options_.clock_s); };
    turn_.promise({job.job, since_0(start), since_0(end), &gpus});
  }

  [[nodiscard]] std::uint32_t on_open_nodes(const Return& gives) const {
    if (gives.gpus->size() == 1) return supposed_.open().contains(gives.gpus->front().node) ? gives.count : 0;
    std::uint32_t sum = 0;
    for (const NodeGpus& part : *gives.gpus) {
      if (supposed_.open().contains(part.node)) sum += static_cast<std::uint32_t>(std::popcount(part.mask));
    }
    return sum;
  }
  /// The first jobs of `returns_` have ended, and no others.
  void end_first(std::size_t jobs) {
    while (ended_ < jobs) supposed_.end(*returns_[ended_++].gpus);
    while (ended_ > jobs) supposed_.take_back(*returns_[--ended_].gpus);
  }

  /// When a job could start on the open nodes, promises apart, and where; `even_now`: it may be now. Running jobs end
  /// in groups: a group's bound is the first half minute of the
  /// clock after the first end, and doubles its distance from group to group. A running job on other nodes passes
  /// without a look at the bound, so that the next one is in the group whenever it ends. None after `latest`.
  std::optional<Planned> earliest(const WaitingJob& job, bool even_now, ClockSecond latest) {
    constexpr ClockSecond group_s = 30;
    std::uint32_t free = supposed_.free_now();
    std::size_t k = 0;
    const auto try_at = [&](ClockSecond start) -> std::optional<Planned> {
      if (free < job.gpus) return std::nullopt;
      end_first(k);
      supposed_.apply();
      const GpuSet* gpus = turn_.would_get(job);
      return gpus == nullptr ? std::nullopt : std::optional<Planned>({start, gpus});
    };
    if (const auto now = even_now ? try_at(now_) : std::nullopt) return now;
    for (; k < returns_.size() && returns_[k].end <= now_; ++k) free += on_open_nodes(returns_[k]);
    if (const auto soon = k > 0 ? try_at(now_ + 1) : std::nullopt) return soon;
    std::optional<ClockSecond> first_bound;
    ClockSecond width = group_s;
    while (k < returns_.size()) {
      std::optional<ClockSecond> last;
      while (k < returns_.size()) {
        const Return& next = returns_[k++];
        const std::uint32_t gpus = on_open_nodes(next);
        if (gpus == 0) continue;
        free += gpus;
        if (!first_bound) first_bound = next.end - next.end % group_s + group_s;
        last = next.end;
        if (*last > latest) return std::nullopt;
        if (k < returns_.size() && returns_[k].end > *first_bound + width) break;
      }
      if (!last) return std::nullopt;
      if (const auto then = try_at(std::max(*last, now_ + 1))) return then;
      while (k < returns_.size() && returns_[k].end > *first_bound + width) width *= 2;
    }
    return std::nullopt;
  }

  BackfillTurn& turn_;
  const PassOptions& options_;
  const ClockSecond now_;
  const NodeSet all_nodes_;
  SupposedGpus supposed_;
  std::vector<std::uint8_t> started_;  // by place in `turn.waiting`
  std::vector<Return> returns_;        // ascending by key
  std::size_t ended_ = 0;              // of these, supposed
};

/// When passes come that have clocks of their own: every `period_s`, from `phase_s` on.
struct PassTimes {
  Rounds rounds;
  double phase_s;

  [[nodiscard]] bool due(double now_s) const { return now_s >= phase_s && rounds.is_boundary(now_s - phase_s); }
  [[nodiscard]] double after(double now_s) const {
    return now_s < phase_s ? phase_s : phase_s + rounds.time_s(rounds.after(now_s - phase_s));
  }
};

/// The main pass comes within `batch_sched_delay` of a submission or an end, and at most once a second.
class Slurm final : public BackfillPolicy {
 public:
  explicit Slurm(const ParamValues& values)
      : options_{static_cast<std::size_t>(values.number("default_queue_depth")),
                 static_cast<std::size_t>(values.number("bf_max_job_test")),
                 static_cast<ClockSecond>(values.number("bf_resolution")),
                 static_cast<ClockSecond>(minute_s * values.number("bf_window")),
                 static_cast<ClockSecond>(values.number("clock_s"))},
        own_clocks_(values.text("passes") == "slurm"),
        main_{Rounds(std::max(1.0, values.number("batch_sched_delay"))), values.number("main_phase_s")},
        backfill_{Rounds(values.number("bf_interval")), values.number("bf_phase_s")},
        limit_phase_s_(values.number("limit_phase_s")),
        cred_expire_s_(values.number("cred_expire")) {}

  [[nodiscard]] bool plans_nodes() const override { return true; }
  [[nodiscard]] LimitChecks limit_checks() const override {
    constexpr double period_s = 30;
    return {period_s, limit_phase_s_};
  }
  [[nodiscard]] double requeue_delay_s() const override { return cred_expire_s_ + 1; }
  void decide(BackfillTurn& turn) const override {
    const bool main = turn.main_pass && (!own_clocks_ || main_.due(turn.now_s));
    const bool backfill = turn.backfill_pass && (!own_clocks_ || backfill_.due(turn.now_s));
    if (!main && !backfill) return;
    SlurmTurn passes(turn, options_);
    if (main) passes.main_pass();
    if (backfill) passes.backfill_pass();
  }
  [[nodiscard]] double next_change_s(double now_s, std::span<const Reservation>) const override {
    return own_clocks_ ? std::min(main_.after(now_s), backfill_.after(now_s)) : now_s;
  }

 private:
  PassOptions options_;
  bool own_clocks_;
  PassTimes main_, backfill_;
  double limit_phase_s_, cred_expire_s_;
};

/// A key of `[slurm]`.
Param pass_option(const char* name, ParamType type, const char* unit, const char* summary, const char* value,
                  double least, double most) {
  Param param{name, type, unit, summary, value, least, most};
  param.section = "slurm";
  return param;
}

std::vector<Param> pass_options() {
  constexpr double most_s = 1e9, most_jobs = 1e6;
  using enum ParamType;
  Param passes{"passes", text, "", "When the passes come: both whenever the scheduler decides, or by Slurm's clocks.",
               "\"boundary\""};
  passes.section = "slurm";
  passes.choices = {"boundary", "slurm"};
  return {
      passes,
      pass_option("clock_s", integer, "s", "The second of the minute at which the study's time 0 is.", "0", 0,
                  minute_s - 1),
      pass_option("bf_interval", number, "s", "Time between two backfill passes by Slurm's clocks.", "30", 1, most_s),
      pass_option("bf_phase_s", number, "s", "The first backfill pass by Slurm's clocks.", "0", 0, most_s),
      pass_option("bf_max_job_test", integer, "job", "Jobs that a backfill pass looks at.", "500", 1, most_jobs),
      pass_option("bf_resolution", integer, "s", "Promises begin and end at multiples of it.", "60", 1, most_s),
      pass_option("bf_window", number, "min", "No promise begins later than this from now.", "1440", 1, most_s),
      pass_option("default_queue_depth", integer, "job", "Jobs that a main pass looks at.", "100", 1, most_jobs),
      pass_option("batch_sched_delay", number, "s", "Time between two main passes by Slurm's clocks; less than 1 is 1.",
                  "3", 0, most_s),
      pass_option("main_phase_s", number, "s", "The first main pass by Slurm's clocks.", "0", 0, most_s),
      pass_option("limit_phase_s", number, "s", "The first of the checks of limits, every 30 s.", "0", 0, most_s),
      pass_option("cred_expire", number, "s", "A job that lost its nodes waits for so long, and one second.", "120", 0,
                  most_s)};
}

}  // namespace

void register_backfill_slurm(BackfillRegistry& registry) {
  registry.add(
      {"slurm",
       "as Slurm 22.05: the first jobs of the order start until one does not fit; then jobs start that are in the "
       "way of none before them, by promises of whole nodes",
       pass_options(), [](const ParamValues& values) { return std::make_unique<Slurm>(values); }});
}

}  // namespace palstudy
