// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "sim/scheduler/gavel/gavel_scheduler.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

constexpr std::array type_rule_names = {"widest", "joint"};  // by TypeRule
static_assert(std::size_t(TypeRule::widest) == 0 && std::size_t(TypeRule::joint) == 1);

/// The place of a value among its choices, as a value of the enumeration.
template <class Enum, std::size_t n>
Enum named(const std::array<const char*, n>& choices, const std::string& name) {
  const auto place = std::find(choices.begin(), choices.end(), name);
  if (place == choices.end()) throw fault("an unknown value of a parameter: " + name);
  return static_cast<Enum>(place - choices.begin());
}

/// It plans by shares of time.
MakeScheduler make_gavel(bool nested) {
  const auto make = [nested](const SchedulerContext& context, const ParamValues& params) {
    const GavelOptions options{named<ShareObjective>(share_objective_names, params.text("objective")),
                               params.number("aware") != 0, named<TypeRule>(type_rule_names, params.text("types")),
                               params.number("reset_s"), nested};
    return std::make_unique<GavelScheduler>(context, options);
  };
  return {make, false};
}

std::vector<Param> gavel_params() {
  Param objective{"objective", ParamType::text, "", "What the shares of time optimise; ftf is finish-time fairness.",
                  "\"max-min\""};
  objective.choices.assign(share_objective_names.begin(), share_objective_names.end());
  Param types{"types", ParamType::text, "",
              "What its types of GPUs are: the bins of the class with the widest spread of slowdowns, or joint: GPUs "
              "that share a bin in every class.",
              "\"widest\""};
  types.choices.assign(type_rule_names.begin(), type_rule_names.end());
  return {objective,
          {"aware", ParamType::boolean, "", "Whether it knows that types differ in speed.", "true"},
          types,
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
