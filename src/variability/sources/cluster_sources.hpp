// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy {

/// The measurements of one kernel or application on one machine.
struct Measurements {
  struct Gpu {
    std::string id;
    std::string host;              ///< "" where it is not known
    int local = -1;                ///< index on its host; -1 where it is not known
    std::vector<double> times_ms;  ///< time of each run, in the order of the file
    double median = 0;             ///< over its runs, in ms
    /// The session of each run, as a number of its profile; empty where sessions are not known.
    std::vector<std::int32_t> session_of_run = {};
  };
  std::string name;       ///< e.g. "longhorn-resnet50"
  std::vector<Gpu> gpus;  ///< in file order
  [[nodiscard]] std::size_t runs() const;
};

/// Reads `<dir>/<name>.csv` (a row a GPU) and `<dir>/runs/<name>.csv` (a row a run).
/// Errors (data): files that do not fit together, times that are not positive.
[[nodiscard]] Measurements read_measurements(const std::filesystem::path& dir, const std::string& name);

/// `source = "table"`: `gpu_id,node_id,class,score`, further columns ignored. Classes sorted by name.
/// Errors (data, with file:line:column): a missing or doubled (GPU, class), a GPU or node beyond the topology or in
/// another node than the topology says, a slowdown that is not finite and positive.
[[nodiscard]] Slowdowns read_slowdown_table(const std::filesystem::path& path, const Topology& topology);
/// The same from memory, for tests and fuzzing.
[[nodiscard]] Slowdowns parse_slowdown_table(std::string text, const std::string& name, const Topology& topology);

/// Which measurements stand for each class: class name -> Measurements, sorted by class.
using ClassMeasurements = std::map<std::string, const Measurements*>;

/// Which of each GPU's runs stand for it: all of them, or every other one in the order of the file, so that both halves
/// see the whole time of the measurement. A GPU of one run has it in both.
enum class RunsUsed { all, even, odd };

/// `source = "bootstrap"`: every GPU and class draws one measured *run* of its class, with replacement and
/// independently, over the median run: as the published simulator does (a transient slow run becomes a slow GPU).
/// GPU g does not depend on the cluster's size. Classes draw independently also if they name one kernel.
[[nodiscard]] Slowdowns bootstrap_slowdowns(const ClassMeasurements& classes, const Topology& topology,
                                            std::uint64_t seed);

/// A drawn cluster and what to tell its reader.
struct DrawnCluster {
  Slowdowns slowdowns;
  std::vector<std::string> notes;  ///< e.g. which classes were drawn apart from each other, and why
};

/// `source = "measured"`: per-GPU medians over the median GPU, whole measured nodes drawn by seed without replacement.
/// Classes are drawn jointly only if at least 16 nodes carry all of them, else each kernel from its own nodes (classes
/// that name one kernel share its values). Donors of a node of n GPUs are the hosts with exactly n measured GPUs.
/// Errors (usage, at `where`): more nodes wanted than a class has donors, with how many there are of which size.
[[nodiscard]] DrawnCluster measured_slowdowns(const ClassMeasurements& classes, const Topology& topology,
                                              std::uint64_t seed, const std::string& where = "cluster.source",
                                              RunsUsed runs = RunsUsed::all);

}  // namespace palstudy
