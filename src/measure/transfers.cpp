// SPDX-License-Identifier: MIT
#include "measure/transfers.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/numbers.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "kernels/transfer_buffer.hpp"
#include "parallel/agree.hpp"
#include "parallel/transfers.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

constexpr double absent = nan;

/// A GPU's memory, which MPI reaches itself or by way of the host.
class GpuMemory : public TransferMemory {
 public:
  GpuMemory(int device, std::size_t bytes, bool direct)
      : buffers_(make_device_buffers(device, bytes)), direct_(direct) {}
  [[nodiscard]] std::byte* sent() override { return at(Which::sent); }
  [[nodiscard]] std::byte* received() override { return at(Which::received); }
  void before_send(std::size_t bytes) override {
    if (!direct_) buffers_->to_host(Which::sent, bytes);
  }
  void after_receive(std::size_t bytes) override {
    if (!direct_) buffers_->to_device(Which::received, bytes);
  }
  void set(std::span<const float> values) override {
    std::copy(values.begin(), values.end(), reinterpret_cast<float*>(buffers_->on_host(Which::sent)));
    buffers_->to_device(Which::sent, values.size_bytes());
  }
  void get(std::span<float> values) override {
    buffers_->to_host(Which::received, values.size_bytes());
    const auto* got = reinterpret_cast<const float*>(buffers_->on_host(Which::received));
    std::copy(got, got + values.size(), values.begin());
  }

 private:
  using Which = DeviceBuffers::Which;
  std::byte* at(Which which) { return direct_ ? buffers_->on_device(which) : buffers_->on_host(which); }
  std::unique_ptr<DeviceBuffers> buffers_;
  bool direct_;
};

class Transfers {
 public:
  Transfers(const MeasurementSetup& setup, Mpi& mpi, std::vector<TransferGroup> groups,
            const std::function<void()>& stop)
      : setup_(setup),
        mpi_(mpi),
        groups_(std::move(groups)),
        stop_(stop),
        sizes_(transfer_sizes(setup.device.backend)) {}

  std::vector<ProfileTransfer> measure() {
    const bool gpus = setup_.device.backend == Backend::cuda;
    by_mpi("mpi-host", gpus, false);
    if (gpus) {
      const bool direct = mpi_.max(mpi_.started() && mpi_takes_device_memory() ? 0 : 1) == 0;
      direct ? by_mpi("mpi-device", true, true) : not_there("mpi-device");
      by_peer_copies();
    }
    std::vector<ProfileTransfer> transfers;
    for (const auto& [key, found] : found_) {
      const auto& [kernel, level, path, ranks, bytes] = key;
      transfers.push_back({0, kernel, level, path, static_cast<std::int64_t>(ranks), static_cast<double>(bytes),
                           found.seconds.empty() ? absent : median(found.seconds), found.error});
    }
    return transfers;
  }

 private:
  struct Found {
    std::vector<double> seconds;  // of each group
    double error = absent;        // the largest
  };

  void add(const TransferGroup& group, const std::string& path, std::size_t bytes, double seconds, double error) {
    Found& found = found_[{group.kernel, group.level, path, group.ranks.size(), bytes}];
    if (std::isnan(seconds)) return;
    found.seconds.push_back(seconds);
    found.error = std::isnan(found.error) ? error : std::max(found.error, error);
  }

  void by_mpi(const std::string& path, bool gpus, bool direct) {
    std::unique_ptr<TransferMemory> memory;
    on_all_ranks(mpi_, [&] {
      if (gpus) {
        memory = std::make_unique<GpuMemory>(setup_.device.device, sizes_.back(), direct);
      } else {
        memory = host_memory(sizes_.back());
      }
    });
    for (const TransferGroup& group : groups_) {
      stop_();
      for (const std::size_t bytes : sizes_) {
        const TransferTime time = group.kernel == "link"
                                      ? measure_link(mpi_, group.ranks[0], group.ranks[1], *memory, bytes)
                                      : measure_allreduce(mpi_, group.ranks, *memory, bytes);
        add(group, path, bytes, time.seconds, time.check_error);
      }
    }
  }

