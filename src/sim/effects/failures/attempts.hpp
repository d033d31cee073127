// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "workload/attempt_model.hpp"

namespace palstudy {

/// Where the attempts at every job stand, one array a field, by JobId; empty where none fails. What is drawn of an
/// attempt is drawn when it starts, and kept until it ends: stopping and moving a job do not end an attempt. (More than
/// 15 members: a field of an attempt each.)
class Attempts {
 public:
  explicit Attempts(std::size_t jobs) {
    columns([jobs](auto& column) { column.resize(jobs); });
    last_reason.assign(jobs, Ending::none);
    reason.assign(jobs, Ending::none);
    node.assign(jobs, -1);
    gpu.assign(jobs, -1);
  }

  /// The attempt under way ran for so long and did so much work.
  void ran(JobId job, double length_s, double work) {
    ran_s[job.index()] += length_s;
    credited[job.index()] += work;
  }
  /// Run time of the attempt under way of which a beginning again would undo the work.
  [[nodiscard]] double unsaved_s(JobId job) const { return ran_s[job.index()] - undone_s[job.index()]; }
  /// As if nothing was ever known of a job that has not run.
  void forget(JobId job) {
    number[job.index()] = 0;
    last_reason[job.index()] = Ending::none;
  }
  /// `each(column)` for every array, to or from a checkpoint.
  template <class Each>
  void columns(Each each) {
    each(number), each(last_reason), each(under_way), each(fails_first), each(reason), each(run_s), each(ran_s);
    each(undone_s), each(work_until), each(began_s), each(saves_from_s), each(saved_work);
    each(node), each(gpu), each(credited), each(undone), each(lost_gpu_s), each(longest_loss_s);
  }

  std::vector<std::uint32_t> number;      ///< attempts so far, the one under way included
  std::vector<std::int32_t> last_reason;  ///< why the one before failed
  std::vector<std::uint8_t> under_way;    ///< an attempt has started and not ended
  std::vector<std::uint8_t> fails_first;  ///< on its GPUs of now it fails before its work is done
  std::vector<std::int32_t> reason;       ///< why the one under way fails, or Ending::none
  std::vector<double> run_s;              ///< after how much run time
  std::vector<double> ran_s;              ///< how long it has run before the running segment
  std::vector<double> undone_s;           ///< of that, up to where it was made to begin again
  std::vector<double> work_until;         ///< iterations after which it is over: all, or when its user kills it
  std::vector<double> began_s;            ///< when it last got its GPUs
  std::vector<double> saves_from_s;       ///< from when it works on them, and checkpoints are counted
  std::vector<double> saved_work;         ///< iterations at the last checkpoint before the running segment
  std::vector<std::int64_t> node, gpu;    ///< at fault if it fails; -1: none in particular
  std::vector<double> credited, undone;   ///< iterations done in all, and of them done for nothing
  std::vector<double> lost_gpu_s;         ///< GPU-seconds counted as lost so far
  std::vector<double> longest_loss_s;     ///< the longest run time that a failure has undone
};

}  // namespace palstudy
