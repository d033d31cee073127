// SPDX-License-Identifier: MIT
#include "words/why_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string gpus_text(std::int64_t gpus) { return counted(static_cast<std::size_t>(gpus), "GPU"); }

/// A time of the run, as /jobs has it, to the second.
std::string time_text(double time_s) { return fmt::format("{:.0f} s", time_s); }

std::string hours_text(double gpu_hours) { return in_digits(gpu_hours) + " GPU hours"; }

/// "since fewer than 4 GPUs were free"
std::string cause_text(WaitCause cause, std::int64_t gpus) {
  switch (cause) {
    case WaitCause::boundary:
      return "for the next boundary";
    case WaitCause::short_of_gpus:
      return gpus == 1 ? "since no GPU was free" : fmt::format("since fewer than {} were free", gpus_text(gpus));
    case WaitCause::behind_others:
      return fmt::format("behind earlier jobs, with {} free", gpus_text(gpus));
    case WaitCause::held_back:
      return fmt::format("for placement, limits or links, with {} free", gpus_text(gpus));
  }
  return "";
}

/// "2 h 5 min short of GPUs, 3 min behind earlier jobs"
std::string causes_text(const StoryOfWait& wait, std::int64_t gpus) {
  std::vector<std::string> texts;
  for (const auto cause :
       {WaitCause::short_of_gpus, WaitCause::behind_others, WaitCause::held_back, WaitCause::boundary}) {
    if (wait.s(cause) > 0) texts.push_back(duration_text(wait.s(cause)) + " " + cause_text(cause, gpus));
  }
  return join(texts, "; ");
}

bool one_cause(const StoryOfWait& wait) {
  return std::ranges::count_if(wait.by_cause_s, [](double s) { return s > 0; }) < 2;
}

std::string jobs_text(const OtherJobs& others, const char* which, const char* what) {
  if (others.jobs == 0) return fmt::format("no {} job {}", which, what);
  return fmt::format("{} {}, {}", counted(others.jobs, std::string(which) + " job"), what,
                     hours_text(others.gpu_hours));
}

std::string free_text(const StoryOfWait& wait) {
  return fmt::format("{} at least, {} on average, of {}", grouped(static_cast<std::size_t>(wait.free_least)),
                     in_digits(wait.free_mean), gpus_text(wait.part_gpus));
}

std::string enough_text(const JobStory& story) {
  const StoryOfWait& wait = story.wait;
  if (std::isnan(wait.enough_s)) return "at no boundary of its wait were enough GPUs free";
  if (story.job.started() && wait.enough_s >= wait.until_s)
    return "not before it did: no boundary had enough GPUs free";
  return fmt::format("at {}, first in the queue: {} free then", time_text(wait.enough_s),
                     story.job.gpus == 1 ? "a GPU was" : gpus_text(story.job.gpus) + " were");
}

/// "node 3", "nodes 3 to 5"
std::string nodes_text(const std::vector<std::uint32_t>& nodes) {
  return (nodes.size() == 1 ? "node " : "nodes ") + numbers_text({nodes.begin(), nodes.end()});
}

std::string ran_text(const JobStory& story) {
  const JobRow& job = story.job;
  const std::string until = job.over() ? "to " + time_text(job.finish_s) : "and ran on when the run ended";
  std::string text = fmt::format("{} {}, on GPUs for {}", time_text(job.start_s), until, duration_text(job.exec_s));
  if (job.status == "killed" || job.status == "unsuccessful") text += "; " + job.status;
  return text;
}

std::string where_text(const JobStory& story) {
  if (story.stays.empty()) return "";
  const StoryOfStay& first = story.stays.front();
  if (story.stays.size() > 1) return fmt::format("on {} in turn", counted(story.stays.size(), "set of GPUs"));
  return fmt::format("{}, GPU{} {}", nodes_text(first.nodes), first.held.gpus.size() == 1 ? "" : "s",
                     numbers_text(first.held.gpus));
}

std::string moved_text(const JobStory& story) {
  const JobRow& job = story.job;
  std::string text = fmt::format("{}, {}", counted(static_cast<std::size_t>(job.preemptions), "stop"),
                                 counted(static_cast<std::size_t>(job.migrations), "move"));
  if (story.stopped_s > 0) text += fmt::format("; waited {} between them", duration_text(story.stopped_s));
  return text;
}

std::string cost_text(const CostOfSlowest& cost) {
  std::string text;
  if (cost.as_second_s) text = fmt::format("{} against the second-slowest GPU, ", duration_text(*cost.as_second_s));
  return text + fmt::format("{} against {}", duration_text(cost.as_median_s),
                            cost.as_second_s ? "GPUs no slower than the median" : "a median GPU");
}

}  // namespace

std::string job_text(std::int64_t job, const std::string& site_job) {
  if (site_job.empty()) return fmt::format("job {}", job);
  return fmt::format("job {} ({} in the archive)", site_job, job);
}

