// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "stats/descriptive.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/cluster_source.hpp"
#include "variability/sources/reliability.hpp"
#include "variability/sources/source_nodes.hpp"
#include "variability/sources/variates.hpp"

namespace palstudy {
namespace {

const NoteKind node_size_note("node-size", Severity::info);

/// How measured slowdowns of one kernel become those of generated GPUs: all in log slowdown, so 0.01 is 1 %.
///
/// A generated GPU is an observed one, its deviation from the median shrunk, plus normal noise. The noise is as large
/// as the larger of the kernel bandwidth 0.5 x 0.9 A n^(-1/5) (Silverman 1986, (3.31), half of it; A = min(SD, IQR /
/// 1.34)) and the error of the observed median, run SD / sqrt(runs). The shrinking factor is sqrt(reliability) with
/// reliability = 1 - noise^2 / A^2, so that the body of the distribution stays as wide as it was observed. Only the
/// body is shrunk: no value moves by more than the factor moves one at `limit` (limited translation; Efron & Morris,
/// JASA 67:130, 1972; 1.25 A). Faulty nodes and discrete modes lie further out and keep their place. The noise is at
/// most 0.6 A: where the runs say more, `reliability_warning` warns, and what was measured is followed all the same.
/// The noise is shared within the node as far as the body is: by the correlation of ranks within measured nodes.
struct Smoothing {
  double centre = 0;   ///< the median
  double shrink = 1;   ///< sqrt(reliability)
  double limit = 0;    ///< distance from the median beyond which values only shift
  double node_sd = 0;  ///< noise that the GPUs of a node share
  double gpu_sd = 0;   ///< noise of a GPU alone

  /// `log_slowdown` brought nearer to the centre; no noise added.
  [[nodiscard]] double shrunk(double log_slowdown) const {
    const double body = std::clamp(log_slowdown - centre, -limit, limit);
    return log_slowdown - (1 - shrink) * body;
  }
};

constexpr double iqr_of_normal = 1.34;
constexpr double bodies_in_limit = 1.25;  // further out nothing is taken for noise alone
constexpr double most_noise = 0.6;        // of the body, whatever the runs say: below that, reliability warns

/// The correlation of ranks, so that a few faulty nodes do not rule it; 0 if it is negative or cannot be estimated.
double shared_in_node(const std::vector<std::vector<double>>& nodes, const std::vector<double>& all) {
  const auto ranks = mean_ranks(all);
  std::vector<std::vector<double>> groups;
  std::size_t next = 0;
  for (const auto& node : nodes) {
    groups.emplace_back();
    for (std::size_t i = 0; i < node.size(); ++i) groups.back().push_back(ranks[next++]);
  }
  const double shared = within_group_correlation(groups);
  return shared > 0 ? std::min(shared, 1.0) : 0;
}

/// From the log slowdowns of measured nodes, by node; `run_sd` is that of log runs about their GPU's median, `runs` the
/// number of runs behind a median.
Smoothing choose_smoothing(const std::vector<std::vector<double>>& nodes, double run_sd, double runs) {
  std::vector<double> all;
  for (const auto& node : nodes) all.insert(all.end(), node.begin(), node.end());
  const auto ascending = sorted(all);
  const double iqr = sorted_quantile(ascending, 0.75) - sorted_quantile(ascending, 0.25);
  const double width = std::min(plain_sd(all), iqr / iqr_of_normal);
  Smoothing smoothing;
  smoothing.centre = sorted_quantile(ascending, 0.5);
  if (!(width > 0)) return smoothing;  // all alike: nothing to smooth
  const double bandwidth = 0.5 * 0.9 * width * std::pow(static_cast<double>(all.size()), -0.2);
  const double noise = std::min(most_noise * width, std::max(bandwidth, run_sd / std::sqrt(runs)));
  smoothing.shrink = std::sqrt(std::max(0.0, 1 - noise * noise / (width * width)));
  smoothing.limit = bodies_in_limit * width;
  const double shared = shared_in_node(nodes, all);
  smoothing.node_sd = noise * std::sqrt(shared);
  smoothing.gpu_sd = noise * std::sqrt(1 - shared);
  return smoothing;
}

// Draws of one node: `index` of a stream, by kernel.
constexpr std::uint32_t draws_per_kernel = 64;  // GPUs by fours, then at 32 the measured nodes side by side
constexpr std::uint32_t node_draws = 32;
static_assert(max_gpus_per_node <= node_draws);

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

/// Noise for four GPUs, or for the node.
std::array<double, 4> four_normals(const std::array<std::uint32_t, 4>& words) {
  const auto a = normals_of(words[0], words[1]);
  const auto b = normals_of(words[2], words[3]);
  return {a[0], a[1], b[0], b[1]};
}

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
  /// `from` must outlive it.
  explicit BlockCluster(const SourceContext& from);

