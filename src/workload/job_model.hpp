// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace palstudy {

enum class JobModelKind : std::uint8_t { plain, pipelined, bulk };

/// From so many nodes on, communication takes this share of an iteration.
struct CommShare {
  double nodes = 1;
  double share = 0;
};

/// How the GPUs of a job work together: what makes of their slowdowns and the locality penalty the time of an
/// iteration. That time is a factor on the iteration time at slowdown 1 and penalty 1, and in two parts, the
/// factor at penalty 1 ("slowdown") and what the penalty adds to it ("penalty").
///
/// * plain: slowdown of the slowest GPU x penalty of the widest level (PAL). Everything below is left alone.
/// * pipelined: training with tensor, pipeline and data parallel groups (Narayanan et al., SC'21): PipelineTime.
/// * bulk: a bulk-synchronous code; computing waits for the slowest GPU, communication does not: bulk_time.
struct JobModel {
  JobModelKind kind = JobModelKind::plain;
  std::uint32_t tensor = 1;        ///< GPUs of a tensor group, all on one node
  std::uint32_t pipeline = 1;      ///< stages of a replica
  std::uint32_t microbatches = 1;  ///< of an iteration, over all replicas
  std::uint32_t interleave = 1;    ///< model chunks of a stage: the fill shrinks by it
  double tensor_share = 0;         ///< of a microbatch's time on a stage: communication within the tensor group
  double exchange_share = 0;       ///< of the iteration: what is not in the pipeline (exchange of gradients)
  std::vector<CommShare> comm;     ///< of a bulk code, by ascending nodes; between them linear in log(nodes)

  /// GPUs of one replica.
  [[nodiscard]] std::uint32_t replica_gpus() const { return tensor * pipeline; }
};

/// Why a pipelined job cannot have so many GPUs, a sentence; "" if it can: they have to be whole replicas, among which
/// the microbatches are shared evenly.
[[nodiscard]] std::string misfit(const JobModel& model, std::uint32_t gpus);

/// The two parts of the factor on the iteration time: their product is the factor.
struct SlowdownAndPenalty {
  double slowdown = 1, penalty = 1;
};

/// One iteration of a pipelined job. Tensor groups follow the order of the job's GPUs: the first d of them are the
/// first stage, one of each of the d replicas, the next d the second (Megatron's order, in which ranks of a tensor
/// group are next to each other and stages furthest apart).
///
/// With s the slowdown of a group's slowest GPU, c the share of computing, L the penalty within a node, a stage takes
/// tau = c s + (1 - c) L for a microbatch, forward and backward, in units of what it takes at 1. A replica with m
/// microbatches takes m max(tau) + (sum(tau) - max(tau)) / v: its slowest stage is never idle once filled, and the
/// others fill and drain it (with v chunks a stage, in v-ths). The slowest replica counts; then gradients are
/// exchanged.
class PipelineTime {
 public:
  /// Begins an iteration; keeps its memory, so that after the widest job nothing is allocated.
  void begin(const JobModel& model, std::uint32_t gpus);
  /// The slowest GPU of the next tensor group.
  void group(double slowdown);
  /// `within`: the penalty within a node, where tensor groups are; `widest`: that of the widest level of the job.
  [[nodiscard]] SlowdownAndPenalty factors(double within, double widest) const;

 private:
  struct Replica {
    double sum = 0, max = 0;
  };
  [[nodiscard]] double pipeline(double within) const;

  const JobModel* model_ = nullptr;
  std::vector<Replica> replicas_;
  std::size_t next_ = 0;
  double microbatches_ = 1;  ///< of a replica
};

/// One iteration of a bulk-synchronous job on so many GPUs and nodes: (1 - phi) slowdown + phi penalty, where phi is
/// the share of communication; none on one GPU. `slowdown` is the slowest GPU's, `penalty` that of the widest level.
[[nodiscard]] SlowdownAndPenalty bulk_time(const JobModel& model, std::uint32_t gpus, std::size_t nodes,
                                           double slowdown, double penalty);

/// phi of the above.
[[nodiscard]] double comm_share(const JobModel& model, std::uint32_t gpus, std::size_t nodes);

}  // namespace palstudy
