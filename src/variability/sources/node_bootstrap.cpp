// SPDX-License-Identifier: MIT
#include "variability/sources/node_bootstrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "stats/descriptive.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/reliability.hpp"
#include "variability/sources/smoothing.hpp"
#include "variability/sources/source_nodes.hpp"
#include "variability/sources/variates.hpp"

namespace palstudy {
namespace {

// Draws of one node: `index` of a stream, by kernel.
constexpr std::uint32_t draws_per_kernel = 64;  // GPUs by fours, then at 32 the measured nodes side by side
constexpr std::uint32_t node_draws = 32;
static_assert(max_gpus_per_node <= node_draws);

/// The most common number of measured GPUs on a host; the larger of two. 0 if no host is known.
std::uint32_t usual_size(const Measurements& measured) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (const auto& [host, size] : gpus_by_host(measured)) ++sizes[size];
  std::uint32_t usual = 0;
  for (const auto& [size, count] : sizes) usual = usual == 0 || count >= sizes[usual] ? size : usual;
  return usual;
}

double usual_runs(const Measurements& measured) {
  std::vector<double> counts;
  for (const auto& gpu : measured.gpus) counts.push_back(static_cast<double>(gpu.times_ms.size()));
  return median(std::move(counts));
}

/// Log slowdowns of the donors' GPUs, by host.
std::vector<std::vector<double>> logs_by_host(const std::vector<double>& slowdowns, const Donors& donors,
                                              const std::vector<std::string>& hosts) {
  std::vector<std::vector<double>> logs;
  for (const std::string& host : hosts) {
    logs.emplace_back();
    for (const std::size_t gpu : donors.at(host).gpus) logs.back().push_back(std::log(slowdowns[gpu]));
  }
  return logs;
}

std::vector<double> shrunk(const std::vector<std::vector<double>>& nodes, const Smoothing& smoothing) {
  std::vector<double> logs;
  for (const auto& node : nodes) {
    for (const double log : node) logs.push_back(smoothing.shrunk(log));
  }
  return logs;
}

std::string size_note(const std::string& kernel, std::uint32_t node_size, std::uint32_t donor_size) {
  if (node_size < donor_size) {
    return fmt::format("{}: a node of {} GPUs takes that many of a measured node of {}, from a random slot on", kernel,
                       node_size, donor_size);
  }
  return fmt::format(
      "{}: a node of {} GPUs is {} measured nodes of {}, drawn apart, side by side: a node fault hits "
      "{} of its GPUs",
      kernel, node_size, (node_size + donor_size - 1) / donor_size, donor_size, donor_size);
}

/// Noise for four GPUs, or for the node.
std::array<double, 4> four_normals(const std::array<std::uint32_t, 4>& words) {
  const auto a = normals_of(words[0], words[1]);
  const auto b = normals_of(words[2], words[3]);
  return {a[0], a[1], b[0], b[1]};
}

}  // namespace

Donors block_donors(const Measurements& measured, std::uint32_t node_size, std::uint32_t& donor_size) {
  donor_size = node_size;
  Donors donors = donor_hosts(measured, node_size);
  if (donors.size() >= least_joint_nodes) return donors;
  const std::uint32_t usual = usual_size(measured);
  if (usual == 0) {
    throw data_error("no GPU's node is known, so there are no nodes to draw", measured.name,
                     "use source = \"bootstrap\", or a profile that names hosts");
  }
  Donors of_usual = donor_hosts(measured, usual);
  if (of_usual.size() <= donors.size()) return donors;
  donor_size = usual;
  return of_usual;
}

namespace {

/// The donors of one kernel, by `donor * size + slot`: shrunk log slowdowns, not smoothed yet, and the measured GPUs.
struct BlockPool {
  std::uint32_t size = 0;
  std::vector<double> logs;
  SourceGpus gpus;
  Smoothing smoothing;
  [[nodiscard]] std::uint32_t donors() const { return static_cast<std::uint32_t>(logs.size() / size); }
};
/// The donors of nodes of one size, by kernel.
struct BlockPools {
  std::vector<BlockPool> of_kernel;
  bool joint = false;
};

class BlockCluster {
 public:
  /// `topology` must outlive it.
  BlockCluster(const ClassMeasurements& classes, const Topology& topology, std::uint64_t seed, RunsUsed runs);