  [[nodiscard]] DrawnCluster drawn() const;

 private:
  BlockPools make_pools(const std::vector<Kernel>& kernels, std::uint32_t node_size);
  void fill_node(std::uint32_t node, std::size_t kernel, double* slowdowns, std::uint32_t* gpus) const;

  const SourceContext& from_;
  std::vector<std::string> class_names_;
  std::vector<std::size_t> kernel_of_class_;
  std::vector<BlockPools> of_size_;  // by GPUs of a node; empty for sizes that the cluster does not have
  std::vector<Note> notes_;
};

BlockCluster::BlockCluster(const SourceContext& from) : from_(from), of_size_(from.topology.widest_node() + 1) {
  for (const auto& [name, measured] : from.classes) class_names_.push_back(name);
  const auto kernels = distinct_kernels(from.classes, from.runs);
  kernel_of_class_ = kernel_of_class(from.classes, kernels);
  for (std::uint32_t node = 0; node < from.topology.nodes(); ++node) {
    const std::uint32_t size = from.topology.gpus_of(NodeId(node));
    if (of_size_[size].of_kernel.empty()) of_size_[size] = make_pools(kernels, size);
  }
}

BlockPools BlockCluster::make_pools(const std::vector<Kernel>& kernels, std::uint32_t node_size) {
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
  if (kernels.size() > 1) add_once(notes_, joint_note(kernels, pools.joint, common.size(), sizes.front()));
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const Measurements& measured = *kernels[k].measured;
    const auto hosts = pools.joint ? common : common_hosts({&donors[k]});
    if (auto note = donors_note(measured, donors[k], hosts, pools.joint, sizes[k])) add_once(notes_, std::move(*note));
    if (sizes[k] != node_size) {
      add_once(notes_, node_size_note({{"gpus", node_size}, {"measured", sizes[k]}}, measured.name));
    }
    // The smoothing is that of all runs, so that both halves of the runs get the same.
    const double noise = from_.runs == RunsUsed::all ? run_spread(measured) : 0;
    const auto of_all = logs_by_host(measured_gpu_slowdowns(measured, RunsUsed::all), donors[k], hosts);
    BlockPool pool{sizes[k], {}, {}, choose_smoothing(of_all, noise, usual_runs(measured))};
    for (const std::string& host : hosts) {
      for (const std::size_t gpu : donors[k].at(host).gpus) pool.gpus.push_back(static_cast<std::uint32_t>(gpu));
    }
    pool.logs = shrunk(logs_by_host(kernels[k].slowdowns, donors[k], hosts), pool.smoothing);
    pools.of_kernel.push_back(std::move(pool));
  }
  return pools;
}

