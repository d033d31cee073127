// SPDX-License-Identifier: MIT
#include "workload/synthetic/synthetic_trace.hpp"

namespace palstudy {
namespace {

Workload generate_trace_like(const std::string& numbers_file, const std::string& cluster,
                             const GeneratorContext& context, const ParamValues& params) {
  const auto numbers = read_trace_statistics(context.data_dir / numbers_file, cluster);
  Workload out = make_trace_like(numbers, trace_like_options(params), context);
  out.sources = {numbers_file};
  return out;
}

}  // namespace

void register_generator_trace_like(GeneratorRegistry& registry) {
  registry.add(
      {"philly",
       "Jobs like those of Microsoft's Philly cluster, on a cluster of any size: bursts, hours, weekdays, sizes, "
       "durations by size; a session's jobs are of one model, drawn uniformly from the table of models.",
       trace_like_params(), [](const GeneratorContext& context, const ParamValues& params) {
         return generate_trace_like("generators/philly.toml", "philly", context, params);
       }});
  auto params = trace_like_params();
  params.push_back({"trace_cluster", ParamType::text, "",
                    "Whose jobs: venus, earth, saturn, uranus, or all four together.", "\"all\""});
  params.back().choices = {"venus", "earth", "saturn", "uranus", "all"};
  registry.add({"helios",
                "Jobs like those of SenseTime's Helios clusters, wider than Philly's, on a cluster of any size: hours, "
                "weekends, sizes, durations by size; bursts and models as for philly.",
                params, [](const GeneratorContext& context, const ParamValues& values) {
                  return generate_trace_like("generators/helios.toml", values.text("trace_cluster"), context, values);
                }});
}

}  // namespace palstudy
