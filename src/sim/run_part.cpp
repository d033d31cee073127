// SPDX-License-Identifier: MIT
#include "sim/run_part.hpp"

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/binary_object.hpp>
#include <sstream>
#include <type_traits>

namespace palstudy {
namespace {

constexpr unsigned flags = boost::archive::no_header;

/// One code for both ways; arrays go as they lie in memory.
template <class Archive>
class Fields {
 public:
  explicit Fields(Archive& archive) : archive_(archive) {}

  template <class T>
  void operator()(std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::uint64_t size = values.size();
    archive_& size;
    values.resize(size);
    if (size > 0) archive_& boost::serialization::make_binary_object(values.data(), size * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) { archive_& value; }

 private:
  Archive& archive_;
};

template <class Archive>
void fields(Fields<Archive> f, JobRows& rows) {
  f(rows.job), f(rows.partition), f(rows.start_s), f(rows.finish_s), f(rows.exec_s), f(rows.finished), f(rows.measured);
  f(rows.attempts), f(rows.slowdown_mean), f(rows.penalty_mean), f(rows.preemptions), f(rows.migrations);
}

template <class Archive>
void fields(Fields<Archive> f, PartitionRecord& record) {
  EventRows& events = record.events;
  f(events.time_s), f(events.kind), f(events.job), f(events.gpu_begin), f(events.gpu_count), f(events.gpus);
  RoundRows& rounds = record.rounds;
  f(rounds.time_s), f(rounds.queued), f(rounds.running), f(rounds.free_gpus), f(rounds.demand_gpus);
  f(record.node_busy_s), f(record.allocated_s), f(record.busy_s), f(record.effective_s), f(record.queue_moment);
  EngineCounts& counts = record.counts;
  f(counts.boundaries), f(counts.placements), f(counts.index_queries), f(counts.index_updates), f(counts.index_moves);
}

template <class Archive>
void fields(Archive& archive, RunPart& part) {
  const Fields<Archive> f(archive);
  auto field = f;
  std::uint64_t count = part.partitions.size();
  field(count);
  part.partitions.resize(count);
  for (auto& [id, record] : part.partitions) {
    field(id.value);
    fields(f, record);
  }
  fields(f, part.jobs);
  field(part.mean_contention);
}

}  // namespace

std::string pack(const RunPart& part) {
  std::ostringstream stream(std::ios::binary);
  {
    boost::archive::binary_oarchive archive(stream, flags);
    fields(archive, const_cast<RunPart&>(part));  // saving writes nothing
  }
  return std::move(stream).str();
}

RunPart unpack(const std::string& bytes) {
  std::istringstream stream(bytes, std::ios::binary);
  boost::archive::binary_iarchive archive(stream, flags);
  RunPart part;
  fields(archive, part);
  return part;
}

void take_rows(RunPart& into, const RunPart& from) {
  std::vector<std::uint8_t> theirs;
  for (const auto& [id, record] : from.partitions) {
    if (theirs.size() <= id.index()) theirs.resize(id.index() + 1, 0);
    theirs[id.index()] = 1;
  }
  JobRows& to = into.jobs;
  const JobRows& rows = from.jobs;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::int32_t p = rows.partition[j];
    if (p < 0 || static_cast<std::size_t>(p) >= theirs.size() || theirs[static_cast<std::size_t>(p)] == 0) continue;
    to.start_s[j] = rows.start_s[j];
    to.finish_s[j] = rows.finish_s[j];
    to.exec_s[j] = rows.exec_s[j];
    to.finished[j] = rows.finished[j];
    to.attempts[j] = rows.attempts[j];
    to.slowdown_mean[j] = rows.slowdown_mean[j];
    to.penalty_mean[j] = rows.penalty_mean[j];
    to.preemptions[j] = rows.preemptions[j];
    to.migrations[j] = rows.migrations[j];
    into.mean_contention[j] = from.mean_contention[j];
  }
}

}  // namespace palstudy
