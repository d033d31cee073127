// SPDX-License-Identifier: MIT
#include "words/measured_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "study/study.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

using Sets = std::vector<MeasuredSet>;

/// The least and the most of what `of` counts: "160", or "160 to 4,985".
template <class Of>
std::string counts(const Sets& sets, Of of) {
  const auto [least, most] =
      std::minmax_element(sets.begin(), sets.end(), [&](const auto& a, const auto& b) { return of(a) < of(b); });
  return of(*least) == of(*most) ? grouped(of(*most)) : grouped(of(*least)) + " to " + grouped(of(*most));
}

std::string measured_count(const Sets& sets) {
  return counts(sets, [](const MeasuredSet& set) { return set.measured; });
}

/// In what several sets differ: "workloads", "cluster sizes" under one workload, or both, else in which jobs they
/// measure.
std::string kinds_text(const Sets& sets) {
  std::set<std::string> workloads;
  std::set<double> sizes;
  for (const MeasuredSet& set : sets) {
    workloads.insert(workload_text(*set.run));
    sizes.insert(set.gpus);
  }
  if (workloads.size() == 1 && sizes.size() == sets.size()) return "cluster sizes";
  if (workloads.size() == 1 && sizes.size() == 1) return "selections of jobs";
  return sizes.size() == 1 || workloads.size() == sets.size() ? "workloads" : "workloads and cluster sizes";
}

/// "the trace", or "each of 8 traces"; of copies of traces "each of 8 workloads".
std::string source_text(const Sets& sets) {
  const bool known = sets.front().total > 0, drawn = sets.front().run->workload.resampling != Resampling::none;
  std::set<std::string> traces;
  for (const MeasuredSet& set : sets) traces.insert(set.run->workload.trace);
  if (!known || sets.size() == 1 || (traces.size() == 1 && kinds_text(sets) == "cluster sizes")) {
    const char* trace = traces.size() == 1 ? "the trace" : "each trace";
    return drawn ? fmt::format("each resample of {}", trace) : trace;
  }
  const char* what = drawn ? "resamples" : traces.size() == sets.size() ? "traces" : "workloads";
  return fmt::format("each of {} {}", grouped(sets.size()), what);
}

std::string percent(double part) { return part < 1 ? in_digits(part) : fmt::format("{}", std::lround(part)); }

/// The number of all jobs, and the measured part: " of 4,985, 3 %"; "" where it is not known, or jobs have no end.
std::string part_text(const Sets& sets) {
  if (sets.front().total == 0 || !sets.front().run->workload.generator.empty()) return "";
  double least = infinity, most = 0;
  for (const MeasuredSet& set : sets) {
    const double part = 100 * static_cast<double>(set.measured) / static_cast<double>(set.total);
    least = std::min(least, part);
    most = std::max(most, part);
  }
  const std::string from = percent(least), to = percent(most);
  return fmt::format(" of {}, {} %", counts(sets, [](const MeasuredSet& set) { return set.total; }),
                     from == to ? from : from + " to " + to);
}

std::string window_text(const Sets& sets) {
  const RunPlan& run = *sets.front().run;
  const auto& measure = run.measure;
  const bool known = sets.front().total > 0;
  std::string text =
      fmt::format("{}jobs that arrive from {} s to {} s{}", known ? measured_count(sets) + " " : "",
                  shortest(measure.warmup_s), shortest(measure.warmup_s + measure.window_s), part_text(sets));
  if (run.measured.initial_jobs) {
    text += measure.initial ? ", those that run at time 0 included" : ", those that run at time 0 left out";
  }
  return text;
}

std::string set_text(const Sets& sets) {
  const RunPlan& run = *sets.front().run;
  const auto& measure = run.measure;
  if (measure.by_window) return window_text(sets);
  const bool known = sets.front().total > 0, trace = run.workload.generator.empty();
  const bool whole =
      std::ranges::all_of(sets, [](const MeasuredSet& set) { return set.total > 0 && set.measured == set.total; });
  if (run.measured.by == MeasuredBy::all || (trace && whole)) {
    const std::string all = known ? measured_count(sets) : "";
    if (all == "1") return fmt::format("the only job of {}", source_text(sets));
    return fmt::format("all {}jobs of {}", all.empty() ? "" : all + " ", source_text(sets));
  }
  return fmt::format("jobs {} to {}{}", measure.first, measure.last,
                     trace ? part_text(sets) : " of those that are generated");
}

/// Said of few jobs.
std::string few_text(const Sets& sets) {
  const auto least =
      std::ranges::min_element(sets, [](const auto& a, const auto& b) { return a.measured < b.measured; });
  return least->total < 2 || least->measured >= few_measured ? "" : "; so few that one job can decide the gain";
}

