// SPDX-License-Identifier: MIT
#include "measure/setup.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/host.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "measure/completed_repeats.hpp"
#include "measure/device_benchmark.hpp"
#include "measure/devices.hpp"
#include "measure/transfers.hpp"
#include "parallel/agree.hpp"

namespace palstudy {
namespace {

std::vector<std::string> names_of(const std::vector<ChosenKernel>& kernels) {
  std::vector<std::string> names;
  for (const ChosenKernel& kernel : kernels) names.push_back(kernel.record.name);
  return names;
}

void check_options(const MeasureOptions& options) {
  const bool host = options.backend == Backend::host;
  if (!options.injected_slowdown.empty() && !host) {
    throw usage_error("only CPU cores can be slowed on purpose", "--inject-slowdown", "add --backend host");
  }
  if (options.hosts_of > 0 && !host) {
    throw usage_error("only CPU cores can pose as those of other hosts", "--hosts-of", "add --backend host");
  }
  if (options.all && !options.kernels.empty()) {
    throw usage_error("--all and --kernel exclude each other", "--kernel", "leave one out");
  }
}

/// Gathers the place and device of every rank, a line each, and broadcasts them.
void exchange_places(MeasurementSetup& setup, Mpi& mpi) {
  std::string all;
  for (const auto& text : mpi.gather(
           fmt::format("{}\t{}\t{}\t{}\n", setup.place.host, setup.place.local, getpid(), setup.device.gpu.uuid))) {
    all += text;
  }
  std::istringstream lines(mpi.broadcast(all));
  for (std::string host, local, process, uuid; std::getline(lines, host, '\t');) {
    std::getline(lines, local, '\t');
    std::getline(lines, process, '\t');
    std::getline(lines, uuid);
    setup.places.push_back({host, std::stoi(local)});
    setup.uuids.push_back(uuid);
    if (host == setup.place.host) setup.processes.push_back(static_cast<unsigned>(std::stoul(process)));
    setup.max_ranks_on_host = std::max(setup.max_ranks_on_host, setup.places.back().local + 1);
  }
}

std::vector<std::string> describe(const MeasurementSetup& setup, const MeasureOptions& options) {
  std::vector<std::string> what = {
      "backend = " + backend_name(setup.device.backend),
      "protocol: " + protocol_text(setup.protocol, setup.device.backend, options.telemetry_hz),
      fmt::format("seed = {}", options.seed),
      fmt::format("solo = {}", options.solo),
      fmt::format("hosts_of = {}", options.hosts_of),
      "session = " + options.session};
  for (const ChosenKernel& kernel : setup.kernels) {
    what.push_back("kernel " + kernel.record.name + ": " + kernel.record.params);
  }
  const WantedTransfers transfers = wanted_transfers(options);
  what.push_back(fmt::format("link = {}, allreduce = {}", transfers.link, transfers.allreduce));
  what.push_back("cabinet_regex = " + options.cabinet_regex);
  what.push_back(options.injected_slowdown.empty() ? "plant: none"
                                                   : "plant: " + sha256_file(options.injected_slowdown));
  return what;
}

/// All at once, as they will measure; one at a time (--solo) only others are in the way, and rank 0 stands for all.
double least_core_share(Mpi& mpi, bool solo) {
  mpi.barrier([] {});
  const double share = solo && mpi.rank() != 0 ? 1 : core_share(0.1, 2);
  mpi.barrier([] {});  // asleep, so that ranks that are done leave the others their cores
  return 1 / (static_cast<double>(mpi.max(std::llround(1e6 / share))) * 1e-6);
}

}  // namespace

MeasurementSetup collect_setup(const MeasureOptions& options, Mpi& mpi) {
  MeasurementSetup setup;
  on_rank_0(mpi, [&] { check_options(options); });
  setup.ranks_on_host = mpi.ranks_on_host();
  setup.place = rank_place(mpi.rank(), mpi.rank_on_host(), host_name(), options.hosts_of);
  on_all_ranks(mpi, [&] { setup.device = find_device(options, setup.place); });
  exchange_places(setup, mpi);
  on_rank_0(mpi, [&] { require_distinct(setup.uuids, setup.places); });
  on_all_ranks(mpi, [&] {
    setup.kernels = choose_kernels(options, setup.device.backend);
    // With --all a kernel that does not fit is left out when its turn comes.
    const double memory_bytes = memory_of_rank(setup.device, setup.ranks_on_host);
    for (const ChosenKernel& kernel : setup.kernels) {
      if (!options.all) require_memory(kernel, memory_bytes);
    }
    setup.protocol = changed_protocol(setup.device.backend, options.protocol);
    if (!options.injected_slowdown.empty())
      setup.injected_slowdown =
          InjectedSlowdown::read(options.injected_slowdown, setup.places, names_of(setup.kernels));
    setup.what = describe(setup, options);
  });
  if (setup.device.backend == Backend::host) setup.core_share = least_core_share(mpi, options.solo);
  on_rank_0(mpi, [&] {
    if (setup.kernels.empty() && setup.places.size() < 2) {
      throw usage_error("one rank alone has no partner for transfers", "--kernel",
                        "start a rank for each of several GPUs");
    }
  });
  return setup;
}

TimeNeeded time_needed(const MeasurementSetup& setup, const MeasureOptions& options) {
  if (setup.kernels.empty()) return {};  // transfers alone
  const double factor = (options.solo ? setup.max_ranks_on_host : 1) / setup.core_share;
  // Arrays are filled once and checked at every repeat, at about 1 GB/s of a host core.
  double bytes = 0;
  for (const ChosenKernel& kernel : setup.kernels) bytes += static_cast<double>(kernel.bytes);
  const double filled_s = bytes * 1e-9 * static_cast<double>(1 + setup.protocol.repeats);
  const double all = estimate_s(setup.protocol, setup.kernels.size()) + filled_s;
  const auto repeats = static_cast<double>(setup.kernels.size() * setup.protocol.repeats);
  const auto reruns = static_cast<double>(reruns_of_gpu(setup.kernels.size(), setup.protocol.repeats));
  return {factor * all, factor * all / repeats * reruns, factor * all / repeats};
}

std::string setup_text(const MeasurementSetup& setup, const MeasureOptions& options) {
  std::map<std::string, int> hosts;
  for (const RankPlace& place : setup.places) ++hosts[place.host];
  std::string text = fmt::format(
      "{} on {}, ", counted(setup.places.size(), setup.device.backend == Backend::cuda ? "GPU" : "CPU core"),
      counted(hosts.size(), "host"));
  if (setup.kernels.empty()) {
    text += "transfers between them, no kernel";
  } else {
    const TimeNeeded time = time_needed(setup, options);
    text += fmt::format("{}, {} of each: up to {}, and {} more if repeats are done again",
                        counted(setup.kernels.size(), "kernel"), counted(setup.protocol.repeats, "repeat"),
                        duration_text(time.measuring_s), duration_text(time.reruns_s));
  }
  return text;
}

}  // namespace palstudy
