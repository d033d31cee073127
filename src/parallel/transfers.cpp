// SPDX-License-Identifier: MIT
#include "parallel/transfers.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <functional>
#include <limits>
#include <span>

#include "core/text.hpp"
#include "parallel/agree.hpp"
#include "parallel/mpi_check.hpp"
#include "stats/descriptive.hpp"
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int transfer_tag = 4711;
constexpr std::size_t warm_ups = 2;

class HostMemory : public TransferMemory {
 public:
  explicit HostMemory(std::size_t bytes) : sent_(bytes), received_(bytes) {}
  [[nodiscard]] std::byte* sent() override { return sent_.data(); }
  [[nodiscard]] std::byte* received() override { return received_.data(); }
  void before_send(std::size_t) override {}
  void after_receive(std::size_t) override {}
  void set(std::span<const float> values) override { std::memcpy(sent_.data(), values.data(), values.size_bytes()); }
  void get(std::span<float> values) override { std::memcpy(values.data(), received_.data(), values.size_bytes()); }

 private:
  std::vector<std::byte> sent_, received_;
};

/// Small messages often, large ones a few times: about 64 MiB in all.
std::size_t repetitions(std::size_t bytes) {
  return std::clamp<std::size_t>((std::size_t{64} << 20) / std::max<std::size_t>(bytes, 1), 5, 200);
}

/// Whole numbers, so that any order of summing gives the same float, and different on every rank.
std::vector<float> pattern(std::size_t bytes, int rank) {
  std::vector<float> values(bytes / sizeof(float));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(rank) * 13) % 101);
  }
  return values;
}

double compare(TransferMemory& memory, const std::vector<float>& expected) {
  std::vector<float> got(expected.size());
  memory.get(got);
  return got == expected ? 0 : std::numeric_limits<double>::infinity();
}

/// The median time of `once`, after a few that do not count.
double median_time(std::size_t count, const std::function<void()>& once) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < warm_ups + count; ++i) {
    const auto begin = Clock::now();
    once();
    if (i >= warm_ups) seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return median(std::move(seconds));
}

/// The times of `root`, on all ranks.
TransferTime broadcast_time(Mpi& mpi, TransferTime time, int root) {
  mpi.broadcast(std::span(&time, 1), root);
  return time;
}

int count_of(std::size_t elements) {
  if (elements > INT_MAX) throw fault("a transfer of more than 2^31 elements");
  return static_cast<int>(elements);
}

/// Sends and receives in turn; the one that is not first begins with receiving.
TransferTime ping_pong(TransferMemory& memory, std::size_t bytes, int self, int other, bool first) {
  const int count = count_of(bytes);
  const auto send = [&] {
    memory.before_send(bytes);
    PALSTUDY_MPI(MPI_Send(memory.sent(), count, MPI_BYTE, other, transfer_tag, MPI_COMM_WORLD));
  };
  const auto receive = [&] {
    PALSTUDY_MPI(MPI_Recv(memory.received(), count, MPI_BYTE, other, transfer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    memory.after_receive(bytes);
  };
  memory.set(pattern(bytes, self));
  TransferTime found;
  found.seconds = 0.5 * median_time(repetitions(bytes), [&] {
                    first ? send() : receive();
                    first ? receive() : send();
                  });
  found.check_error = compare(memory, pattern(bytes, other));
  return found;
}

TransferTime sum_in_group(TransferMemory& memory, std::size_t bytes, const std::vector<int>& group, int self,
                          MPI_Comm comm) {
  const int count = count_of(bytes / sizeof(float));
  memory.set(pattern(bytes, self));
  TransferTime found;
  found.seconds = median_time(repetitions(bytes), [&] {
    memory.before_send(bytes);
    PALSTUDY_MPI(MPI_Allreduce(memory.sent(), memory.received(), count, MPI_FLOAT, MPI_SUM, comm));
    memory.after_receive(bytes);
  });
  std::vector<float> expected(bytes / sizeof(float));
  for (const int rank : group) {
    const auto values = pattern(bytes, rank);
    for (std::size_t i = 0; i < values.size(); ++i) expected[i] += values[i];
  }
  found.check_error = compare(memory, expected);
  const TransferTime own = found;
  PALSTUDY_MPI(MPI_Allreduce(&own.seconds, &found.seconds, 1, MPI_DOUBLE, MPI_MAX, comm));
  PALSTUDY_MPI(MPI_Allreduce(&own.check_error, &found.check_error, 1, MPI_DOUBLE, MPI_MAX, comm));
  return found;
}

}  // namespace

std::unique_ptr<TransferMemory> host_memory(std::size_t bytes) { return std::make_unique<HostMemory>(bytes); }

TransferTime measure_link(Mpi& mpi, int a, int b, TransferMemory& memory, std::size_t bytes) {
  TransferTime found;
  const int self = mpi.rank();
  double other_error = 0;
  if (self == a || self == b) {
    found = ping_pong(memory, bytes, self, self == a ? b : a, self == a);
    // Either end has checked what it got.
    PALSTUDY_MPI(MPI_Sendrecv(&found.check_error, 1, MPI_DOUBLE, self == a ? b : a, transfer_tag, &other_error, 1,
                              MPI_DOUBLE, self == a ? b : a, transfer_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    found.check_error = std::max(found.check_error, other_error);
  }
  mpi.barrier([] {});
  return broadcast_time(mpi, found, a);
}

TransferTime measure_allreduce(Mpi& mpi, const std::vector<int>& group, TransferMemory& memory, std::size_t bytes) {
  TransferTime found;
  const int self = mpi.rank();
  if (std::ranges::find(group, self) != group.end()) {
    MPI_Group world = MPI_GROUP_NULL, members = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    PALSTUDY_MPI(MPI_Comm_group(MPI_COMM_WORLD, &world));
    PALSTUDY_MPI(MPI_Group_incl(world, count_of(group.size()), group.data(), &members));
    PALSTUDY_MPI(MPI_Comm_create_group(MPI_COMM_WORLD, members, transfer_tag, &comm));
    found = sum_in_group(memory, bytes, group, self, comm);
    PALSTUDY_MPI(MPI_Comm_free(&comm));
    PALSTUDY_MPI(MPI_Group_free(&members));
    PALSTUDY_MPI(MPI_Group_free(&world));
  }
  mpi.barrier([] {});
  return broadcast_time(mpi, found, group.front());
}

bool mpi_takes_device_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

}  // namespace palstudy
