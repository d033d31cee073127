// SPDX-License-Identifier: MIT
#include "core/error.hpp"
#include "sim/scheduler/gavel/gavel_scheduler.hpp"

namespace palstudy {
namespace {

template <class Value>
struct GavelChoice {
  const char* name;
  Value value;
};

constexpr GavelChoice<ShareObjective> share_objectives[] = {{"max-min", ShareObjective::max_min},
                                                            {"water-filling", ShareObjective::water_filling},
                                                            {"sum", ShareObjective::sum},
                                                            {"makespan", ShareObjective::makespan},
                                                            {"ftf", ShareObjective::finish_time_fairness}};
constexpr GavelChoice<TypeRule> type_rules[] = {{"widest", TypeRule::widest}, {"joint", TypeRule::joint}};

template <class Choices>
auto gavel_choice(const Choices& choices, const ParamValues& params, const std::string& name) {
  std::string known;
  for (const auto& choice : choices) {
    if (params.text(name) == choice.name) return choice.value;
    known += std::string(known.empty() ? "" : ", ") + choice.name;
  }
  throw usage_error("unknown value \"" + params.text(name) + "\"", "policy." + name, "give one of " + known);
}

MakeScheduler make_gavel(bool nested) {
  return [nested](const SchedulerContext& context, const ParamValues& params) {
    const GavelOptions options{gavel_choice(share_objectives, params, "objective"), params.number("aware") != 0,
                               gavel_choice(type_rules, params, "types"), params.number("reset_s"), nested};
    return std::make_unique<GavelScheduler>(context, options);
  };
}

std::vector<Param> gavel_params() {
  return {{"objective", ParamType::text, "",
           "What shares of time are best for: max-min, water-filling, sum, makespan or ftf (finish-time fairness).",
           "\"max-min\""},
          {"aware", ParamType::boolean, "", "Whether it knows that types differ in speed.", "true"},
          {"types", ParamType::text, "",
           "What its types of GPUs are: the bins of the class with the widest spread of slowdowns, or joint: GPUs that "
           "share a bin in every class.",
           "\"widest\""},
          {"reset_s", ParamType::number, "s", "The least time between two solutions.", "1920", 0}};
}

}  // namespace

void register_scheduler_gavel(SchedulerRegistry& registry) {
  registry.add(
      {"gavel",
       "Gavel (OSDI'20) with bins as its types of GPUs: divides their time among all jobs by a linear program, "
       "each gang inside one bin.",
       gavel_params(), make_gavel(false)});
  registry.add({"gavel-nested", "Not published: Gavel where a gang may have GPUs of its bin and all faster ones.",
                gavel_params(), make_gavel(true)});
}

}  // namespace palstudy
