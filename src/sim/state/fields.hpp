// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "sim/observers/recorder.hpp"
#include "sim/result.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// Field after field to a Boost archive or back: one code for both ways. Values and arrays go as they lie in memory,
/// because who reads is the binary that wrote; so types with padding are taken apart.
template <class Archive>
class Fields {
 public:
  static constexpr bool saving = Archive::is_saving::value;

  /// `limit`: the bytes that there are; no array is made longer.
  explicit Fields(Archive& archive, std::uint64_t limit = UINT64_MAX) : archive_(archive), limit_(limit) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) { bytes(&value, sizeof(T)); }

  template <class T>
  void operator()(std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    values.resize(count(values.size(), sizeof(T)));
    if (!values.empty()) bytes(values.data(), values.size() * sizeof(T));
  }

  void operator()(std::string& text) {
    text.resize(count(text.size(), 1));
    if (!text.empty()) bytes(text.data(), text.size());
  }

  void operator()(GpuSet& gpus) {
    gpus.resize(count(gpus.size(), sizeof(NodeGpus)));
    if (!gpus.empty()) bytes(gpus.data(), gpus.size() * sizeof(NodeGpus));
  }

  void operator()(std::vector<GpuSet>& sets) {
    std::vector<std::uint32_t> sizes;
    std::vector<NodeGpus> all;
    if constexpr (saving) {
      for (const GpuSet& set : sets) {
        sizes.push_back(static_cast<std::uint32_t>(set.size()));
        all.insert(all.end(), set.begin(), set.end());
      }
    }
    (*this)(sizes), (*this)(all);
    if constexpr (!saving) {
      sets.clear();
      const NodeGpus* from = all.data();
      for (const std::uint32_t size : sizes) {
        if (all.data() + all.size() - from < static_cast<std::ptrdiff_t>(size))
          throw fault("sets of GPUs that end too early");
        sets.emplace_back(from, from + size);
        from += size;
      }
    }
  }

  /// How many things of that size there are, or come.
  [[nodiscard]] std::size_t count(std::size_t mine, std::size_t size_of_one) {
    std::uint64_t number = mine;
    bytes(&number, sizeof number);
    if (!saving && number > limit_ / size_of_one) throw fault("an array longer than what holds it");
    return static_cast<std::size_t>(number);
  }

 private:
  void bytes(void* data, std::size_t size) {
    if constexpr (saving) {
      archive_.save_binary(data, size);
    } else {
      archive_.load_binary(data, size);
    }
  }

  Archive& archive_;
  std::uint64_t limit_;
};

template <class Archive>
void fields(Fields<Archive>& f, JobRows& rows) {
  f(rows.job), f(rows.partition), f(rows.start_s), f(rows.finish_s), f(rows.exec_s), f(rows.finished), f(rows.measured);
  f(rows.attempts), f(rows.slowdown_mean), f(rows.penalty_mean), f(rows.preemptions), f(rows.migrations);
  f(rows.status);
}

template <class Archive>
void fields(Fields<Archive>& f, FailureRows& rows) {
  f(rows.job), f(rows.attempt), f(rows.reason), f(rows.gpus), f(rows.node), f(rows.gpu), f(rows.time_s), f(rows.run_s);
  f(rows.lost_s);
}

template <class Archive>
void fields(Fields<Archive>& f, PartitionRecord& record) {
  EventRows& events = record.events;
  f(events.time_s), f(events.kind), f(events.job), f(events.gpu_begin), f(events.gpu_count), f(events.gpus);
  RoundRows& rounds = record.rounds;
  f(rounds.time_s), f(rounds.queued), f(rounds.running), f(rounds.free_gpus), f(rounds.demand_gpus);
  fields(f, record.failures);
  f(record.node_busy_s), f(record.allocated_s), f(record.busy_s), f(record.effective_s), f(record.queue_moment),
      f(record.job_s);
  EngineCounts& counts = record.counts;
  f(counts.boundaries), f(counts.placements), f(counts.index_queries), f(counts.index_updates), f(counts.index_moves);
}

}  // namespace palstudy
