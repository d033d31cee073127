// SPDX-License-Identifier: MIT
#include "cli/tables/why_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/tables/text_table.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "words/why_text.hpp"

namespace palstudy {
namespace {

using WhyJson = nlohmann::ordered_json;

std::string simulated_text(bool simulated, std::size_t columns) {
  return simulated ? paragraph("", "the archive has no events of it: simulated again, with the same jobs", columns)
                   : "";
}

std::string seconds_cell(double seconds) { return fmt::format("{:.0f}", seconds); }

std::string stays_table(const std::vector<StoryOfStay>& stays, std::size_t columns) {
  constexpr std::size_t most = 12;
  TextTable table{{"from s", "to s", "nodes", "GPUs", "spans", "slowest", "slowdown"}, {}};
  for (const StoryOfStay& stay : stays) {
    if (table.rows.size() == most) break;
    table.rows.push_back({seconds_cell(stay.held.from_s), seconds_cell(stay.held.to_s),
                          numbers_text({stay.nodes.begin(), stay.nodes.end()}), numbers_text(stay.held.gpus),
                          std::string(span_text(stay.span)), std::to_string(stay.slowest.gpu),
                          in_digits(stay.slowest.slowdown)});
  }
  const std::string more = stays.size() > most ? fmt::format("{} more: --json\n", stays.size() - most) : "";
  return to_text(table, columns) + more;
}

/// The unit in which a table has times, so that its columns are narrow.
struct TimeUnit {
  const char* name;
  double seconds;
  int digits;

