// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cluster/node_set.hpp"
#include "policy/queue_rules.hpp"
#include "study/slurm_conf.hpp"
#include "topology/gpu_set.hpp"
#include "topology/topology.hpp"

namespace palstudy::replay {

/// Milliseconds of the clock.
using Millis = std::int64_t;

/// An attempt at a job, as schedule.csv has it.
struct SlurmAttempt {
  std::uint32_t id = 0, gpus = 0, queue = 0;
  double limit_s = 0;
  std::string user;
  bool killed = false;                 ///< it outlived its limit
  std::uint32_t record = 0;            ///< the id that it waits under: of its array, or its own
  std::uint32_t at_once = 0;           ///< tasks of its array that may run at once; 0: all
  std::optional<std::uint32_t> after;  ///< the job that has to be over before
  Millis submit = 0, eligible = 0, end = 0;
  std::optional<Millis> start;  ///< none: it was cancelled while it waited
  GpuSet held;                  ///< as recorded

  [[nodiscard]] bool linked() const { return after || at_once > 0 || record != id; }
};

/// A row of passes.csv.gz.
struct SlurmRow {
  bool backfill = false;  ///< else the main pass
  Millis time = 0;
  std::optional<std::uint32_t> id;  ///< none: a pass begins
  bool starts = false;              ///< else it plans
  Millis start = 0, end = 0;        ///< of a plan
  NodeSet nodes;
};

/// Nodes that go or come.
struct SlurmOutage {
  Millis time = 0;
  NodeSet nodes;
  bool gone = false;
};

/// Priorities as the log and sprio have them: at submission, then every few seconds.
class SlurmPriorities {
 public:
  /// Nothing where the priority is by id alone.
  SlurmPriorities(const std::filesystem::path& folder, Millis first_submit, double points_a_second,
                  const std::vector<SlurmAttempt>& attempts);

  /// Of a job that waits. It changes at ticks, once a minute.
  [[nodiscard]] std::int64_t at(const SlurmAttempt& job, Millis time) const;
  /// `use(id, time, priority)` of each sample of a job that waits.
  template <class Use>
  void for_each_sample(Use use) const {
    for (const auto& [id, samples] : samples_) {
      for (const Sample& sample : samples) {
        if (sample.waits) use(id, sample.time, sample.priority);
      }
    }
  }
  /// The first tick after `time`, if priorities change at all.
  [[nodiscard]] std::optional<Millis> tick_after(Millis time) const;

 private:
  struct Sample {
    Millis time;
    std::int64_t priority;
    bool waits = false;  ///< by sprio; else at submission, or it runs
  };
  void read_samples(const std::filesystem::path& file, Millis first_submit, double points_a_second,
                    std::vector<Millis>& ticks);
  void read_initial(const std::filesystem::path& log);
  void find_phase(std::vector<Millis> ticks);
  [[nodiscard]] std::size_t misfits(Millis phase) const;

  Millis phase_ = 0;                                      // of the ticks in a minute
  std::map<std::uint32_t, std::vector<Sample>> samples_;  // by job; the first at submission
};

/// A recorded run of a real Slurm (../runs/slurm/README.md). Errors (data): what cannot be read.
struct SlurmRecording {
  explicit SlurmRecording(const std::filesystem::path& folder);

  Millis first_submit;
  SlurmConf conf;
  Topology topology;
  std::vector<double> weights;  ///< by node
  std::vector<QueueRule> queues;
  std::vector<SlurmAttempt> attempts;
  std::vector<SlurmRow> rows;
  std::vector<SlurmOutage> outages;
  SlurmPriorities priorities;
  /// When an attempt may start, but for the limit of its array: when the job that it comes after has ended.
  [[nodiscard]] Millis ready(const SlurmAttempt& attempt) const;
  /// The last attempt at a job; null: there is none.
  [[nodiscard]] const SlurmAttempt* last_attempt(std::uint32_t id) const;
  /// A number of slurm.conf, by the study's key, in its unit.
  [[nodiscard]] double setting(const std::string& key, double otherwise) const;
};

}  // namespace palstudy::replay