std::string numbers_text(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t most_ranges = 6;
  std::vector<std::string> ranges;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < numbers.size() && ranges.size() < most_ranges; begin = end) {
    for (end = begin + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
    const std::int64_t first = numbers[begin], last = numbers[end - 1];
    const char* to = last == first + 1 ? ", " : " to ";
    ranges.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}{}{}", first, to, last));
  }
  const std::string text = join(ranges);
  return end < numbers.size() ? fmt::format("{} and {} more", text, grouped(numbers.size() - end)) : text;
}

std::string_view span_text(Level span) {
  return span == Level::node ? "a node" : span == Level::cabinet ? "a cabinet" : "the cluster";
}

std::string story_answer(const JobStory& story) {
  const JobRow& job = story.job;
  const std::string name = job_text(job.job, job.site_job);
  if (!job.started() && job.over()) return name + " was turned away as it arrived: no attempt was left";
  const double waited_s = story.wait.until_s - job.submit_s;
  const std::string why = (one_cause(story.wait) ? "" : "mostly ") + cause_text(story.wait.main(), job.gpus);
  if (!job.started()) return fmt::format("{} never started; it waited {} {}", name, duration_text(waited_s), why);
  if (waited_s == 0) return name + " did not wait";
  return fmt::format("{} waited {} {}", name, duration_text(waited_s), why);
}

std::vector<StoryLine> story_lines(const JobStory& story) {
  const JobRow& job = story.job;
  const StoryOfWait& wait = story.wait;
  std::vector<StoryLine> lines;
  lines.push_back(
      {"submitted", fmt::format("{}; wants {}, class {}", time_text(job.submit_s), gpus_text(job.gpus), job.cls)});
  const bool waited = wait.until_s > job.submit_s && (job.started() || !job.over());
  if (waited) {
    if (!one_cause(wait)) lines.push_back({"waited", causes_text(wait, job.gpus)});
    lines.push_back({"left free", free_text(wait)});
    if (story.nodes_leave) lines.push_back({"", "nodes that were down or off count as free here"});
    lines.push_back({"queue", jobs_text(wait.ahead, "earlier", "started meanwhile")});
    lines.push_back({"", jobs_text(wait.overtook, "later", "started before it")});
    lines.push_back({"could start", enough_text(story)});
  }
  if (!job.started()) return lines;
  lines.push_back({"ran", ran_text(story)});
  lines.push_back({"where", where_text(story)});
  lines.push_back({"spanned", fmt::format("{}, penalty {}", span_text(story.span), in_digits(job.penalty))});
  if (job.preemptions + job.migrations > 0) lines.push_back({"stopped", moved_text(story)});
  if (!story.cost) {
    lines.push_back({"slowest GPU", "the job does not run at its rate: its model has a pace of its own"});
    return lines;
  }
  const auto& [gpu, slowdown] = story.cost->slowest;
  lines.push_back({"slowest GPU", fmt::format("{}, slowdown {} for class {}", gpu, in_digits(slowdown), job.cls)});
  lines.push_back({"it cost", cost_text(*story.cost)});
  return lines;
}

std::string difference_answer(const RunDifference& all, std::int64_t run, std::int64_t other) {
  if (all.jobs.empty()) return fmt::format("no job takes another time in run {} than in run {}", other, run);
  return fmt::format("{} of {} make {} of the differences between runs {} and {}", all.jobs.size(),
                     counted(all.compared, "job"), percent_text(all.share), run, other);
}

std::string difference_means(const RunDifference& all, std::int64_t run, std::int64_t other) {
  std::string text = fmt::format("mean completion time: {} in run {}, {} in run {}", duration_text(all.mean_s), run,
                                 duration_text(all.other_mean_s), other);
  if (all.left_out > 0) text += fmt::format("; {} not over in both left out", counted(all.left_out, "job"));
  return text;
}

std::string_view difference_text(const JobDifference& one) {
  constexpr std::array<std::pair<const char*, const char*>, difference_causes> words = {
      {{"waits longer", "waits shorter"},
       {"slower GPUs", "faster GPUs"},
       {"wider span", "narrower span"},
       {"restarts or limits", "restarts or limits"}}};
  const auto& [more, less] = words[static_cast<std::size_t>(one.main())];
  return one.difference_s() > 0 ? more : less;
}

std::string kills_answer(const LimitKills& kills, std::int64_t run) {
  if (kills.all.jobs == 0) return fmt::format("run {} killed no job at its time limit", run);
  const std::string of = counted(kills.all.jobs, "job") + " killed at the time limit";
  if (kills.slow.jobs == 0) return fmt::format("none of {} in run {} fell to slow GPUs", of, run);
  return fmt::format("{} of {} in run {} fell to slow GPUs; {} lost", grouped(kills.slow.jobs), of, run,
                     hours_text(kills.slow.gpu_hours));
}

}  // namespace palstudy
