// SPDX-License-Identifier: MIT
#include "study/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/run_values.hpp"

namespace palstudy {
namespace {

using Point = std::vector<std::string>;
constexpr const char* makespan = "makespan_s";

bool is_seed(const std::string& key) { return key == "seed" || key.ends_with(".seed"); }

// --by, once read: an axis, or a number to split at.
struct Split {
  std::string key, column;
  std::optional<double> above;
  std::vector<std::string> labels;  // in the order of their first run
};

Split parse_split(const RunValues& runs, const std::string& text) {
  const auto greater = text.find('>');
  Split split{text.substr(0, greater), "", std::nullopt, {}};
  while (!split.key.empty() && split.key.back() == ' ') split.key.pop_back();
  if (greater != std::string::npos) {
    auto number = text.substr(greater + 1);
    number.erase(0, number.find_first_not_of(' '));
    split.above = parse_double(number);
    if (!split.above) throw usage_error("\"" + number + "\" is no number", "--by " + text, "write KEY>NUMBER");
  }
  auto known = runs.axes();
  std::erase(known, compared_key);
  known.emplace_back(straggler_key);
  split.column = split.key == straggler_key ? "slowdown_max" : split.key;
  if (split.key == compared_key) {
    throw usage_error("placements are what is compared, so they cannot be in blocks of their own", "--by " + text,
                      "leave it out, or name one of: " + join(known));
  }
  if (std::find(known.begin(), known.end(), split.key) == known.end() || !runs.has(split.column)) {
    throw usage_error("the archive has no axis \"" + split.key + "\"", "--by " + text, "known: " + join(known));
  }
  if (split.key == straggler_key && !split.above) {
    throw usage_error("this key is split at a number", "--by " + text,
                      "write for instance --by \"cluster.slowdown_max>2\"");
  }
  return split;
}

std::string label(const RunValues& runs, const Split& split, std::size_t run) {
  if (!split.above) return split.key + " = " + runs.text(split.column, run);
  const bool above = runs.number(split.column, run) > *split.above;
  return fmt::format("{} {} {}", split.key, above ? ">" : "<=", shortest(*split.above));
}

std::string known_metrics() {
  std::vector<std::string> names;
  for (const MetricInfo& metric : metric_infos) names.emplace_back(metric.name);
  return join(names);
}

const MetricInfo& metric_named(const std::string& name, const std::string& where) {
  for (const MetricInfo& metric : metric_infos) {
    if (metric.name == name) return metric;
  }
  throw usage_error("unknown metric \"" + name + "\"", where, "known: " + known_metrics());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class Comparer {
 public:
  Comparer(const ArchiveReader& archive, const ComparisonOptions& options) : runs_(archive) {
    if (!runs_.has(compared_key)) {
      throw usage_error("the study has one placement only: nothing to compare", compared_key,
                        "give the axis policy.placement several values");
    }
    result_.study = archive.attribute("study.name");
    result_.runs = runs_.runs();
    result_.metric = options.metric.empty() ? archive.attribute("compare.metric") : options.metric;
    if (result_.metric.empty()) result_.metric = "jct_mean_s";
    result_.unit = metric_named(result_.metric, options.metric.empty() ? "compare.metric" : "--metric").unit;
    for (std::size_t run = 0; run < runs_.runs(); ++run) add_once(result_.policies, policy(run));
    baselines_ = options.baselines.empty() ? lines_of(archive.attribute("compare.baseline")) : options.baselines;
    for (const auto& name : baselines_)
      check_policy(name, options.baselines.empty() ? "compare.baseline" : "--baseline");
    for (const auto& name : options.policies) check_policy(name, "--policy");
    asked_ = options.policies;
    for (const auto& text : options.by) splits_.push_back(parse_split(runs_, text));
    sort_axes();
  }

  Comparison compare() {
    std::vector<Point> labels;  // in the order of their first run
    std::map<Point, std::vector<std::size_t>> members;
    for (std::size_t run = 0; run < runs_.runs(); ++run) {
      const auto why = no_claim(run);
      if (!why.empty()) result_.excluded.push_back(why);
      usable_.push_back(why.empty());
      Point point;
      for (std::size_t i = 0; i < splits_.size(); ++i) {
        point.push_back(label(runs_, splits_[i], run));
        add_once(splits_[i].labels, point.back());
      }
      add_once(labels, point);
      members[point].push_back(run);
    }
    std::stable_sort(labels.begin(), labels.end(), [&](const Point& a, const Point& b) { return before(a, b); });
    for (const Point& point : labels) result_.groups.push_back(group(point, members[point]));
    return std::move(result_);
  }

 private:
  template <class T>
  static void add_once(std::vector<T>& all, const T& one) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  }
  [[nodiscard]] std::string policy(std::size_t run) const { return runs_.text(compared_key, run); }
  [[nodiscard]] Point values(const std::vector<std::string>& keys, std::size_t run) const {
    Point point;
    for (const auto& key : keys) point.push_back(runs_.text(key, run));
    return point;
  }

  // Groups are shown as the study has the values, the first --by first.
  [[nodiscard]] bool before(const Point& a, const Point& b) const {
    for (std::size_t i = 0; i < splits_.size(); ++i) {
      const auto& all = splits_[i].labels;
      const auto left = std::find(all.begin(), all.end(), a[i]), right = std::find(all.begin(), all.end(), b[i]);
      if (left != right) return left < right;
    }
    return false;
  }

  void check_policy(const std::string& name, const std::string& option) const {
    const auto& all = result_.policies;
    if (std::find(all.begin(), all.end(), name) != all.end()) return;
    throw usage_error("the archive has no placement \"" + name + "\"", option, "it has " + join(all));
  }

  void sort_axes() {
    // The axis "seed" stands in /runs as the column that every archive has.
    auto keys = runs_.axes();
    add_once(keys, std::string("seed"));
    for (const auto& key : keys) {
      if (key == compared_key) continue;
      pair_keys_.push_back(key);
      if (is_seed(key)) seed_keys_.push_back(key);
      const auto split_on = [&](const Split& split) { return split.key == key && !split.above; };
      if (!is_seed(key) && std::none_of(splits_.begin(), splits_.end(), split_on)) result_.row_keys.push_back(key);
    }
  }

  // Why a run makes no claim, or "".
  [[nodiscard]] std::string no_claim(std::size_t run) const {
    std::string why;
    if (runs_.text("status", run) != "done") {
      why = "failed";
    } else if (const double left = runs_.number("jobs_unfinished", run); left > 0) {
      why = fmt::format("{} jobs unfinished", left);
    } else if (runs_.number("stable", run) == 0) {
      why = fmt::format("unstable, the queue grows by {:.3g} jobs/h", runs_.number("queue_slope", run));
    }
    if (why.empty()) return why;
    std::string where;
    for (const auto& key : runs_.axes()) where += (where.empty() ? "" : ", ") + key + " = " + runs_.text(key, run);
    return fmt::format("run {} ({}): {}", runs_.text("run", run), where, why);
  }

  ComparisonGroup group(const Point& labels, const std::vector<std::size_t>& members) const {
    ComparisonGroup result{labels, rows(members), {}};
    for (const auto& baseline : baselines_) {
      for (const auto& name : asked_.empty() ? result_.policies : asked_) {
        if (name == baseline) continue;
        result.gains.push_back(gain(members, baseline, name, result_.metric));
        if (result_.metric != makespan) result.gains.push_back(gain(members, baseline, name, makespan));
      }
    }
    return result;
  }

  std::vector<ComparisonRow> rows(const std::vector<std::size_t>& members) const {
    std::vector<Point> points;
    std::map<Point, std::map<std::string, std::vector<double>>> cells;
    for (const std::size_t run : members) {
      const Point point = values(result_.row_keys, run);
      add_once(points, point);
      if (usable_[run]) cells[point][policy(run)].push_back(runs_.number(result_.metric, run));
    }
    std::vector<ComparisonRow> result;
    for (const Point& point : points) {
      ComparisonRow row{point, {}};
      for (const auto& name : result_.policies) {
        const auto& cell = cells[point][name];
        row.means.emplace_back();
        if (!cell.empty()) {
          row.means.back() = std::accumulate(cell.begin(), cell.end(), 0.0) / static_cast<double>(cell.size());
        }
      }
      result.push_back(std::move(row));
    }
    return result;
  }

  PolicyGain gain(const std::vector<std::size_t>& members, const std::string& baseline, const std::string& name,
                  const std::string& metric) const {
    std::map<Point, std::size_t> base;
    for (const std::size_t run : members) {
      if (!usable_[run] || policy(run) != baseline) continue;
      if (!base.emplace(values(pair_keys_, run), run).second) throw data_error("two runs at one point", "/runs");
    }
    std::map<Point, std::size_t> replications;
    std::vector<Pair> pairs;
    for (const std::size_t run : members) {
      if (!usable_[run] || policy(run) != name) continue;
      const auto partner = base.find(values(pair_keys_, run));
      if (partner == base.end()) continue;
      const double ours = runs_.number(metric, run), theirs = runs_.number(metric, partner->second);
      const auto seeds = values(seed_keys_, run);
      if (comparable(ours, theirs))
        pairs.push_back({ours, theirs, replications.emplace(seeds, replications.size()).first->second});
    }
    return {baseline, name, metric, pairs.empty() ? std::nullopt : std::optional(improvement(pairs))};
  }

  RunValues runs_;
  Comparison result_;
  std::vector<std::string> baselines_, asked_, pair_keys_, seed_keys_;
  std::vector<Split> splits_;
  std::vector<bool> usable_;
};

}  // namespace

Comparison compare(const ArchiveReader& archive, const ComparisonOptions& options) {
  return Comparer(archive, options).compare();
}

}  // namespace palstudy
