// SPDX-License-Identifier: MIT
#include "sim/output/partial_result.hpp"

#include "sim/state/fields.hpp"

namespace palstudy {
namespace {

void serialize(Fields& f, RunPart& part) {
  part.partitions.resize(f.count(part.partitions.size(), 1));
  for (auto& [id, record] : part.partitions) {
    f(id.value);
    record.serialize(f);
  }
  part.jobs.serialize(f);
  f(part.mean_contention);
}

}  // namespace

std::string pack(const RunPart& part) {
  return to_bytes([&](Fields& f) { serialize(f, const_cast<RunPart&>(part)); });  // writing changes nothing
}

RunPart unpack(const std::string& bytes) {
  RunPart part;
  from_bytes(bytes, [&](Fields& f) { serialize(f, part); });
  return part;
}

void take_rows(RunPart& into, const RunPart& from) {
  JobRows& to = into.jobs;
  const JobRows& rows = from.jobs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t j = rows.job[i].index();
    to.start_s[j] = rows.start_s[i];
    to.finish_s[j] = rows.finish_s[i];
    to.exec_s[j] = rows.exec_s[i];
    to.finished[j] = rows.finished[i];
    to.late[j] = rows.late[i];
    to.attempts[j] = rows.attempts[i];
    to.slowdown_mean[j] = rows.slowdown_mean[i];
    to.penalty_mean[j] = rows.penalty_mean[i];
    to.preemptions[j] = rows.preemptions[i];
    to.migrations[j] = rows.migrations[i];
    if (!to.status.empty()) to.status[j] = rows.status[i];
    into.mean_contention[j] = from.mean_contention[i];
  }
}

}  // namespace palstudy
