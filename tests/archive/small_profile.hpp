// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "variability/profile/profile.hpp"

namespace palstudy::test {

/// Two GPUs, two sessions, two kernels, nothing in the order of a file; written down by hand.
inline Profile small_profile() {
  Profile profile;
  profile.gpus.resize(2);
  profile.gpus[0].uuid = "GPU-b";
  profile.gpus[0].host = "n2";
  profile.gpus[0].local = 1;
  profile.gpus[0].power_limit_w = 300;
  profile.gpus[1].uuid = "GPU-a";
  profile.gpus[1].host = "n1";
  profile.gpus[1].local = 0;
  profile.gpus[1].name = "a GPU, \xc3\xa9";
  profile.sessions.resize(2);
  profile.sessions[0].id = "20260102T000000Z-0002";
  profile.sessions[0].backend = "cuda";
  profile.sessions[0].start = "2026-01-02T00:00:00Z";
  profile.sessions[0].solo = true;
  profile.sessions[1].id = "20260101T000000Z-0001";
  profile.sessions[1].backend = "cuda";
  profile.sessions[1].seed = -5;
  profile.kernels.resize(2);
  profile.kernels[0] = {"triad", "n = 8", "fp32", 16, 96, 96};
  profile.kernels[1] = {"sgemm", "n = 4", "fp32", 128, 192, std::numeric_limits<double>::quiet_NaN()};
  const auto add = [&](std::int32_t gpu, std::int32_t session, std::int32_t kernel, std::int32_t repeat,
                       std::vector<float> batches) {
    ProfileRepeat row;
    row.gpu = gpu;
    row.session = session;
    row.kernel = kernel;
    row.repeat = repeat;
    row.launches = 2;
    row.batch_ms = std::move(batches);
    profile.repeats.push_back(std::move(row));
  };
  add(1, 0, 0, 1, {4, 2, 3});
  add(1, 0, 0, 0, {4, 8});
  add(0, 1, 1, 0, {10.5F});
  add(0, 0, 0, 0, {6, 6, 6, 7});
  profile.repeats[0].flags = 8;
  profile.repeats[0].start_ns = 1767225600000000000;
  profile.repeats[0].telemetry = {{1, 2}, {1400, 1410}, {877, 877}, {250, 251}, {60, 61}, {10, 20}, {0, 4}};
  profile.transfers = {{1, "link", "node", "peer", 2, 1024, 1e-6, 0},
                       {0, "link", "cluster", "mpi-host", 2, 1024, std::numeric_limits<double>::quiet_NaN(), 0}};
  ProfileUtilization use;
  use.application = "bert";
  use.launches = 3;
  use.duration_s = 0.5;
  use.u_dram = 0.25;
  use.u_fu = use.u_tensor = 0.75;
  profile.utilization = {use};
  return profile;
}

}  // namespace palstudy::test
