// SPDX-License-Identifier: MIT
#include "measure/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <regex>

#include "core/error.hpp"
#include "core/host.hpp"
#include "kernels/static_record.hpp"

namespace palstudy {

namespace {

MeasuredDevice core_of(const RankPlace& place) {
  const DeviceInfo info = device_info(Backend::host, 0);
  MeasuredDevice found;
  found.gpu.uuid = fmt::format("host-{}-{}", place.host, place.local);
  found.gpu.name = info.name;
  found.gpu.multiprocessors = 1;
  found.gpu.memory_bytes = info.memory_bytes;
  return found;
}

MeasuredDevice gpu_of(const RankPlace& place, int visible) {
  MeasuredDevice found;
  found.backend = Backend::cuda;
  found.visible = visible;
  found.device = choose_device(place.local, visible);
  const DeviceInfo info = device_info(Backend::cuda, found.device);
  const StaticRecord record = read_static_record(info.pci_bus_id);
  ProfileGpu& gpu = found.gpu;
  gpu.uuid = info.uuid;
  gpu.name = info.name;
  gpu.pci_bus_id = info.pci_bus_id;
  gpu.multiprocessors = info.multiprocessors;
  gpu.memory_bytes = info.memory_bytes;
  gpu.serial = record.serial;
  gpu.board_part = record.board_part;
  gpu.vbios = record.vbios;
  gpu.ecc = record.ecc;
  gpu.mig = record.mig;
  gpu.persistence = record.persistence;
  gpu.numa_node = record.numa_node;
  gpu.power_limit_w = record.power_limit_w;
  gpu.power_limit_default_w = record.power_limit_default_w;
  gpu.max_sm_mhz = record.max_sm_mhz;
  gpu.max_mem_mhz = record.max_mem_mhz;
  found.driver = record.driver.empty() ? info.driver : record.driver;
  found.runtime = info.runtime;
  found.in_use = record.in_use;
  for (const std::string& remark : record.remarks) found.remarks += remark + "\n";
  return found;
}

}  // namespace

int choose_device(int local, int visible) { return visible > 0 ? local % visible : 0; }

RankPlace rank_place(int rank, int rank_on_host, const std::string& host, int hosts_of) {
  if (hosts_of <= 0) return {host, rank_on_host};
  return {fmt::format("pretended-{}", rank / hosts_of), rank % hosts_of};
}

MeasuredDevice find_device(const MeasureOptions& options, const RankPlace& place) {
  const int visible = options.backend == Backend::host ? 0 : cuda_devices();
  const Backend backend = options.backend.value_or(Backend::cuda);
  if (backend == Backend::cuda && visible == 0) {
    throw usage_error("this process sees no GPU", "--backend",
                      "run where there is one and its driver is loaded, with a build that has CUDA; or measure CPU "
                      "cores with --backend host");
  }
  MeasuredDevice found = backend == Backend::host ? core_of(place) : gpu_of(place, visible);
  found.gpu.host = place.host;
  found.gpu.local = place.local;
  found.gpu.cabinet = cabinet_of(place.host, options.cabinet_regex);
  if (found.gpu.mig == "on" && !options.allow_mig) {
    throw usage_error(fmt::format("GPU {} on {} is cut into instances (MIG)", found.gpu.uuid, place.host), "",
                      "an instance shares clocks and power with others, so its time is not that of the GPU; take a "
                      "whole GPU, or measure it all the same with --allow-mig");
  }
  return found;
}

std::string cabinet_of(const std::string& host, const std::string& regex) {
  if (regex.empty()) return "";
  std::smatch match;
  try {
    if (!std::regex_search(host, match, std::regex(regex))) return "";
  } catch (const std::regex_error&) {
    throw usage_error("\"" + regex + "\" is no regular expression", "--cabinet-regex",
                      "for hosts such as c101-021, '^c[0-9]+' or '^(c[0-9]+)-' makes cabinets c101");
  }
  return match.size() > 1 ? match[1].str() : match[0].str();
}

void require_distinct(const std::vector<std::string>& uuids, const std::vector<RankPlace>& places) {
  std::map<std::string, std::size_t> first;
  for (std::size_t rank = 0; rank < uuids.size(); ++rank) {
    const auto [place, fresh] = first.try_emplace(uuids[rank], rank);
    if (fresh) continue;
    throw usage_error(fmt::format("ranks {} and {} would both measure {} on host {}", place->second, rank, uuids[rank],
                                  places.at(rank).host),
                      "",
                      "start as many ranks on a host as it has GPUs: srun --ntasks-per-node=N with --gpu-bind=none or "
                      "--gpus-per-task=1, or mpirun --map-by ppr:N:node");
  }
}

double core_share(double cpu_s, double most_s) {
  using Clock = std::chrono::steady_clock;
  const double cpu_begin = processor_s();
  const auto begin = Clock::now();
  double cpu = 0, passed = 0;
  while (cpu < cpu_s && passed < most_s) {
    cpu = processor_s() - cpu_begin;
    passed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return std::clamp(cpu / std::max(passed, 1e-9), 1e-3, 1.0);
}

}  // namespace palstudy
