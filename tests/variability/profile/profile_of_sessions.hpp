// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "variability/profile/profile.hpp"

namespace palstudy::made_up {

/// `nodes` nodes n0, n1, ... of `gpus` GPUs, each kernel measured `repeats` times on each in every session. GPU g took
/// 100 ms x (1 + g/100) x (1 + session/1000), three batches of two launches each: exact, a little less, a little more.
inline Profile profile_of(int nodes, int gpus, const std::vector<std::string>& sessions,
                          const std::vector<std::string>& kernels = {"sgemm", "transformer", "pagerank"},
                          int repeats = 3) {
  Profile to;
  for (int g = 0; g < nodes * gpus; ++g) {
    ProfileGpu gpu;
    gpu.uuid = "GPU-" + std::to_string(g);
    gpu.host = "n" + std::to_string(g / gpus);
    gpu.local = g % gpus;
    to.gpus.push_back(gpu);
  }
  for (const std::string& id : sessions) {
    ProfileSession session;
    session.id = id;
    session.backend = "cuda";
    to.sessions.push_back(session);
  }
  for (const std::string& name : kernels) {
    ProfileKernel kernel;
    kernel.name = name;
    kernel.params = "n = 1";
    to.kernels.push_back(kernel);
  }
  for (int k = 0; k < static_cast<int>(kernels.size()); ++k) {
    for (int g = 0; g < nodes * gpus; ++g) {
      for (int s = 0; s < static_cast<int>(sessions.size()); ++s) {
        for (int r = 0; r < repeats; ++r) {
          ProfileRepeat repeat;
          repeat.kernel = k;
          repeat.gpu = g;
          repeat.session = s;
          repeat.repeat = r;
          repeat.launches = 2;
          const float exact = 200.0F * (1.0F + 0.01F * static_cast<float>(g)) * (1.0F + 0.001F * static_cast<float>(s));
          repeat.batch_ms = {exact + 0.01F, exact, exact - 0.01F};
          to.repeats.push_back(repeat);
        }
      }
    }
  }
  return to;
}

}  // namespace palstudy::made_up
