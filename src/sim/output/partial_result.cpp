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
  const auto take = [&](auto& to, const auto& rows) {
    for (std::size_t i = 0; i < from.jobs.size(); ++i) to[from.jobs.job[i].index()] = rows[i];
  };
  JobRows::each([&](auto column) {
    if (!(into.jobs.*column).empty()) take(into.jobs.*column, from.jobs.*column);
  });
  take(into.mean_contention, from.mean_contention);
}

}  // namespace palstudy
