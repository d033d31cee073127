// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/note.hpp"
#include "core/registry.hpp"
#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// What is measured of the GPUs of a source. Each has what those before it have.
enum class Measured {
  nothing,
  runs,  ///< how far a run is off is known
  gpus   ///< each is a GPU that was measured, with the runs of it
};

/// Over what an interval over `cluster.seed` speaks.
enum class ClusterScope {
  clusters,        ///< of which no more is known
  single_runs,     ///< measured runs, each drawn for one GPU
  measured_nodes,  ///< nodes drawn from those measured, of which a large cluster has nearly all
  generated_nodes  ///< nodes made from those measured, as many as are wanted
};

/// What a cluster is made from.
struct SourceContext {
  const Topology& topology;
  const ClassMeasurements& classes;                         ///< empty unless the source uses the key `profile`
  std::uint64_t seed = 1;                                   ///< `cluster.seed`
  RunsUsed runs = RunsUsed::all;                            ///< asked of sources whose GPUs were measured
  std::string where = "cluster.source";                     ///< its place in the study, for errors
  std::filesystem::path table = {};                         ///< the file of `cluster.table`, for a source that uses it
  std::string written = {};                                 ///< how the study writes that path
  std::vector<std::string> hosts = {};                      ///< names of the nodes, for a source that uses `hosts`
  std::function<void(std::size_t, std::size_t)> told = {};  ///< if given, called at times: nodes done, nodes in all
};

/// Which measured GPU each GPU of a cluster was drawn from: places in `Measurements::gpus` of its class, by class, then
/// GPU, `[c * gpus + g]`.
using SourceGpus = std::vector<std::uint32_t>;

/// A cluster as it was drawn.
struct DrawnCluster {
  Slowdowns slowdowns;
  std::vector<Note> notes = {};  ///< e.g. which classes were drawn apart from each other
  /// What else was measured of a GPU, as its temperature, follows from it. Empty where no GPU is drawn from one.
  SourceGpus from = {};
};

/// Where the slowdowns of a cluster come from: a value of `cluster.source`.
struct ClusterSource {
  /// The keys of [cluster] beside the nodes that the cluster is a function of, in the order of its fingerprint, which
  /// names it in archives: `table`, `profile`, `classes`, `hosts`, `seed`. A source with `profile` gets the
  /// measurements of its classes; one with `seed` is drawn, and a large archive keeps its recipe alone.
  std::vector<std::string> keys;
  Measured measured = Measured::nothing;
  ClusterScope scope = ClusterScope::clusters;
  bool generates = false;  ///< makes new nodes, for which a profile needs several days and nodes
  DrawnCluster (*draw)(const SourceContext&, const ParamValues&) = nullptr;

  [[nodiscard]] bool uses(std::string_view key) const { return std::ranges::find(keys, key) != keys.end(); }
};
using ClusterSourceRegistry = Registry<ClusterSource>;
[[nodiscard]] const ClusterSourceRegistry& cluster_sources();

}  // namespace palstudy
