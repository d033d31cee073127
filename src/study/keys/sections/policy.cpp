// SPDX-License-Identifier: MIT
// [policy]: order, placement and backfill, and what they believe of slowdowns and penalties.
#include <fmt/format.h>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "sim/state/scheduler.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/keys/penalty_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

PenaltyTable locality() {
  return {keys::locality, "The locality penalty that the policies assume",
          "; network.penalty where the table is absent",
          [](RunPlan& run) -> LocalityPenalty& { return run.policy.locality; },
          [](RunPlan& run) -> bool& { return run.policy.locality_measured; }};
}

bool draws(const RunPlan& run) { return belief_of(run.policy).draws; }

/// Every cluster is measured for itself, so that intervals over clusters contain the noise of measuring.
std::optional<TomlValue> usual_seed(const KeyValues& values) {
  const bool drawn = cluster_sources().at(keys::source.in(values)).make.uses("seed");
  if (!drawn || !beliefs().at(keys::knowledge.in(values)).make.draws) return std::nullopt;
  return TomlValue::of(std::string("cluster"));
}

void complete_knowledge(KeyValues& values) {
  const auto& belief = beliefs().at(keys::knowledge.in(values));
  const std::string source = keys::source.in(values), where = keys::knowledge.at(values).where;
  const Measured needs = belief.make.needs;
  if (cluster_sources().at(source).make.measured < needs) {
    const auto others = names_where(cluster_sources(), [&](const auto& other) { return other.measured >= needs; });
    throw usage_error(
        fmt::format("{} = \"{}\" needs {}, and source \"{}\" has none", keys::knowledge.name, belief.name,
                    needs == Measured::gpus ? "GPUs that were measured" : "the noise of measured runs", source),
        where, fmt::format("use {} = {}, or another knowledge", keys::source.name, one_of(others)));
  }
  complete_params(policy_section, belief, where, values);
}

/// `list` is what a study without the key has, and enters no id.
void complete_scheduler(KeyValues& values) {
  if (!keys::scheduler.given_in(values)) return;
  const auto& chosen = schedulers().at(keys::scheduler.in(values));
  complete_params(policy_section, chosen, keys::scheduler.at(values).where, values);
  if (chosen.name == PolicyOptions{}.scheduler) values.erase(keys::scheduler);
}

constexpr KeyName<std::string> reservation{"policy.reservation"}, inflation{"policy.estimate_inflation"};

bool reserves(const std::string& backfill) {
  const auto& entry = backfills().at(backfill);
  ParamValues any;
  for (const Param& param : entry.params) {
    param.type == ParamType::text ? any.set(param.name, std::string()) : any.set(param.name, 1.0);
  }
  return entry.make(any)->reserves();
}
bool plans(const RunPlan& run) { return backfill_of(run.policy)->reserves(); }

/// A key that matters where a backfill plans ahead, with its default there.
Key with_reservations(const Key& key, const char* value) {
  return key
      .otherwise(fmt::format("\"{}\", where policy.backfill has reservations", value),
                 [value](const KeyValues& values) -> std::optional<TomlValue> {
                   if (!reserves(keys::backfill.in(values))) return std::nullopt;
                   return TomlValue::of(std::string(value));
                 })
      .with(&Key::follows, {keys::backfill});
}

void check_reservation(const KeyValues& values) {
  const std::string backfill = keys::backfill.in(values);
  const bool bins = reservation.given_in(values) && reservation.in(values) == "bin";
  if (!bins || !reserves(backfill) || backfill == "easy") return;
  throw usage_error(fmt::format("{} = \"bin\" needs {} = \"easy\"", reservation.name, keys::backfill.name),
                    reservation.at(values).where, "use \"count\", or \"easy\"");
}

constexpr auto passes = keys::slurm_passes;

void check_passes(const KeyValues& values) {
  if (!passes.given_in(values) || passes.in(values) != "slurm" || keys::start.in(values) == "event") return;
  throw usage_error(fmt::format("{} = \"slurm\" needs {} = \"event\"", passes.name, keys::start.name),
                    passes.at(values).where, "use \"boundary\", or \"event\"");
}

void complete_policy(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
  complete_knowledge(values);
  if (locality().given_in(values)) {
    locality().complete(values);
  } else if (keys::penalty.given_in(values)) {
    values[keys::locality] = keys::penalty.at(values);
  } else {
    for (const std::string level : {".node", ".cabinet", ".cluster"}) {
      values[keys::locality.name + level] = values.at(keys::penalty.name + level);
    }
  }
  complete_scheduler(values);
  complete_params(policy_section, backfills().at(keys::backfill.in(values)), keys::backfill.at(values).where, values);
  complete_params(policy_section, orders().at(keys::order.in(values)), keys::order.at(values).where, values);
  complete_params(policy_section, placements().at(keys::placement.in(values)), keys::placement.at(values).where,
                  values);
  check_reservation(values);
  check_passes(values);
}

