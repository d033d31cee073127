// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "record/tables.hpp"
#include "study/run_plan.hpp"
#include "topology/partitioning.hpp"
#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy {

class ArchiveReader;

/// An archive, or that of a bundle, to ask about its runs. Errors: as ArchiveReader; (data) its study gives other runs.
class ArchivedRuns {
 public:
  explicit ArchivedRuns(const std::filesystem::path& archive_or_bundle);
  ~ArchivedRuns();
  ArchivedRuns(const ArchivedRuns&) = delete;
  ArchivedRuns& operator=(const ArchivedRuns&) = delete;

  /// What a question needs beside the plan of a run.
  enum class Need : std::uint8_t { jobs, events };

  struct Run {
    const RunPlan& plan;
    RunRecord record;        ///< with /jobs, and /events if they are needed
    bool simulated = false;  ///< the archive has not all of them, so that the run was simulated again
  };
  /// A run by its number; `option` named it. If the archive has not the rows, it is simulated again in this process.
  /// Errors: usage (no such run), data (it failed; an input is missing or has changed), verification (simulated again
  /// it gives other rows than the archive has).
  [[nodiscard]] Run run(std::int64_t number, Need need, const std::string& option);

  struct Cluster {
    const Topology& topology;
    Partitioning partitioning;
    const Slowdowns& truth;
  };
  /// The cluster of a run: as it was archived, else drawn again. Errors (data): an input is missing or has changed.
  [[nodiscard]] Cluster cluster(const RunPlan& plan);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palstudy
