// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace palstudy {

/// A number that names one thing of one kind; a node cannot be passed where a GPU is wanted.
/// Ids count from 0 and index arrays.
template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr explicit Id(int v) : value(static_cast<std::uint32_t>(v)) {}

  [[nodiscard]] constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

/// A job's place in the workload: jobs are sorted by submit time, ties in the order of the trace. What the trace calls
/// the job is `Job::id`.
using JobId = Id<struct JobTag>;
using GpuId = Id<struct GpuTag>;
using NodeId = Id<struct NodeTag>;
using CabinetId = Id<struct CabinetTag>;
using PartitionId = Id<struct PartitionTag>;
/// An index into the sorted class names of the cluster.
using ClassId = Id<struct ClassTag>;

}  // namespace palstudy
