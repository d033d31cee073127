// SPDX-License-Identifier: MIT
#include "sim/run_part.hpp"

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <sstream>

#include "sim/fields.hpp"

namespace palstudy {
namespace {

constexpr unsigned flags = boost::archive::no_header;

template <class Archive>
void fields(Fields<Archive>& f, RunPart& part) {
  part.partitions.resize(f.count(part.partitions.size(), 1));
  for (auto& [id, record] : part.partitions) {
    f(id.value);
    fields(f, record);
  }
  fields(f, part.jobs);
  f(part.mean_contention);
}

}  // namespace

std::string pack(const RunPart& part) {
  std::ostringstream stream(std::ios::binary);
  {
    boost::archive::binary_oarchive archive(stream, flags);
    Fields f(archive);
    fields(f, const_cast<RunPart&>(part));  // saving writes nothing
  }
  return std::move(stream).str();
}

RunPart unpack(const std::string& bytes) {
  std::istringstream stream(bytes, std::ios::binary);
  boost::archive::binary_iarchive archive(stream, flags);
  RunPart part;
  Fields f(archive, bytes.size());
  fields(f, part);
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
    if (!to.status.empty()) to.status[j] = rows.status[j];
    into.mean_contention[j] = from.mean_contention[j];
  }
}

}  // namespace palstudy
