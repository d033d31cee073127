// SPDX-License-Identifier: MIT
#include "study/keys/tenant_keys.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

constexpr double most_quota = 1 << 24;
constexpr double most_attempts = 1e6;
constexpr double most_wait_s = 1e9;

KeySpec tenant_number(std::string key, std::string unit, std::string derived, std::string summary, double most) {
  return {.key = std::move(key),
          .type = KeyType::number,
          .unit = std::move(unit),
          .derived = std::move(derived),
          .summary = std::move(summary),
          .least = 0,
          .most = most};
}

/// The place of a key that was given, of one that was filled in nothing.
std::string place_of(const Point& point, const std::string& key) {
  const auto at = point.find(key);
  return at == point.end() ? std::string() : at->second.where;
}

void refuse_without_tenants(const Point& point) {
  for (const auto& [key, value] : point) {
    for (const char* table : {"tenants.", "ladder.", "gang."}) {
      if (!key.starts_with(table)) continue;
      throw usage_error(fmt::format("{} is given, but no tenant has a quota", key), value.where,
                        "give tenants.quotas = \"FILE.csv\" or tenants.gpus = { NAME = GPUS, ... } as well");
    }
  }
}

ParamValues constant_params(const std::vector<Param>& params, const std::string& section, const Point& point) {
  ParamValues values;
  for (const auto& param : params) {
    const auto given = point.find(section + "." + param.name);
    if (given == point.end()) continue;
    if (param.type == ParamType::text) {
      values.set(param.name, given->second.text);
    } else {
      values.set(param.name,
                 param.type == ParamType::boolean ? (given->second.boolean ? 1.0 : 0.0) : given->second.as_real());
    }
  }
  return values;
}

/// Asked of the policies themselves, so that no name of one is known here.
bool stops_jobs(const Point& point) {
  const auto& entry = orders().at(point.at("policy.order").text);
  return entry.make(constant_params(entry.params, "policy", point))->preemptive();
}
template <class Question>
bool asked_of_placement(const Point& point, Question question) {
  const Topology topology(std::vector<NodeGroup>{{1, 1}}, 1);
  const Bins bins(Slowdowns::flat({"A"}, 1), BinRule{1, false});
  const auto& entry = placements().at(point.at("policy.placement").text);
  return question(*entry.make({topology, bins, LocalityPenalty{}, 1}, constant_params(entry.params, "policy", point)));
}
bool leaves_jobs(const Point& point) {
  return asked_of_placement(point, [](const PlacementPolicy& policy) { return policy.sticky(); });
}
bool moves_jobs(const Point& point) {
  return asked_of_placement(point, [](const PlacementPolicy& policy) { return policy.moves_running(); });
}

/// Running jobs would be moved to nodes that others have to themselves.
void check_dedicated(const Point& point) {
  const auto on = [&](const char* key) { return point.contains(key) && point.at(key).boolean; };
  if (on("tenants.defragment") && !on("tenants.dedicated")) {
    throw usage_error("tenants.defragment is given without tenants.dedicated", place_of(point, "tenants.defragment"),
                      "give both: jobs of one GPU make way for those that get nodes of their own");
  }
  if (!on("tenants.dedicated") || (leaves_jobs(point) && !moves_jobs(point))) return;
  const std::string& placement = point.at("policy.placement").text;
  throw usage_error(
      fmt::format("tenants.dedicated does not go together with placement \"{}\", which moves jobs", placement),
      place_of(point, "tenants.dedicated"), "use one that leaves them, such as \"packed-sticky\"");
}

