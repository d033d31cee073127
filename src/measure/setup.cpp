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
#include "measure/core_share.hpp"
#include "measure/device_benchmark.hpp"
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
  if (!options.plant.empty() && !host) {
    throw usage_error("only CPU cores can be slowed on purpose", "--plant", "add --backend host");
  }
  if (options.hosts_of > 0 && !host) {
    throw usage_error("only CPU cores can pose as those of other hosts", "--hosts-of", "add --backend host");
  }
  if (options.all && !options.kernels.empty()) {
    throw usage_error("--all and --kernel exclude each other", "--kernel", "leave one out");
  }
}

/// What all know of all: a line for each rank, with its place and device.
void exchange_places(Crew& crew, Mpi& mpi) {
  std::string all;
  for (const auto& text :
       mpi.gather(fmt::format("{}\t{}\t{}\t{}\n", crew.place.host, crew.place.local, getpid(), crew.device.gpu.uuid))) {
    all += text;
  }
  std::istringstream lines(mpi.broadcast(all));
  for (std::string host, local, process, uuid; std::getline(lines, host, '\t');) {
    std::getline(lines, local, '\t');
    std::getline(lines, process, '\t');
    std::getline(lines, uuid);
    crew.places.push_back({host, std::stoi(local)});
    crew.uuids.push_back(uuid);
    if (host == crew.place.host) crew.processes.push_back(static_cast<unsigned>(std::stoul(process)));
    crew.turns = std::max(crew.turns, crew.places.back().local + 1);
  }
}

std::vector<std::string> describe(const Crew& crew, const MeasureOptions& options) {
  std::vector<std::string> what = {
      "backend = " + backend_name(crew.device.backend),
      "protocol: " + protocol_text(crew.protocol, crew.device.backend, options.telemetry_hz),
      fmt::format("seed = {}", options.seed),
      fmt::format("solo = {}", options.solo),
      fmt::format("hosts_of = {}", options.hosts_of),
      "session = " + options.session};
  for (const ChosenKernel& kernel : crew.kernels) {
    what.push_back("kernel " + kernel.record.name + ": " + kernel.record.params);
  }
  const WantedTransfers transfers = wanted_transfers(options);
  what.push_back(fmt::format("link = {}, allreduce = {}", transfers.link, transfers.allreduce));
  what.push_back("cabinet_regex = " + options.cabinet_regex);
  what.push_back(options.plant.empty() ? "plant: none" : "plant: " + sha256_file(options.plant));
  return what;
}

/// All at once, as they will measure; one at a time (--solo) only others are in the way, and rank 0 stands for all.
double least_core_share(Mpi& mpi, bool solo) {
  mpi.barrier([] {});
  const double share = solo && mpi.rank() != 0 ? 1 : core_share(0.1, 2);
  mpi.barrier([] {});  // asleep, so that who is done first leaves the others their cores
  return 1 / (static_cast<double>(mpi.max(std::llround(1e6 / share))) * 1e-6);
}

}  // namespace

std::string duration_text(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s", std::ceil(seconds)) : fmt::format("{:.1f} min", seconds / 60);
}

Crew gather_crew(const MeasureOptions& options, Mpi& mpi) {
  Crew crew;
  on_rank_0(mpi, [&] { check_options(options); });
  crew.ranks_on_host = mpi.ranks_on_host();
  crew.place = rank_place(mpi.rank(), mpi.rank_on_host(), host_name(), options.hosts_of);
  on_all_ranks(mpi, [&] { crew.device = find_device(options, crew.place); });
  exchange_places(crew, mpi);
  on_rank_0(mpi, [&] { require_distinct(crew.uuids, crew.places); });
  on_all_ranks(mpi, [&] {
    crew.kernels = choose_kernels(options, crew.device.backend);
    // With --all a kernel that does not fit is left out when its turn comes.
    const double room_bytes = memory_of_rank(crew.device, crew.ranks_on_host);
    for (const ChosenKernel& kernel : crew.kernels) {
      if (!options.all) require_room(kernel, room_bytes);
    }
    crew.protocol = changed_protocol(crew.device.backend, options.protocol);
    if (!options.plant.empty()) crew.plant = Plant::read(options.plant, crew.places, names_of(crew.kernels));
    crew.what = describe(crew, options);
  });
  if (crew.device.backend == Backend::host) crew.core_share = least_core_share(mpi, options.solo);
  on_rank_0(mpi, [&] {
    if (crew.kernels.empty() && crew.places.size() < 2) {
      throw usage_error("one rank has nobody to move data to", "--kernel", "start a rank for each of several GPUs");
    }
  });
  return crew;
}

TimeNeeded time_needed(const Crew& crew, const MeasureOptions& options) {
  if (crew.kernels.empty()) return {};  // transfers alone
  const double factor = (options.solo ? crew.turns : 1) / crew.core_share;
  // Arrays are filled once and checked at every repeat, at about 1 GB/s of a host core.
  double bytes = 0;
  for (const ChosenKernel& kernel : crew.kernels) bytes += static_cast<double>(kernel.bytes);
  const double filled_s = bytes * 1e-9 * static_cast<double>(1 + crew.protocol.repeats);
  const double all = estimate_s(crew.protocol, crew.kernels.size()) + filled_s;
  const auto repeats = static_cast<double>(crew.kernels.size() * crew.protocol.repeats);
  const auto reruns = static_cast<double>(reruns_of_gpu(crew.kernels.size(), crew.protocol.repeats));
  return {factor * all, factor * all / repeats * reruns, factor * all / repeats};
}

std::string crew_text(const Crew& crew, const MeasureOptions& options) {
  std::map<std::string, int> hosts;
  for (const RankPlace& place : crew.places) ++hosts[place.host];
  std::string text =
      fmt::format("{} on {}, ", counted(crew.places.size(), crew.device.backend == Backend::cuda ? "GPU" : "CPU core"),
                  counted(hosts.size(), "host"));
  if (crew.kernels.empty()) {
    text += "transfers between them, no kernel";
  } else {
    const TimeNeeded time = time_needed(crew, options);
    text += fmt::format(
        "{} kernels, {} repeats of each: up to {}, and up to {} more for repeats that have to be done again",
        crew.kernels.size(), crew.protocol.repeats, duration_text(time.measuring_s), duration_text(time.reruns_s));
  }
  if (crew.core_share < 0.8) {
    text += fmt::format(
        "; a rank gets {:.2g} of a core now, since ranks or other programs share them, which shows in the "
        "flags",
        crew.core_share);
  }
  return text;
}

}  // namespace palstudy
