// SPDX-License-Identifier: MIT
// How the state of a run becomes bytes: Boost.Serialization, of which every class has its `serialize`. The binary that
// reads is the one that wrote, so that arrays go as they lie in memory.
#pragma once

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/array_wrapper.hpp>
#include <boost/serialization/deque.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "sim/state/running_set.hpp"
#include "sim/state/with_state.hpp"
#include "topology/gpu_set.hpp"
#include "workload/job_table.hpp"

// An array of these is one block. None has padding.
namespace boost::serialization {
template <class Enum>
requires std::is_enum_v<Enum>
struct is_bitwise_serializable<Enum> : mpl::true_ {
};
template <class Tag>
struct is_bitwise_serializable<palstudy::Id<Tag>> : mpl::true_ {};
}  // namespace boost::serialization
BOOST_IS_BITWISE_SERIALIZABLE(palstudy::Arrival)
BOOST_IS_BITWISE_SERIALIZABLE(palstudy::JobCell)
BOOST_IS_BITWISE_SERIALIZABLE(palstudy::JobCourse)
BOOST_IS_BITWISE_SERIALIZABLE(palstudy::JobProgress)
BOOST_IS_BITWISE_SERIALIZABLE(palstudy::JobRecord)
BOOST_IS_BITWISE_SERIALIZABLE(palstudy::NodeGpus)
BOOST_IS_BITWISE_SERIALIZABLE(palstudy::JobSize)

// There is one for every running job, each of a few bytes.
BOOST_CLASS_IMPLEMENTATION(palstudy::GpuSet, object_serializable)
BOOST_CLASS_TRACKING(palstudy::GpuSet, track_never)

namespace palstudy {

template <class Archive, class Tag>
void serialize(Archive& archive, Id<Tag>& id, unsigned /*version*/) {
  (archive & id.value);
}

template <class Archive>
void serialize(Archive& archive, GpuSet& gpus, unsigned /*version*/) {
  auto size = static_cast<std::uint32_t>(gpus.size());
  (archive & size);
  if constexpr (Archive::is_loading::value) gpus.resize(size);
  (archive & boost::serialization::make_array(gpus.data(), size));
}

/// The values of some jobs in a column by JobId.
template <class Archive, class Column>
void of_jobs(Archive& archive, const std::vector<JobId>& jobs, Column& column) {
  std::vector<typename Column::value_type> values;
  if constexpr (Archive::is_saving::value) {
    values.reserve(jobs.size());
    for (const JobId job : jobs) values.push_back(column[job.index()]);
  }
  (archive & values);
  if constexpr (Archive::is_loading::value) {
    require_same(values.size(), jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) column[jobs[i].index()] = values[i];
  }
}

/// The first `count` values of a column that has at least as many.
template <class Archive, class Column>
void first_of(Archive& archive, std::size_t count, Column& column) {
  if (column.size() < count) require_same(column.size(), count);
  (archive & boost::serialization::make_array(column.data(), count));
}

/// A header would say which Boost wrote it, which is always this one.
inline constexpr unsigned archive_flags = boost::archive::no_header | boost::archive::no_codecvt;

/// What `save` puts into an archive. The state of a run may be hundreds of megabytes, so no copy of it is made.
template <class Save>
[[nodiscard]] std::string to_bytes(Save save) {
  std::ostringstream out;
  {
    StateOut archive(out, archive_flags);
    save(archive);
  }
  return std::move(out).str();
}

/// Lets `load` take out of an archive what was put in, in the same order. Errors (fault): the bytes are others. How
/// long their arrays say to be is believed: a checkpoint is held against its checksums before, and ranks are one
/// binary.
template <class Load>
void from_bytes(std::string bytes, Load load) {
  std::istringstream in(std::move(bytes));
  try {
    StateIn archive(in, archive_flags);
    load(archive);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // of Boost, or of an array that is too long
    throw fault(std::string("the state in a checkpoint cannot be read: ") + error.what());
  }
}

}  // namespace palstudy