  [[nodiscard]] DrawnCluster drawn(const std::function<void(std::size_t, std::size_t)>& told) const;
  [[nodiscard]] SourceGpus sources() const;

 private:
  BlockPools make_pools(const std::vector<Kernel>& kernels, std::uint32_t node_size, RunsUsed runs);
  template <class Use>
  void draw_node(std::uint32_t node, std::uint32_t size, std::size_t kernel, Use use) const;
  void fill_node(std::uint32_t node, std::uint32_t size, std::size_t kernel, double* out) const;

  const Topology& topology_;
  std::uint64_t seed_;
  std::vector<std::string> class_names_;
  std::vector<std::size_t> kernel_of_class_;
  std::vector<BlockPools> of_size_;  // by GPUs of a node; empty for sizes that the cluster does not have
  std::vector<std::string> notes_;
};

BlockCluster::BlockCluster(const ClassMeasurements& classes, const Topology& topology, std::uint64_t seed,
                           RunsUsed runs)
    : topology_(topology), seed_(seed), of_size_(topology.widest_node() + 1) {
  for (const auto& [name, measured] : classes) class_names_.push_back(name);
  const auto kernels = distinct_kernels(classes, runs);
  kernel_of_class_ = kernel_of_class(classes, kernels);
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const std::uint32_t size = topology.gpus_of(NodeId(node));
    if (of_size_[size].of_kernel.empty()) of_size_[size] = make_pools(kernels, size, runs);
  }
}

BlockPools BlockCluster::make_pools(const std::vector<Kernel>& kernels, std::uint32_t node_size, RunsUsed runs) {
  std::vector<Donors> donors;
  std::vector<std::uint32_t> sizes(kernels.size());
  std::vector<const Donors*> all;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    donors.push_back(block_donors(*kernels[k].measured, node_size, sizes[k]));
  }
  for (const Donors& of_kernel : donors) all.push_back(&of_kernel);
  const auto common = common_hosts(all);
  const bool same_size = std::ranges::all_of(sizes, [&](std::uint32_t size) { return size == sizes[0]; });
  BlockPools pools;
  pools.joint = kernels.size() > 1 && same_size && common.size() >= least_joint_nodes;
  const auto note = [&](std::string sentence) {
    if (std::ranges::find(notes_, sentence) == notes_.end()) notes_.push_back(std::move(sentence));
  };
  if (kernels.size() > 1) note(joint_note(kernels, pools.joint, common.size(), sizes.front()));
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const Measurements& measured = *kernels[k].measured;
    const auto hosts = pools.joint ? common : common_hosts({&donors[k]});
    std::vector<std::string> own;
    note_donors(measured, donors[k], hosts, pools.joint, sizes[k], own);
    for (auto& sentence : own) note(std::move(sentence));
    if (sizes[k] != node_size) note(size_note(measured.name, node_size, sizes[k]));
    // The smoothing is that of all runs, so that both halves of the runs get the same.
    const double noise = runs == RunsUsed::all ? run_spread(measured) : 0;
    const auto of_all = logs_by_host(measured_gpu_slowdowns(measured, RunsUsed::all), donors[k], hosts);
    BlockPool pool{sizes[k], {}, {}, choose_smoothing(of_all, noise, usual_runs(measured))};
    for (const std::string& host : hosts) {
      const auto& gpus = donors[k].at(host).gpus;
      pool.gpus.insert(pool.gpus.end(), gpus.begin(), gpus.end());
    }
    pool.logs = shrunk(logs_by_host(kernels[k].slowdowns, donors[k], hosts), pool.smoothing);
    pools.of_kernel.push_back(std::move(pool));
  }
  return pools;
}

