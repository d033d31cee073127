// SPDX-License-Identifier: MIT
// The reader of slowdown tables: any text is either read or refused with an Error; what is read fits the cluster.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const palstudy::Topology topology(std::vector{palstudy::NodeGroup{2, 2}}, 16);
  try {
    const auto slowdowns =
        palstudy::parse_slowdown_table(std::string(reinterpret_cast<const char*>(data), size), "fuzzed.csv", topology);
    if (slowdowns.gpus() != topology.gpus() || slowdowns.classes() == 0) std::abort();
    for (std::size_t c = 0; c < slowdowns.classes(); ++c) {
      for (const double slowdown : slowdowns.of(palstudy::ClassId(c))) {
        if (!std::isfinite(slowdown) || slowdown <= 0) std::abort();
      }
    }
  } catch (const palstudy::Error&) {  // a refusal is what bad text should get
  }
  return 0;
}
