// SPDX-License-Identifier: MIT
#include "workload/synthetic/synthetic_trace.hpp"

namespace palstudy {
namespace {

constexpr auto helios_numbers = "generators/helios.toml";

Workload generate_helios(const GeneratorContext& context, const ParamValues& params) {
  const auto numbers = read_trace_statistics(context.data_dir / helios_numbers, params.text("trace_cluster"));
  Workload out = make_trace_like(numbers, trace_like_options(params), context);
  out.sources = {helios_numbers};
  return out;
}

}  // namespace

void register_generator_helios(GeneratorRegistry& registry) {
  auto params = trace_like_params();
  params.push_back({"trace_cluster", ParamType::text, "",
                    "Whose jobs: venus, earth, saturn, uranus, or all four together.", "\"all\""});
  params.back().choices = {"venus", "earth", "saturn", "uranus", "all"};
  registry.add({"helios",
                "Jobs like those of SenseTime's Helios clusters, wider than Philly's, on a cluster of any size: hours, "
                "weekends, sizes, durations by size; bursts and models as for philly.",
                params, generate_helios});
}

}  // namespace palstudy
