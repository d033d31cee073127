// SPDX-License-Identifier: MIT
#include "words/assumptions_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "study/keys/key_names.hpp"
#include "variability/sources/belief.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

/// The texts of the values of a key: eight, or of more the first seven and how many there are; "" where it has none.
template <class Text>
std::string values_text(const ValueRecord& all, const char* key, Text text) {
  constexpr std::size_t most = 8;
  const Value* values = find(all, key);
  if (values == nullptr) return "";
  std::vector<std::string> texts;
  for (const Value& one : values->list()) texts.push_back(text(one));
  const std::size_t count = texts.size();
  if (count > most) {
    texts.resize(most - 1);
    texts.push_back(fmt::format("... ({} values)", count));
  }
  return join(texts);
}

std::string names_text(const ValueRecord& all, const char* key) {
  return values_text(all, key, [](const Value& one) { return one.name(); });
}

/// Who decides: an order and a backfill, or another scheduler, for which they play no part.
std::string scheduler_text(const ValueRecord& all) {
  const std::string schedulers = names_text(all, keys::scheduler.name),
                    list = fmt::format("order {}; backfill {}", names_text(all, keys::order.name),
                                       names_text(all, keys::backfill.name));
  if (schedulers == "list") return list;
  const Value* names = find(all, keys::scheduler.name);
  const bool any = names != nullptr && std::ranges::find(names->list(), Value("list")) != names->list().end();
  return fmt::format("{}{}", schedulers, any ? "; of list: " + list : "");
}

std::string migration_text(const ValueRecord& all) {
  const std::string seconds =
      values_text(all, keys::migration.name, [](const Value& one) { return shortest(one.number()); });
  return seconds == "0" ? "free (engine.migration_s = 0)" : "each costs " + seconds + " s";
}

std::string penalty_text(const Value& penalty) {
  if (penalty == Value("measured")) return "measured";
  std::vector<std::string> levels;
  for (const Value& one : penalty.list()) levels.push_back(shortest(one.number()));
  return join(levels, " / ");
}

std::string knowledge_text(const Value& value) {
  return fmt::format("{} ({})", beliefs().at(value.name()).make.what, value.name());
}

std::string bins_text(const Value& rule) {
  const Value& bins = rule["bins"];
  return (bins == Value("silhouette") ? bins.name() : std::to_string(bins.count())) +
         (rule["outliers"].name() == "single" ? " and outliers" : "");
}

/// What a baseline does to running jobs.
std::string baseline_text(const Value& one) {
  const std::string& running = one["running"].name();
  if (running == "placed-again") return "places all jobs again at every boundary";
  const auto orders = names_of(one["orders"]), stop = names_of(one["stopped_by"]);
  const std::string stops =
      stop.empty() ? ""
                   : ", but for those that " + (stop.size() == orders.size() ? std::string("the order stops")
                                                                             : "are stopped by " + join(stop));
  const char* does = running == "moved" ? "moves running jobs where that pays" : "leaves running jobs where they are";
  return does + stops;
}

}  // namespace

std::vector<AssumptionClause> assumption_clauses(const ValueRecord& all) {
  std::vector<AssumptionClause> clauses;
  const auto add = [&](const char* what, const std::string& text) {
    if (!text.empty()) clauses.push_back({what, text});
  };
  const auto in_order = [](const std::string& before, const std::string& names) {
    return names.empty() ? names : before + names;
  };
  if (find(all, keys::failure_model.name) != nullptr) add("jobs that fail for good", "end early");
  add("wide jobs may wait for as long as narrower ones come under",
      in_order("backfill ", names_text(all, "unreserved")));
  add("true durations are known to", in_order("order ", names_text(all, "durations_known")));
  add("users' estimates", values_text(all, "estimates", [](const Value& one) -> std::string {
        if (one.name() == "queues") return "those of the trace, else of the queue";
        return one.name() == "exact" ? "those of the trace, else exact" : one.name();
      }));
  add("durations predicted by", names_text(all, keys::predictor.name));
  add("idle nodes powered off by", names_text(all, keys::power_off.name));
  std::vector<std::string> others, systems;
  if (const Value* baselines = find(all, "baselines")) {
    for (const Value& one : baselines->list()) add(one["name"].name().c_str(), baseline_text(one));
  }
  if (const Value* changed = find(all, "changed")) {
    for (const auto& [key, value] : changed->record()) others.push_back(fmt::format("{} = {}", key, value.name()));
  }
  if (const Value* named = find(all, "systems")) {
    for (const Value& one : named->list()) {
      systems.push_back(fmt::format("{} ({})", one["name"].name(), one["sets"].name()));
    }
  }
  add("not as by default:", join(others));
  add("systems:", join(systems));
  if (const Value* slowest = find(all, "slowest_gpu")) add("the slowest GPU has a slowdown of", range_text(*slowest));
  return clauses;
}

std::vector<AssumptionClause> settings_clauses(const ValueRecord& all) {
  if (find(all, keys::scheduler.name) == nullptr) return {};
  return {{"scheduler", scheduler_text(all)},
          {"moves", migration_text(all)},
          {"penalty", values_text(all, keys::penalty.name, penalty_text) + " (node / cabinet / cluster)"},
          {"policies know", values_text(all, keys::knowledge.name, knowledge_text)},
          {"bins", values_text(all, keys::bins.name, bins_text)}};
}

}  // namespace palstudy