void check_together(const Point& point) {
  const auto refuse = [&](const std::string& key, const std::string& what, const std::string& advice) {
    std::string where = place_of(point, key);
    for (const char* quotas : {"tenants.quotas", "tenants.gpus"}) {  // where the other is a default
      if (where.empty() || where == key) where = place_of(point, quotas);
    }
    throw usage_error("tenants do not go together with " + what, where, advice);
  };
  if (point.at("cluster.partitions").integer > 1) refuse("cluster.partitions", "several partitions", "use one");
  if (point.at("engine.start").text == "event") {
    refuse("engine.start", "engine.start = \"event\"", "leave it out, and make engine.round_s small");
  }
  if (point.at("engine.starvation_s").as_real() < infinity) {
    refuse("engine.starvation_s", "engine.starvation_s", "leave it out: quotas are what keeps jobs from starving");
  }
  if (point.at("policy.backfill").text != "greedy") {
    refuse("policy.backfill", "policy.backfill = \"" + point.at("policy.backfill").text + "\"",
           "their jobs start out of order: give policy.backfill = \"greedy\"");
  }
  const std::string& placement = point.at("policy.placement").text;
  if (leaves_jobs(point)) {
    if (!stops_jobs(point)) return;
    const std::string& order = point.at("policy.order").text;
    refuse("policy.order", fmt::format("order \"{}\", which stops jobs, under placement \"{}\"", order, placement),
           "use an order that does not, such as \"fifo\"");
  }
  for (const char* key : {"ladder.attempts", "gang.timeout_s"}) {
    if (!point.contains(key) || point.at(key).as_real() == 0) continue;
    refuse(key, fmt::format("{} under placement \"{}\"", key, placement),
           "it places running jobs anew at every boundary; use one that leaves them, such as \"pal-sticky\"");
  }
  if (point.at("tenants.preempt_occupancy").as_real() < infinity) {
    refuse("tenants.preempt_occupancy", fmt::format("preempt_occupancy under placement \"{}\"", placement),
           "leave it out: it places running jobs anew at every boundary, those of tenants over quota last");
  }
}

}  // namespace

std::vector<KeySpec> tenant_keys() {
  KeySpec occupancy = tenant_number("tenants.preempt_occupancy", "1", "inf, where there are tenants",
                                    "Share of the GPUs in use from which jobs of tenants over quota are stopped for "
                                    "one within quota; inf: never.",
                                    infinity);
  occupancy.infinite = true;
  KeySpec unlisted{.key = "tenants.unlisted",
                   .type = KeyType::choice,
                   .derived = "\"refuse\", where there are tenants",
                   .summary = "Jobs of tenants without a quota: an error, jobs that only borrow, or left out.",
                   .choices = {"refuse", "borrow", "drop"}};
  KeySpec attempts{
      .key = "ladder.attempts",
      .type = KeyType::integer,
      .unit = "round",
      .derived = "3, where another key of [ladder] is given; else no ladder",
      .summary =
          "Boundaries at which a job that fails to get GPUs insists on the fewest nodes, and then on one cabinet, "
          "before it takes any GPUs; 0: no ladder.",
      .least = 0,
      .most = most_attempts};
  return {
      {.key = "tenants.quotas",
       .type = KeyType::path,
       .derived = "no tenants",
       .summary = "CSV with tenant,gpus: how many GPUs each tenant is entitled to."},
      {.key = "tenants.gpus",
       .type = KeyType::quotas,
       .unit = "GPU",
       .derived = "no tenants",
       .summary = "The same in the study itself, { NAME = GPUS, ... }; inf is no limit."},
      {.key = "tenants.scale",
       .type = KeyType::boolean,
       .derived = "false, where there are tenants",
       .summary = "Quotas are in proportion: scaled so that their sum is the GPUs of the cluster."},
      unlisted,
      occupancy,
      {.key = "tenants.dedicated",
       .type = KeyType::boolean,
       .derived = "false, where there are tenants",
       .summary = "Jobs of several GPUs have nodes of their own."},
      {.key = "tenants.defragment",
       .type = KeyType::boolean,
       .derived = "false, where there are tenants",
       .summary = "Jobs of one GPU are moved together for them, at engine.migration_s each; with dedicated."},
      attempts,
      tenant_number("ladder.patience", "1", "0, where there is a ladder",
                    "A job does not climb before it has waited for this share of its ideal time.", most_wait_s),
      tenant_number("ladder.patience_most_s", "s", "14400, where there is a ladder",
                    "Nor waits longer than this for it.", most_wait_s),
      tenant_number("gang.timeout_s", "s", "150, where another key of [gang] is given; else nobody holds parts",
                    "For how long a job holds a part of its GPUs, idle, while it waits for the rest; 0: not at all.",
                    most_wait_s),
      tenant_number("gang.backoff_s", "s", "120, where there are gangs",
                    "For how long a job that has given back a part is not tried.", most_wait_s),
  };
}