/// The least and the most of a load, and how many sets know it.
std::pair<std::string, std::size_t> load_range(const Sets& sets, double MeasuredSet::*load) {
  double least = infinity, most = -infinity;
  std::size_t known = 0;
  for (const MeasuredSet& set : sets) {
    if (std::isnan(set.*load)) continue;
    ++known;
    least = std::min(least, set.*load);
    most = std::max(most, set.*load);
  }
  return {known > 0 ? range_text(least, most) : "", known};
}

bool drops_jobs(const RunPlan& run) { return run.tenants.on && run.tenants.unlisted == "drop"; }

/// Whether one sentence can be said of both.
bool alike(const MeasuredSet& a, const MeasuredSet& b) {
  const auto facts = [](const MeasuredSet& set) {
    const RunPlan& run = *set.run;
    const auto& measure = run.measure;
    return std::tuple(measure.by_window, measure.first, measure.last, measure.warmup_s, measure.window_s,
                      measure.initial, measure.end_s, run.measured.initial_jobs, run.measured.by == MeasuredBy::all,
                      run.workload.generator.empty(), run.workload.resampling, drops_jobs(run));
  };
  return facts(a) == facts(b);
}

}  // namespace

std::string measured_line(const Study& study) {
  std::vector<MeasuredSet> sets;
  std::set<std::string> traces;
  for (const RunPlan& run : study.runs) {
    const bool known = std::ranges::any_of(sets, [&](const auto& set) { return alike(set, {&run}); });
    if (traces.insert(run.workload.trace).second || !known) sets.push_back({&run});
  }
  return measured_line(sets);
}

std::string measured_line(const std::vector<MeasuredSet>& sets) {
  std::vector<Sets> groups;
  for (const MeasuredSet& set : sets) {
    const auto same = std::ranges::find_if(groups, [&](const Sets& one) { return alike(one[0], set); });
    (same == groups.end() ? groups.emplace_back() : *same).push_back(set);
  }
  std::vector<std::string> texts;
  for (const Sets& group : groups) {
    const RunPlan& run = *group.front().run;
    texts.push_back(set_text(group) + few_text(group));
    if (drops_jobs(run)) texts.back() += ", without those of tenants that have no quota";
    if (std::isfinite(run.measure.end_s))
      texts.back() += fmt::format(", runs end at {} s", shortest(run.measure.end_s));
  }
  constexpr std::size_t most_texts = 4;
  if (const std::size_t all = texts.size(); all > most_texts) {
    texts.resize(most_texts);
    texts.push_back(fmt::format("and {} more", all - most_texts));
  }
  return texts.empty() ? "" : "measured: " + join(texts, "; ");
}

namespace {

const char* at_or_in(const std::string& kinds) { return kinds == "cluster sizes" ? "at" : "in"; }

/// What the load does not see: it is the work of all jobs over all GPUs.
std::string capacity_text(const Sets& sets) {
  const auto any = [&](auto which) { return std::ranges::any_of(sets, which); };
  std::string text;
  if (any([](const MeasuredSet& set) { return !set.run->cluster.outages.empty(); })) {
    text += ", as if no node went down";
  }
  if (any([](const MeasuredSet& set) { return !set.run->cluster.partition_sizes.empty(); })) {
    text += ", of all partitions together: one may have more than it can do";
  }
  return text;
}

}  // namespace

std::string load_text(const std::vector<MeasuredSet>& sets) {
  const auto [text_of_measured, known] = load_range(sets, &MeasuredSet::offered_load);
  if (known == 0) return "";
  std::string text = "offered load: " + text_of_measured;
  if (const auto [quiet, quiets] = load_range(sets, &MeasuredSet::quiet_load); quiets > 0) {
    const std::string where = quiets == known ? "" : fmt::format("in {} of {}, ", grouped(quiets), grouped(known));
    text += fmt::format(" ({}{} with a quiet beginning or end, in which few jobs arrive)", where, quiet);
  }
  if (const auto [whole, parts] = load_range(sets, &MeasuredSet::whole_load); parts > 0) {
    text += fmt::format(" (whole trace {}, busiest stretch as long {})", whole,
                        load_range(sets, &MeasuredSet::busiest_load).first);
  }
  text += capacity_text(sets);
  const std::string kinds = kinds_text(sets);
  return known > 1 ? fmt::format("{} {} {} {}", text, at_or_in(kinds), grouped(known), kinds) : text;
}

std::string load_line(const std::vector<MeasuredSet>& sets) {
  const auto [over, later, known] = overloaded_sets(sets);
  std::string text = load_text(sets);
  if (text.empty()) return text;
  const std::string kinds = kinds_text(sets), at = at_or_in(kinds);
  const auto where = [&](std::size_t some) {
    return known == 1 ? "" : fmt::format(" {} {} of {} {}", at, grouped(some), grouped(known), kinds);
  };
  if (over > 0) {
    const std::string some =
        over < known ? fmt::format(" {} at least {} of {} {}", at, grouped(over), grouped(known), kinds) : where(over);
    text += "; overloaded" + some;
  }
  if (later > 0) {
    text += "; over 1" + where(later);
  }
  return text;
}

}  // namespace palstudy
