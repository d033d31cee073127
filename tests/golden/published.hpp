// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "sim/simulation.hpp"
#include "variability/slowdowns.hpp"
#include "workload/model_table.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {

/// The published simulator's cluster of 64 GPUs with one of its traces, ready to run under any policy.
class Published {
 public:
  explicit Published(int trace)
      : topology_(std::vector<NodeGroup>{{16, 4}}, 16),
        truth_(read_slowdown_table(folder() / "cluster-64.csv", topology_)),
        bins_(truth_, {2, true}),
        workload_(read_trace(folder() / ("sia" + std::to_string(trace) + ".csv"), "native", ModelTable{})) {
    bind_classes(workload_, truth_.class_names(), "");
  }

  [[nodiscard]] RunResult run(const std::string& order, const std::string& placement, std::uint64_t seed) const {
    const LocalityPenalty penalty;
    EngineOptions engine;
    engine.completion = Completion::round;
    engine.sticky_victims = StickyVictims::stay_stopped;
    engine.starvation_s = 3600000;
    const auto order_policy = orders().at(order).make({});
    const auto placement_policy = placements().at(placement).make({topology_, bins_, penalty, seed}, {});
    return simulate({topology_, truth_, bins_, workload_, penalty, penalty, engine, {}, {}}, *order_policy,
                    *placement_policy);
  }

 private:
  static std::filesystem::path folder() { return std::filesystem::path(PALSTUDY_SOURCE_DIR) / "tests/golden/runs"; }

  Topology topology_;
  Slowdowns truth_;
  Bins bins_;
  Workload workload_;
};

}  // namespace palstudy