  void not_there(const std::string& path) {
    for (const TransferGroup& group : groups_) {
      for (const std::size_t bytes : sizes_) add(group, path, bytes, absent, absent);
    }
  }

  // The first rank of a pair copies and broadcasts the time.
  void by_peer_copies() {
    std::string all;
    for (const std::string& id : mpi_.gather(setup_.device.gpu.pci_bus_id + "\n")) all += id;
    all = mpi_.broadcast(all);
    std::vector<std::string> ids;
    for (std::size_t begin = 0, end = 0; (end = all.find('\n', begin)) != std::string::npos; begin = end + 1) {
      ids.push_back(all.substr(begin, end - begin));
    }
    for (const TransferGroup& group : groups_) {
      if (group.kernel != "link" || group.level != "node") continue;
      stop_();
      for (const std::size_t bytes : sizes_) {
        TransferTime time{absent, absent};
        on_all_ranks(mpi_, [&] {
          if (mpi_.rank() != group.ranks[0]) return;
          time.seconds = peer_copy_s(ids[static_cast<std::size_t>(group.ranks[0])],
                                     ids[static_cast<std::size_t>(group.ranks[1])], bytes, time.check_error);
        });
        mpi_.broadcast(std::span(&time, 1), group.ranks[0]);
        add(group, "peer", bytes, time.seconds, time.check_error);
      }
    }
  }

  const MeasurementSetup& setup_;
  Mpi& mpi_;
  std::vector<TransferGroup> groups_;
  const std::function<void()>& stop_;
  std::vector<std::size_t> sizes_;
  std::map<std::tuple<std::string, std::string, std::string, std::size_t, std::size_t>, Found> found_;
};

}  // namespace

WantedTransfers wanted_transfers(const MeasureOptions& options) {
  const auto named = [&](const char* name) {
    return options.all || std::ranges::find(options.kernels, name) != options.kernels.end();
  };
  return {named("link"), named("allreduce")};
}

std::vector<ProfileTransfer> measure_transfers(const MeasurementSetup& setup, const MeasureOptions& options, Mpi& mpi,
                                               const std::function<void()>& stop) {
  const WantedTransfers wanted = wanted_transfers(options);
  std::vector<std::string> cabinets;
  for (const RankPlace& place : setup.places) cabinets.push_back(cabinet_of(place.host, options.cabinet_regex));
  auto groups = groups_to_measure(setup.places, cabinets, wanted.link, wanted.allreduce, options.seed);
  if (mpi.rank() == 0) spdlog::info("transfers between {} groups of ranks, one at a time", groups.size());
  return Transfers(setup, mpi, std::move(groups), stop).measure();
}

namespace {

constexpr std::uint64_t no_repeat = std::uint64_t{1} << 32U;  // entities below are repeats of kernels
constexpr std::size_t pairs_of_level = 4, spread_most = 8;

class Groups {
 public:
  Groups(const std::vector<RankPlace>& places, const std::vector<std::string>& cabinets)
      : places_(places), cabinets_(cabinets) {
    for (std::size_t rank = 0; rank < places.size(); ++rank) by_host_[places[rank].host].push_back(int(rank));
  }

  [[nodiscard]] std::string level_of(const std::vector<int>& ranks) const {
    bool one_host = true, one_cabinet = true;
    const auto first = static_cast<std::size_t>(ranks.front());
    for (const int r : ranks) {
      const auto rank = static_cast<std::size_t>(r);
      one_host = one_host && places_[rank].host == places_[first].host;
      one_cabinet = one_cabinet && !cabinets_[rank].empty() && cabinets_[rank] == cabinets_[first];
    }
    return one_host ? "node" : one_cabinet ? "cabinet" : "cluster";
  }

