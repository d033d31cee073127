// SPDX-License-Identifier: MIT
#include "words/advice_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

const ActionGain* find_action(const Advice& advice, const Action& action) {
  const auto found = std::ranges::find(advice.actions, action, &ActionGain::action);
  return found == advice.actions.end() ? nullptr : &*found;
}

/// "12 GPU hours saved", "3 more GPU hours".
std::string saved_text(double hours, const char* what) {
  const std::string count = in_digits(std::abs(std::round(hours)));
  return hours < 0 ? fmt::format("{} more {}", count, what) : fmt::format("{} {} saved", count, what);
}

}  // namespace

std::string node_name(const RankedNode& node) {
  return node.host.empty() ? fmt::format("node {}", node.node) : node.host;
}

std::vector<std::string> unmeasured_nodes(const AdviceFound& found) {
  std::vector<std::string> names;
  for (const RankedNode& node : found.nodes) {
    if (!node.measured) names.push_back(node_name(node));
  }
  return names;
}

std::string drained_text(const AdviceFound& found, const Action& action) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(action.drained, most); ++i) {
    names.push_back(node_name(found.nodes.at(i)));
  }
  return join(names) + (action.drained > most ? fmt::format(" and {} more", action.drained - most) : "");
}

std::string action_text(const Action& action) {
  const std::string drain = fmt::format("drain {}", counted(action.drained, "node"));
  switch (action.kind) {
    case ActionKind::nothing:
      return "do nothing";
    case ActionKind::prefer:
      return "prefer fast nodes";
    case ActionKind::drain:
      return drain;
    case ActionKind::place:
      return "place as PAL does";
    case ActionKind::both:
      break;
  }
  return drain + ", place as PAL";
}

std::string gain_text(const ActionGain& gain) {
  if (gain.action.kind == ActionKind::nothing) return "";
  return gain.jct ? fmt::format("{:+.2f} %", 100 * (gain.jct->ratio - 1)) : "-";
}

std::string gain_interval_text(const ActionGain& gain) {
  if (!gain.jct || !gain.jct->ratio_low || gain.action.kind == ActionKind::nothing) return "";
  return fmt::format("{:+.2f} to {:+.2f} %", 100 * (*gain.jct->ratio_low - 1), 100 * (*gain.jct->ratio_high - 1));
}

std::string advice_head(const AdviceFound& found) {
  const Action& action = found.advice.action;
  if (action.kind == ActionKind::nothing) {
    return "do nothing: no action shortens the mean completion time beyond doubt";
  }
  const ActionGain& gain = found.advice.advised();
  const std::string nodes = drained_text(found, action);
  const std::string interval =
      gain.jct->low ? fmt::format(" ({:.2f} to {:.2f} %)", 100 * *gain.jct->low, 100 * *gain.jct->high) : "";
  return fmt::format("{}{}: mean completion time {:.2f} % shorter{}", action_text(action),
                     nodes.empty() ? "" : " (" + nodes + ")", 100 * gain.jct->mean, interval);
}

std::string advice_effect(const AdviceFound& found) {
  const ActionGain& gain = found.advice.advised();
  const std::string cost = gain.capacity_share > 0
                               ? fmt::format("{} of the GPUs are out of service", percent_text(gain.capacity_share))
                               : std::string("no GPU is out of service");
  return fmt::format("{}, {}, in {}; {}", saved_text(gain.job_h_saved, "job hours"),
                     saved_text(gain.gpu_h_saved, "GPU hours"), days_text(found.span_s), cost);
}

std::string nothing_text(const AdviceFound& found) {
  if (std::isnan(found.advice.jct_mean_s)) return "";
  return fmt::format("if nothing is done, jobs take {} on average, and {} of that they wait",
                     duration_text(found.advice.jct_mean_s), duration_text(found.advice.wait_mean_s));
}

std::string days_text(double seconds) {
  return seconds < 2 * day_s ? duration_text(seconds) : fmt::format("{:.0f} days", seconds / day_s);
}

std::string no_interval_text(const Advice& advice) {
  if (!advice.no_interval) return "";
  const NoInterval& why = *advice.no_interval;
  switch (why.why) {
    case Missing::no_change:
      return "the replications do not differ: there is no interval";
    case Missing::few_blocks:
      return fmt::format("no interval: the log has {} days to draw from, and {} are needed", why.have, why.need);
    case Missing::nothing:
    case Missing::few_replications:
    case Missing::few_clusters:
    case Missing::few_workloads:
    case Missing::few_resamples:
    case Missing::no_spread:
    case Missing::few_decide:
      break;
  }
  return fmt::format("no interval: {}, and {} are needed", counted(advice.replications, "replication"),
                     least_replications);
}

std::string needs_text(ActionKind kind) {
  switch (kind) {
    case ActionKind::nothing:
      return "nothing";
    case ActionKind::prefer:
      return "Weight= of nodes in slurm.conf, or scontrol update; no node is lost";
    case ActionKind::drain:
      return "scontrol update State=DRAIN; the nodes are lost until they are mended";
    case ActionKind::place:
      return "a scheduler that places by class, and knows how slow each GPU is: Slurm's weights are the nearest";
    case ActionKind::both:
      break;
  }
  return "what draining and placing need, together";
}

std::string slowest_gpu_text(const AdviceFound& found) {
  const ActionGain* const drain = find_action(found.advice, {ActionKind::drain, 1});
  if (!found.slowest_gpu_alone || !found.slowest_gpu_alone->jct || drain == nullptr || !drain->jct) return "";
  const RankedNode& node = found.nodes.front();
  std::string text = fmt::format(
      "the slowest GPU is on {}, {:.2f} times as slow as the median for class {}. Without its node the mean completion "
      "time changes by {}. Without that GPU alone, its {} kept, it changes by {}.",
      node_name(node), node.slowdown, node.cls, gain_text(*drain), counted(node.gpus - 1, "other"),
      gain_text(*found.slowest_gpu_alone));
  const ActionGain* const place = find_action(found.advice, {ActionKind::place, 0});
  if (place != nullptr && place->jct) text += fmt::format(" With pal-sticky it changes by {}.", gain_text(*place));
  return text;
}

std::string setting_text(const OtherSetting& setting) {
  const std::array names = {"penalty", "load", "backfill", "knowledge"};
  return fmt::format("{} {}", names[static_cast<std::size_t>(setting.what)], setting.value);
}

std::string refuted_text(const AdviceFound& found) {
  std::string text;
  for (const ActionGain& one : found.advice.actions) {
    if (!one.other_half || one.helps) continue;
    if (!text.empty()) text += "; ";
    text += fmt::format(
        "{} changes the mean completion time by {:+.2f} % where one half of the measurements is believed "
        "and the other true",
        action_text(one.action), -100 * *one.other_half);
  }
  return text.empty() ? "" : "not confirmed: " + text;
}

}  // namespace palstudy