TomlValue check_quotas(const KeySpec& spec, const TomlValue& value) {
  if (value.kind == TomlValue::Kind::table && value.items.empty()) {
    throw usage_error(fmt::format("{} is empty", spec.key), value.where, "it is " + wanted(spec));
  }
  if (value.kind != TomlValue::Kind::table) {
    throw usage_error(fmt::format("{} wants {}, not {}", spec.key, wanted(spec), describe(value)), value.where);
  }
  const KeySpec one{.key = spec.key, .type = KeyType::number, .least = 0, .infinite = true};
  TomlValue checked = value;
  for (TomlValue& item : checked.items) {
    item = check_value(one, item);
    if (std::isfinite(item.real) && item.real > most_quota) {
      throw usage_error(fmt::format("{} has a quota of {} GPUs", spec.key, item.real), item.where, "at most 16777216");
    }
  }
  return checked;
}

void complete_tenants(Point& point) {
  const auto file = point.find("tenants.quotas"), table = point.find("tenants.gpus");
  if (file == point.end() && table == point.end()) return refuse_without_tenants(point);
  if (file != point.end() && table != point.end()) {
    throw usage_error("tenants.quotas and tenants.gpus exclude each other", file->second.where, "keep one of them");
  }
  const auto any = [&](const std::string& name) {
    const auto next = point.lower_bound(name);
    return next != point.end() && next->first.starts_with(name);
  };
  point.try_emplace("tenants.scale", TomlValue::of(false));
  point.try_emplace("tenants.unlisted", TomlValue::of(std::string("refuse")));
  const TomlValue& occupancy = point.try_emplace("tenants.preempt_occupancy", TomlValue::of(infinity)).first->second;
  if (std::isfinite(occupancy.as_real()) && occupancy.as_real() > 1) {
    throw usage_error(fmt::format("tenants.preempt_occupancy = {} is never reached", shortest(occupancy.as_real())),
                      occupancy.where, "it is a share of the GPUs, from 0 to 1, or inf for never");
  }
  if (any("ladder.")) {
    point.try_emplace("ladder.attempts", TomlValue::of(std::int64_t{3}));
    point.try_emplace("ladder.patience", TomlValue::of(0.0));
    point.try_emplace("ladder.patience_most_s", TomlValue::of(14400.0));
  }
  if (any("gang.")) {
    point.try_emplace("gang.timeout_s", TomlValue::of(150.0));
    point.try_emplace("gang.backoff_s", TomlValue::of(120.0));
  }
  check_together(point);
  check_dedicated(point);
}

TenantOptions tenant_options(const Point& point) {
  TenantOptions options;
  const auto at = [&](const char* key) -> const TomlValue* {
    const auto found = point.find(key);
    return found == point.end() ? nullptr : &found->second;
  };
  const TomlValue* table = at("tenants.gpus");
  const TomlValue* file = at("tenants.quotas");
  if (table == nullptr && file == nullptr) return options;
  options.on = true;
  if (file != nullptr) options.quotas = file->text;
  for (std::size_t i = 0; table != nullptr && i < table->items.size(); ++i) {
    options.gpus.emplace_back(table->names[i], table->items[i].as_real());
  }
  options.scale = at("tenants.scale")->boolean;
  options.unlisted = at("tenants.unlisted")->text;
  TenantRules& rules = options.rules;
  rules.preempt_occupancy = at("tenants.preempt_occupancy")->as_real();
  if (const TomlValue* attempts = at("ladder.attempts")) {
    rules.ladder_attempts = static_cast<std::uint32_t>(attempts->integer);
    rules.patience = at("ladder.patience")->as_real();
    rules.patience_most_s = at("ladder.patience_most_s")->as_real();
  }
  if (const TomlValue* dedicated = at("tenants.dedicated")) rules.dedicated = dedicated->boolean;
  if (const TomlValue* defragment = at("tenants.defragment")) rules.defragment = defragment->boolean;
  if (const TomlValue* timeout = at("gang.timeout_s")) {
    rules.gang_timeout_s = timeout->as_real();
    rules.gang_backoff_s = at("gang.backoff_s")->as_real();
  }
  return options;
}

}  // namespace palstudy