  /// Partners drawn for ranks drawn, until each level has its pairs or has been looked for long enough.
  void add_pairs(std::uint64_t seed) {
    std::map<std::string, std::set<std::vector<int>>> pairs;
    RandomStream stream(seed, Purpose::kernel_order, no_repeat);
    const auto ranks = static_cast<std::uint32_t>(places_.size());
    const auto keep = [&](std::uint32_t a, std::uint32_t b) {
      const std::vector<int> pair = {int(std::min(a, b)), int(std::max(a, b))};
      auto& of_level = pairs[level_of(pair)];
      if (of_level.size() < pairs_of_level) of_level.insert(pair);
    };
    for (std::uint32_t tries = 0; ranks > 1 && tries < 64 * pairs_of_level; ++tries) {
      const std::uint32_t a = stream.below(ranks), b = stream.below(ranks);
      if (a != b) keep(a, b);
      // On a large machine two ranks drawn at random hardly ever share a host.
      const auto& host = by_host_.at(places_[a].host);
      const auto c = static_cast<std::uint32_t>(host[stream.below(static_cast<std::uint32_t>(host.size()))]);
      if (a != c) keep(a, c);
    }
    for (const auto& [level, of_level] : pairs) {
      for (const auto& pair : of_level) groups.push_back({"link", level, pair});
    }
  }

  void add_sums() {
    const auto largest = std::ranges::max_element(
        by_host_, [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    add_sum(largest->second, 2);
    add_sum(largest->second, largest->second.size());
    std::map<std::string, std::vector<int>> by_cabinet;
    std::vector<int> one_of_each;
    for (const auto& [host, ranks] : by_host_) {
      one_of_each.push_back(ranks.front());
      const std::string& cabinet = cabinets_[static_cast<std::size_t>(ranks.front())];
      if (!cabinet.empty()) by_cabinet[cabinet].push_back(ranks.front());
    }
    std::vector<int> in_cabinet;
    for (const auto& [cabinet, ranks] : by_cabinet) {
      if (ranks.size() > in_cabinet.size()) in_cabinet = ranks;
    }
    for (const auto& spread : {in_cabinet, far_apart(one_of_each)}) {
      add_sum(spread, 2);
      add_sum(spread, spread_most);
    }
    std::vector<int> all;
    for (std::size_t rank = 0; rank < places_.size(); ++rank) all.push_back(int(rank));
    add_sum(all, all.size());
  }

  std::vector<TransferGroup> groups;

 private:
  /// A first one of another cabinet second, so that two of them span the cluster.
  [[nodiscard]] std::vector<int> far_apart(std::vector<int> ranks) const {
    for (std::size_t i = 1; i < ranks.size(); ++i) {
      if (level_of({ranks[0], ranks[i]}) != "cluster") continue;
      std::swap(ranks[1], ranks[i]);
      break;
    }
    return ranks;
  }

  void add_sum(std::vector<int> ranks, std::size_t most) {
    ranks.resize(std::min(ranks.size(), most));
    if (ranks.size() < 2) return;
    std::ranges::sort(ranks);
    const auto same = [&](const TransferGroup& group) { return group.kernel == "allreduce" && group.ranks == ranks; };
    if (std::ranges::none_of(groups, same)) groups.push_back({"allreduce", level_of(ranks), ranks});
  }

  const std::vector<RankPlace>& places_;
  const std::vector<std::string>& cabinets_;
  std::map<std::string, std::vector<int>> by_host_;
};

}  // namespace

std::vector<TransferGroup> groups_to_measure(const std::vector<RankPlace>& places,
                                             const std::vector<std::string>& cabinets, bool link, bool allreduce,
                                             std::uint64_t seed) {
  Groups all(places, cabinets);
  if (link) all.add_pairs(seed);
  if (allreduce) all.add_sums();
  return all.groups;
}

std::vector<std::size_t> transfer_sizes(Backend backend) {
  std::vector<std::size_t> sizes;
  const std::size_t most = std::size_t{backend == Backend::cuda ? 256U : 4U} << 20U;
  for (std::size_t bytes = 4096; bytes <= most; bytes *= 4) sizes.push_back(bytes);
  return sizes;
}

}  // namespace palstudy
