// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "parallel/mpi.hpp"

namespace palstudy {

/// What a rank sends from and receives into: memory of the host, or of a GPU, which MPI reaches itself or only through
/// the host. What that takes is part of the time.
class TransferMemory {
 public:
  TransferMemory() = default;
  TransferMemory(const TransferMemory&) = delete;
  TransferMemory& operator=(const TransferMemory&) = delete;
  virtual ~TransferMemory() = default;
  /// Where MPI sends from; as many bytes as the memory was made for.
  [[nodiscard]] virtual std::byte* sent() = 0;
  /// Where MPI receives.
  [[nodiscard]] virtual std::byte* received() = 0;
  /// Brings the first bytes from the device to sent(), and from received() to the device.
  virtual void before_send(std::size_t bytes) = 0;
  virtual void after_receive(std::size_t bytes) = 0;
  /// Untimed: what the device is to send, and what it has got.
  virtual void set(std::span<const float> values) = 0;
  virtual void get(std::span<float> values) = 0;
};

/// A buffer in the host's memory.
[[nodiscard]] std::unique_ptr<TransferMemory> host_memory(std::size_t bytes);

/// What came of a transfer; the same on all ranks.
struct TransferTime {
  double seconds = 0;      ///< median of several, the slowest rank's
  double check_error = 0;  ///< 0: what arrived is right; infinite: it is not
};

/// Collective over all ranks; only two transfer, the others sleep. Half of the time that a message takes there and
/// back.
[[nodiscard]] TransferTime measure_link(Mpi& mpi, int a, int b, TransferMemory& memory, std::size_t bytes);

/// Collective over all ranks; the ranks of the group (ascending, two or more) sum arrays of floats, so many bytes each,
/// by MPI_Allreduce.
[[nodiscard]] TransferTime measure_allreduce(Mpi& mpi, const std::vector<int>& group, TransferMemory& memory,
                                             std::size_t bytes);

/// Whether MPI says that it takes pointers to a GPU's memory (Open MPI's MPIX_Query_cuda_support); false where it does
/// not say.
[[nodiscard]] bool mpi_takes_device_memory();

}  // namespace palstudy
