// SPDX-License-Identifier: MIT
#include "variability/made_up.hpp"

namespace palstudy::made_up {

Measurements machine(const std::string& name, int first, int nodes, int gpus, double scale) {
  Measurements measured;
  measured.name = name;
  for (int h = first; h < first + nodes; ++h) {
    for (int l = gpus - 1; l >= 0; --l) {
      const std::string host = "host" + std::to_string(h);
      const double time = (1000 + 10 * h + l) * scale;
      measured.gpus.push_back({host + "-" + std::to_string(l), host, l, {time, time - scale, time + scale}, time});
    }
  }
  return measured;
}

Topology cluster(std::uint32_t nodes, std::uint32_t gpus) { return {std::vector{NodeGroup{nodes, gpus}}, 16}; }

}  // namespace palstudy::made_up
