// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "variability/profile/profile.hpp"

namespace palstudy::made_up {

/// A profile of `gpus` GPUs, four a host, in `sessions` sessions, without kernels.
inline Profile empty_profile(int gpus, int sessions) {
  Profile profile;
  for (int g = 0; g < gpus; ++g) {
    ProfileGpu gpu;
    gpu.uuid = "GPU-" + std::to_string(g);
    gpu.host = "node" + std::to_string(g / 4);
    gpu.local = g % 4;
    profile.gpus.push_back(gpu);
  }
  for (int s = 0; s < sessions; ++s) {
    ProfileSession session;
    session.id = "session" + std::to_string(s);
    profile.sessions.push_back(session);
  }
  return profile;
}

/// A kernel of such work, one size of it.
inline ProfileKernel kernel(const std::string& name, const std::string& pipe, double flops, double bytes_least,
                            double bytes_most) {
  ProfileKernel made;
  made.name = name;
  made.pipe = pipe;
  made.flops = flops;
  made.bytes_least = bytes_least;
  made.bytes_most = bytes_most;
  return made;
}

/// Adds the kernel and a repeat of it on each GPU in each session: a launch takes `seconds` x (1 + spread x (g - (n -
/// 1) / 2)) on GPU g of n. Batches of two launches: exact, and for the median's sake one faster and one slower.
inline void measure(Profile& profile, const ProfileKernel& kernel, double seconds, double spread = 0) {
  const auto place = static_cast<std::int32_t>(profile.kernels.size());
  profile.kernels.push_back(kernel);
  const auto gpus = static_cast<std::int32_t>(profile.gpus.size());
  for (std::int32_t g = 0; g < gpus; ++g) {
    const double factor = 1 + spread * (g - (gpus - 1) / 2.0);
    for (std::int32_t s = 0; s < static_cast<std::int32_t>(profile.sessions.size()); ++s) {
      ProfileRepeat repeat;
      repeat.gpu = g;
      repeat.session = s;
      repeat.kernel = place;
      repeat.launches = 2;
      for (const double wobble : {1.0, 0.9, 1.2}) {
        repeat.batch_ms.push_back(static_cast<float>(2e3 * seconds * factor * wobble));
      }
      profile.repeats.push_back(repeat);
    }
  }
}

}  // namespace palstudy::made_up
