// SPDX-License-Identifier: MIT
#include "measure/transfers.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "kernels/transfer_buffer.hpp"
#include "measure/transfer_groups.hpp"
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
    return options.all || std::find(options.kernels.begin(), options.kernels.end(), name) != options.kernels.end();
  };
  return {named("link"), named("allreduce")};
}

std::vector<ProfileTransfer> measure_transfers(const MeasurementSetup& setup, const MeasureOptions& options, Mpi& mpi,
                                               const std::function<void()>& stop) {
  const WantedTransfers wanted = wanted_transfers(options);
  std::vector<std::string> cabinets;
  for (const RankPlace& place : setup.places) cabinets.push_back(cabinet_of(place.host, options.cabinet_regex));
  auto groups = transfer_groups(setup.places, cabinets, wanted.link, wanted.allreduce, options.seed);
  if (mpi.rank() == 0) spdlog::info("transfers between {} groups of ranks, one at a time", groups.size());
  return Transfers(setup, mpi, std::move(groups), stop).measure();
}

}  // namespace palstudy
