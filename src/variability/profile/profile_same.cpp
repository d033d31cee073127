// SPDX-License-Identifier: MIT
#include "variability/profile/profile_same.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace palstudy {
namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}

bool same(const ProfileTelemetry& a, const ProfileTelemetry& b) {
  return a.t_ns == b.t_ns && a.reasons == b.reasons && same(a.sm_mhz, b.sm_mhz) && same(a.mem_mhz, b.mem_mhz) &&
         same(a.power_w, b.power_w) && same(a.temp_c, b.temp_c) && same(a.energy_j, b.energy_j);
}

auto texts(const ProfileGpu& g) {
  return std::tie(g.uuid, g.host, g.local, g.cabinet, g.name, g.pci_bus_id, g.serial, g.board_part, g.vbios, g.ecc,
                  g.mig, g.persistence, g.numa_node, g.multiprocessors);
}

}  // namespace

bool same(const ProfileGpu& a, const ProfileGpu& b) {
  return texts(a) == texts(b) && same(a.memory_bytes, b.memory_bytes) && same(a.power_limit_w, b.power_limit_w) &&
         same(a.power_limit_default_w, b.power_limit_default_w) && same(a.max_sm_mhz, b.max_sm_mhz) &&
         same(a.max_mem_mhz, b.max_mem_mhz);
}

bool same(const ProfileKernel& a, const ProfileKernel& b) {
  return std::tie(a.name, a.params, a.pipe) == std::tie(b.name, b.params, b.pipe) && same(a.flops, b.flops) &&
         same(a.bytes_least, b.bytes_least) && same(a.bytes_most, b.bytes_most);
}

bool same(const ProfileUtilization& a, const ProfileUtilization& b) {
  return a.application == b.application && a.launches == b.launches && same(a.duration_s, b.duration_s) &&
         same(a.u_dram, b.u_dram) && same(a.u_fu, b.u_fu) && same(a.u_fma, b.u_fma) && same(a.u_fp64, b.u_fp64) &&
         same(a.u_fp16, b.u_fp16) && same(a.u_alu, b.u_alu) && same(a.u_xu, b.u_xu) && same(a.u_tensor, b.u_tensor);
}

bool same_but_times(const ProfileSession& a, const ProfileSession& b) {
  const auto rest = [](const ProfileSession& s) {
    return std::tie(s.id, s.backend, s.driver, s.runtime, s.command_line, s.seed, s.ranks, s.solo, s.injected_slowdown,
                    s.protocol);
  };
  return rest(a) == rest(b);
}

bool same_but_indices(const ProfileRepeat& a, const ProfileRepeat& b) {
  return std::tie(a.repeat, a.launches, a.start_ns, a.flags, a.batch_ms) ==
             std::tie(b.repeat, b.launches, b.start_ns, b.flags, b.batch_ms) &&
         same(a.warm_up_s, b.warm_up_s) && same(a.host_s, b.host_s) && same(a.check_error, b.check_error) &&
         same(a.telemetry, b.telemetry);
}

bool same_but_indices(const ProfileTransfer& a, const ProfileTransfer& b) {
  return std::tie(a.kernel, a.level, a.path, a.ranks) == std::tie(b.kernel, b.level, b.path, b.ranks) &&
         same(a.bytes, b.bytes) && same(a.seconds, b.seconds) && same(a.check_error, b.check_error);
}

}  // namespace palstudy
