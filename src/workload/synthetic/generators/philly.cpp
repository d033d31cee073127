// SPDX-License-Identifier: MIT
#include "workload/synthetic/synthetic_trace.hpp"

namespace palstudy {
namespace {

constexpr auto philly_numbers = "generators/philly.toml";

Workload generate_philly(const GeneratorContext& context, const ParamValues& params) {
  const auto numbers = read_trace_statistics(context.data_dir / philly_numbers, "philly");
  Workload out = make_trace_like(numbers, trace_like_options(params), context);
  out.sources = {philly_numbers};
  return out;
}

}  // namespace

void register_generator_philly(GeneratorRegistry& registry) {
  registry.add(
      {"philly",
       "Jobs like those of Microsoft's Philly cluster, on a cluster of any size: bursts, hours, weekdays, sizes, "
       "durations by size; a session's jobs are of one model, drawn uniformly from the table of models.",
       trace_like_params(), generate_philly});
}

}  // namespace palstudy