/// The node's slowdowns, and the measured GPUs that they are of: measured nodes side by side, drawn apart. `donor` is a
/// place in the vectors of the pool; GPUs are those of the donor from the slot on, going round.
void BlockCluster::fill_node(std::uint32_t node, std::size_t kernel, double* slowdowns, std::uint32_t* gpus) const {
  const std::uint32_t size = from_.topology.gpus_of(NodeId(node));
  const BlockPools& pools = of_size_[size];
  const BlockPool& pool = pools.of_kernel[kernel];
  const Smoothing& smoothing = pool.smoothing;
  const std::uint32_t own = static_cast<std::uint32_t>(kernel) * draws_per_kernel, stream = pools.joint ? 0 : own;
  std::array<double, 4> noise{};
  for (std::uint32_t begin = 0, side = 0; begin < size; begin += pool.size, ++side) {
    const auto words = draw(from_.seed, Purpose::block_node, node, stream + node_draws + side);
    const std::size_t donor = std::size_t{below_of(words[0], pool.donors())} * pool.size;
    const std::uint32_t end = std::min(begin + pool.size, size);
    std::uint32_t slot = end - begin == pool.size ? 0 : below_of(words[1], pool.size);
    const auto of_node = draw(from_.seed, Purpose::block_noise, node, own + node_draws + side);
    const double node_noise = smoothing.node_sd * normals_of(of_node[0], of_node[1])[0];
    for (std::uint32_t gpu = begin; gpu < end; ++gpu) {
      if (gpu % 4 == 0) noise = four_normals(draw(from_.seed, Purpose::block_noise, node, own + gpu / 4));
      slowdowns[gpu] = std::exp(pool.logs[donor + slot] + node_noise + smoothing.gpu_sd * noise[gpu % 4]);
      gpus[gpu] = pool.gpus[donor + slot];
      if (++slot == pool.size) slot = 0;
    }
  }
}

DrawnCluster BlockCluster::drawn() const {
  const Topology& topology = from_.topology;
  const std::size_t gpus = topology.gpus(), classes = class_names_.size();
  std::vector<double> values(classes * gpus);
  SourceGpus sources(values.size());
  for (std::size_t c = 0; c < classes; ++c) {
    const auto earlier =
        static_cast<std::size_t>(std::ranges::find(kernel_of_class_, kernel_of_class_[c]) - kernel_of_class_.begin());
    if (earlier < c) {  // classes that name one kernel share its values
      std::copy_n(values.data() + earlier * gpus, gpus, values.data() + c * gpus);
      std::copy_n(sources.data() + earlier * gpus, gpus, sources.data() + c * gpus);
      continue;
    }
    for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
      constexpr std::uint32_t seldom = 4096;
      if (from_.told && n % seldom == 0) from_.told(c * topology.nodes() + n, classes * topology.nodes());
      const std::size_t first = c * gpus + topology.first_gpu(NodeId(n)).value;
      fill_node(n, kernel_of_class_[c], values.data() + first, sources.data() + first);
    }
  }
  return {Slowdowns(class_names_, gpus, std::move(values)), notes_, std::move(sources)};
}

/// Whole measured nodes drawn with replacement and smoothed (`Smoothing`), so that node faults, slots and the likeness
/// of a node's GPUs stay as they were measured, on a cluster of any size.
///
/// Draws are keyed by (seed, purpose, global node id): GPU i does not depend on the cluster's size.
/// Nothing is renormalised.
///
/// Of the donors of a node (`block_donors`), of d GPUs, ceil(n / d) drawn independently stand side by side; of the last
/// (or of one that is too large) the GPUs from a random slot on are taken, going round. Classes are drawn jointly only
/// if at least 16 donors carry all of them.
///
/// Of half of the runs (`RunsUsed`) the medians are taken from that half, and what is drawn and added is the same as
/// from the other half: GPU by GPU the two clusters are two measurements of the same GPU. The error of a
/// median is in them already, so only the kernel bandwidth is added. Errors (data): measurements that name no host.
DrawnCluster draw_blocks(const SourceContext& from, const ParamValues& /*params*/) {
  return BlockCluster(from).drawn();
}

}  // namespace

void register_cluster_source_block(ClusterSourceRegistry& registry) {
  registry.add({"block",
                "Measured nodes, drawn with replacement and smoothed, to any size.",
                {},
                {.keys = {"profile", "classes", "seed"},
                 .measured = Measured::gpus,
                 .scope = ClusterScope::generated_nodes,
                 .generates = true,
                 .draw = draw_blocks}});
}

}  // namespace palstudy