void bind_policy(const KeyValues& values, RunPlan& run) {
  run.policy.knowledge_params = param_values(policy_section, beliefs().at(run.policy.knowledge).params, values);
  run.policy.scheduler_params = param_values(policy_section, schedulers().at(run.policy.scheduler).params, values);
  run.policy.order_params = param_values(policy_section, orders().at(run.policy.order).params, values);
  run.policy.backfill_params = param_values(policy_section, backfills().at(run.policy.backfill).params, values);
  run.engine.limit_checks = backfill_of(run.policy)->limit_checks();
  run.engine.backfill = run.policy.backfill == "none" ? Backfill::none : Backfill::greedy;
  (void)orders().at(run.policy.order).make(run.policy.order_params);  // refuses what no type and range can
  run.policy.placement_params = param_values(policy_section, placements().at(run.policy.placement).params, values);
}

}  // namespace

void register_key_section_policy(KeySections& sections) {
  KeySection section{locality().keys(), complete_policy, bind_policy};
  const auto drawing = names_where(beliefs(), [](const Belief& belief) { return belief.draws; });
  const std::vector<Key> others = {
      Key::text(KeyType::system, keys::system, "", "none",
                "An axis of whole systems to compare: each a table of its name and keys of [policy], the same ones in "
                "all."),
      Key::choice(keys::scheduler, "", "Which jobs start, stop and move.", schedulers().names())
          .with(&Key::derived, "\"list\"")
          .sets(&RunPlan::policy, &PolicyOptions::scheduler),
      Key::choice(keys::order, "\"fifo\"", "Who is next.", orders().names())
          .sets(&RunPlan::policy, &PolicyOptions::order),
      Key::choice(keys::placement, "\"pal\"", "Which GPUs.", placements().names())
          .sets(&RunPlan::policy, &PolicyOptions::placement),
      Key::choice(keys::backfill, "\"none\"", "Whether jobs behind one that does not fit are tried.",
                  backfills().names())
          .sets(&RunPlan::policy, &PolicyOptions::backfill),
      with_reservations(
          Key::choice(reservation, "", "What easy keeps for a job: GPUs by their number, or of the fastest bins.")
              .sets_word({{"count", false}, {"bin", true}}, &RunPlan::engine, &EngineOptions::reserves_bins),
          "count")
          .used_where(plans, "no run has a policy.backfill with reservations"),
      with_reservations(
          Key::choice(keys::overrun, "", "A job that outlives its expected end goes on, or is killed.")
              .sets_word({{"extend", false}, {"kill", true}}, &RunPlan::engine, &EngineOptions::kills_overruns),
          "extend"),
      with_reservations(
          Key::choice(inflation, "",
                      "What estimates are multiplied by: nothing, or what the policies believe of slowdowns and "
                      "penalties, on average over the job's class or of the GPUs that it has.")
              .sets_word({{"none", EstimateInflation::none},
                          {"class-mean", EstimateInflation::class_mean},
                          {"placement", EstimateInflation::placement}},
                         &RunPlan::engine, &EngineOptions::inflation),
          "none"),
      Key::choice(keys::knowledge, "\"oracle\"", "What the policies believe the slowdowns to be.", beliefs().names())
          .sets(&RunPlan::policy, &PolicyOptions::knowledge),
      Key::choice("policy.knowledge_seed", "",
                  fmt::format("For knowledge {}: whether what is measured or drifted is drawn by cluster.seed or by "
                              "policy.seed.",
                              join(drawing, " and ")))
          .otherwise(fmt::format("\"cluster\", where knowledge is {}; \"policy\" for a table", join(drawing, " or ")),
                     usual_seed)
          .with(&Key::follows, {keys::knowledge, keys::source})
          .sets_word({{"cluster", true}, {"policy", false}}, &RunPlan::policy, &PolicyOptions::knowledge_by_cluster)
          .used_where(draws, fmt::format("no run has {} = {}", keys::knowledge.name, one_of(drawing))),
      Key::seed(keys::policy_seed, "Seed of policies that draw.").sets(&RunPlan::policy, &PolicyOptions::seed)};
  section.keys.insert(section.keys.end(), others.begin(), others.end());
  const auto of_beliefs = keys_of_choice(keys::knowledge, beliefs());
  section.keys.insert(section.keys.end(), of_beliefs.begin(), of_beliefs.end());
  sections.push_back(section);
}

}  // namespace palstudy