/// `use(side, begin, end, donor, slot)` for each measured node of the node, side by side: its GPUs [begin, end) are
/// those of the donor, which is a place in the vectors of its pool, from the slot on, going round.
template <class Use>
void BlockCluster::draw_node(std::uint32_t node, std::uint32_t size, std::size_t kernel, Use use) const {
  const BlockPools& pools = of_size_[size];
  const BlockPool& pool = pools.of_kernel[kernel];
  const std::uint32_t stream = pools.joint ? 0 : static_cast<std::uint32_t>(kernel) * draws_per_kernel;
  for (std::uint32_t begin = 0, side = 0; begin < size; begin += pool.size, ++side) {
    const auto words = draw(seed_, Purpose::block_node, node, stream + node_draws + side);
    const std::uint32_t taken = std::min(pool.size, size - begin);
    const std::uint32_t slot = taken == pool.size ? 0 : below_of(words[1], pool.size);
    use(side, begin, begin + taken, std::size_t{below_of(words[0], pool.donors())} * pool.size, slot);
  }
}

void BlockCluster::fill_node(std::uint32_t node, std::uint32_t size, std::size_t kernel, double* out) const {
  const BlockPool& pool = of_size_[size].of_kernel[kernel];
  const Smoothing& smoothing = pool.smoothing;
  const auto own = static_cast<std::uint32_t>(kernel) * draws_per_kernel;
  std::array<double, 4> noise{};
  draw_node(node, size, kernel,
            [&](std::uint32_t side, std::uint32_t begin, std::uint32_t end, std::size_t donor, std::uint32_t slot) {
              const auto of_node = draw(seed_, Purpose::block_noise, node, own + node_draws + side);
              const double node_noise = smoothing.node_sd * normals_of(of_node[0], of_node[1])[0];
              for (std::uint32_t gpu = begin; gpu < end; ++gpu) {
                if (gpu % 4 == 0) noise = four_normals(draw(seed_, Purpose::block_noise, node, own + gpu / 4));
                out[gpu] = std::exp(pool.logs[donor + slot] + node_noise + smoothing.gpu_sd * noise[gpu % 4]);
                if (++slot == pool.size) slot = 0;
              }
            });
}

SourceGpus BlockCluster::sources() const {
  SourceGpus all;
  for (const std::size_t kernel : kernel_of_class_) {
    for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
      const std::uint32_t size = topology_.gpus_of(NodeId(node));
      const BlockPool& pool = of_size_[size].of_kernel[kernel];
      draw_node(node, size, kernel,
                [&](std::uint32_t, std::uint32_t begin, std::uint32_t end, std::size_t donor, std::uint32_t slot) {
                  for (; begin < end; ++begin, slot = (slot + 1) % pool.size) all.push_back(pool.gpus[donor + slot]);
                });
    }
  }
  return all;
}

DrawnCluster BlockCluster::drawn(const std::function<void(std::size_t, std::size_t)>& told) const {
  const std::uint32_t nodes = topology_.nodes();
  const std::size_t gpus = topology_.gpus();
  std::vector<double> values(class_names_.size() * gpus);
  for (std::size_t c = 0; c < class_names_.size(); ++c) {
    double* const own = values.data() + c * gpus;
    const auto earlier =
        static_cast<std::size_t>(std::ranges::find(kernel_of_class_, kernel_of_class_[c]) - kernel_of_class_.begin());
    if (earlier < c) {  // classes that name one kernel share its values
      std::copy_n(values.data() + earlier * gpus, gpus, own);
      continue;
    }
    for (std::uint32_t n = 0; n < nodes; ++n) {
      constexpr std::uint32_t seldom = 4096;
      if (told && n % seldom == 0) told(c * nodes + n, class_names_.size() * nodes);
      fill_node(n, topology_.gpus_of(NodeId(n)), kernel_of_class_[c], own + topology_.first_gpu(NodeId(n)).value);
    }
  }
  return {Slowdowns(class_names_, gpus, std::move(values)), notes_};
}

}  // namespace

DrawnCluster block_slowdowns(const ClassMeasurements& classes, const Topology& topology, std::uint64_t seed,
                             RunsUsed runs, const std::function<void(std::size_t, std::size_t)>& told) {
  return BlockCluster(classes, topology, seed, runs).drawn(told);
}

SourceGpus block_sources(const ClassMeasurements& classes, const Topology& topology, std::uint64_t seed) {
  return BlockCluster(classes, topology, seed, RunsUsed::all).sources();
}

}  // namespace palstudy