  [[nodiscard]] std::string cell(double s) const { return fmt::format("{:.{}f}", s / seconds, digits); }
  [[nodiscard]] std::string change(double s) const {
    const std::string text = fmt::format("{:+.{}f}", s / seconds, digits);
    return text.find_first_of("123456789") == std::string::npos ? "0" : text;
  }
};

TimeUnit unit_of(const RunDifference& difference) {
  constexpr double minute_s = 60, few = 10;
  double longest_s = 0;
  for (const JobDifference& one : difference.jobs) longest_s = std::max({longest_s, one.jct_s, one.other_jct_s});
  if (longest_s < few * minute_s) return {"s", 1, 0};
  return longest_s < few * hour_s ? TimeUnit{"min", minute_s, 1} : TimeUnit{"h", hour_s, 2};
}

std::string difference_table(const RunsApart& runs, std::int64_t run, std::size_t columns) {
  using enum DifferenceCause;
  const TimeUnit unit = unit_of(runs.difference);
  TextTable table{{"job", "GPUs", fmt::format("run {}", run), fmt::format("run {}", runs.other),
                   fmt::format("change, {}", unit.name), "waiting", "slowdown", "span", "rest", "mostly"},
                  {},
                  1};
  for (const JobDifference& one : runs.difference.jobs) {
    table.rows.push_back({one.site_job.empty() ? std::to_string(one.job) : one.site_job, std::to_string(one.gpus),
                          unit.cell(one.jct_s), unit.cell(one.other_jct_s), unit.change(one.difference_s()),
                          unit.change(one.s(wait)), unit.change(one.s(gpus)), unit.change(one.s(span)),
                          unit.change(one.s(rest)), std::string(difference_text(one))});
  }
  return to_text(table, columns);
}

std::string kills_table(const LimitKills& kills, std::size_t columns) {
  TextTable table{{kills.by, "killed at the limit", "by slow GPUs", "GPU hours lost"}, {}};
  for (const UserKills& user : kills.users) {
    table.rows.push_back({user.user.empty() ? "(not known)" : user.user, std::to_string(user.all.jobs),
                          std::to_string(user.slow.jobs), in_digits(user.slow.gpu_hours)});
  }
  return to_text(table, columns);
}

template <class Answer>
WhyJson head(const WhyOf<Answer>& why, const char* question) {
  return {{"schema", "palstudy.why/1"}, {"question", question}, {"run", why.run}, {"simulated", why.simulated}};
}

std::string dumped(const WhyJson& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

WhyJson site_id(const std::string& site_job) { return site_job.empty() ? WhyJson(nullptr) : WhyJson(site_job); }

WhyJson optional_number(const std::optional<double>& value) { return value ? WhyJson(*value) : WhyJson(nullptr); }

const char* span_name(Level span) {
  return span == Level::node ? "node" : span == Level::cabinet ? "cabinet" : "cluster";
}

WhyJson json_of(const JobRow& job) {  // a NaN becomes null
  return {{"id", job.job},
          {"site_job", site_id(job.site_job)},
          {"class", job.cls},
          {"tenant", job.tenant},
          {"user", job.user},
          {"gpus", job.gpus},
          {"partition", job.partition},
          {"status", job.status},
          {"submit_s", job.submit_s},
          {"start_s", job.start_s},
          {"finish_s", job.finish_s},
          {"exec_s", job.exec_s},
          {"ideal_s", job.ideal_s},
          {"slowdown_mean", job.slowdown},
          {"penalty_mean", job.penalty},
          {"preemptions", job.preemptions},
          {"migrations", job.migrations}};
}

WhyJson json_of(const OtherJobs& others) { return {{"jobs", others.jobs}, {"gpu_hours", others.gpu_hours}}; }

WhyJson json_of(const StoryOfWait& wait) {
  WhyJson causes = WhyJson::object();
  for (std::size_t i = 0; i < wait_causes; ++i) causes[name_of(static_cast<WaitCause>(i))] = wait.by_cause_s[i];
  return {{"until_s", wait.until_s},       {"by_cause_s", causes},
          {"main", name_of(wait.main())},  {"gpus_of_partition", wait.part_gpus},
          {"free_least", wait.free_least}, {"free_mean", wait.free_mean},
          {"ahead", json_of(wait.ahead)},  {"overtook", json_of(wait.overtook)},
          {"enough_s", wait.enough_s}};
}

WhyJson json_of(const StoryOfStay& stay) {
  return {{"from_s", stay.held.from_s},
          {"to_s", stay.held.to_s},
          {"nodes", stay.nodes},
          {"gpus", stay.held.gpus},
          {"span", span_name(stay.span)},
          {"slowest_gpu", stay.slowest.gpu},
          {"slowdown", stay.slowest.slowdown},
          {"second_slowdown", optional_number(stay.second)}};
}

WhyJson json_of(const std::optional<CostOfSlowest>& cost) {
  if (!cost) return nullptr;
  return {{"gpu", cost->slowest.gpu},
          {"slowdown", cost->slowest.slowdown},
          {"as_second_s", optional_number(cost->as_second_s)},
          {"as_median_s", cost->as_median_s}};
}

WhyJson json_of(const JobDifference& one) {
  WhyJson causes = WhyJson::object();
  for (std::size_t i = 0; i < difference_causes; ++i) {
    causes[name_of(static_cast<DifferenceCause>(i))] = one.by_cause_s[i];
  }
  return {{"id", one.job},
          {"site_job", site_id(one.site_job)},
          {"gpus", one.gpus},
          {"jct_s", one.jct_s},
          {"other_jct_s", one.other_jct_s},
          {"by_cause_s", causes},
          {"main", name_of(one.main())}};
}

WhyJson json_of(const KilledJobs& killed) { return {{"jobs", killed.jobs}, {"gpu_hours", killed.gpu_hours}}; }

WhyJson json_of(const SlowKill& kill) { return {{"job", json_of(kill.job)}, {"needed_s", kill.needed_s}}; }

template <class Rows>
WhyJson array_of(const Rows& rows) {
  WhyJson all = WhyJson::array();
  for (const auto& row : rows) all.push_back(json_of(row));
  return all;
}

}  // namespace

std::string why_text(const WhyOf<JobStory>& why, std::size_t columns) {
  std::string text = paragraph("", story_answer(why.answer), columns) + simulated_text(why.simulated, columns) + "\n";
  for (const auto& [about, said] : story_lines(why.answer)) {
    text += paragraph(fmt::format("{:<13}", about), said, columns);
  }
  if (why.answer.stays.size() > 1) text += "\n" + stays_table(why.answer.stays, columns);
  return text;
}

std::string why_text(const WhyOf<RunsApart>& why, std::size_t columns) {
  const auto& [other, difference] = why.answer;
  std::string text = paragraph("", difference_answer(difference, why.run, other), columns);
  text += paragraph("", difference_means(difference, why.run, other), columns);
  if (!difference.jobs.empty()) text += "\n" + difference_table(why.answer, why.run, columns);
  return text;
}

std::string why_text(const WhyOf<LimitKills>& why, std::size_t columns) {
  std::string text = paragraph("", kills_answer(why.answer, why.run), columns);
  if (!why.answer.users.empty()) text += "\n" + kills_table(why.answer, columns);
  return text;
}

std::string why_json(const WhyOf<JobStory>& why) {
  WhyJson json = head(why, "job");
  json["job"] = json_of(why.answer.job);
  json["wait"] = json_of(why.answer.wait);
  json["stopped_s"] = why.answer.stopped_s;
  json["span"] = span_name(why.answer.span);
  json["stays"] = array_of(why.answer.stays);
  json["slowest"] = json_of(why.answer.cost);
  json["down_counts_as_free"] = why.answer.nodes_leave;
  return dumped(json);
}

std::string why_json(const WhyOf<RunsApart>& why) {
  const RunDifference& all = why.answer.difference;
  WhyJson json = head(why, "against");
  json["against"] = why.answer.other;
  json["compared"] = all.compared;
  json["left_out"] = all.left_out;
  json["jct_mean_s"] = all.mean_s;
  json["other_jct_mean_s"] = all.other_mean_s;
  json["share"] = all.share;
  json["jobs"] = array_of(all.jobs);
  return dumped(json);
}

std::string why_json(const WhyOf<LimitKills>& why) {
  WhyJson json = head(why, "killed"), users = WhyJson::array();
  for (const UserKills& user : why.answer.users) {
    users.push_back({{why.answer.by, user.user}, {"killed", json_of(user.all)}, {"slow", json_of(user.slow)}});
  }
  json["by"] = why.answer.by;
  json["killed"] = json_of(why.answer.all);
  json["slow"] = json_of(why.answer.slow);
  json["users"] = users;
  json["jobs"] = array_of(why.answer.jobs);
  return dumped(json);
}

}  // namespace palstudy
