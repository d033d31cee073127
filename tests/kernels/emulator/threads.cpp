// SPDX-License-Identifier: MIT
// The threads of a block as threads that run at the same time, for the thread sanitizer: what it calls a race between
// two of them is one on a GPU, where no more than here says in which order they come.
#include <atomic>
#include <barrier>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "kernels/cuda/emulator.hpp"
#include "races.hpp"
#include "warp_exchange.hpp"

namespace palstudy::emulated {

constinit thread_local dim3 threadIdx;
dim3 blockIdx, blockDim, gridDim;

namespace {

constexpr std::size_t warp = 32;

struct Block {
  std::unique_ptr<std::barrier<>> all;
  std::vector<std::unique_ptr<std::barrier<>>> warps;
  std::vector<std::unique_ptr<WarpExchange>> exchanges;
  std::vector<std::byte> shared;
};
Block block;

/// Copies that a thread has begun and not yet waited for, in groups.
struct Copy {
  void* to;
  const void* from;
};
thread_local std::deque<std::vector<Copy>> copies = {{}};

std::string text_of(const std::source_location& place) {
  const std::string file = place.file_name();
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(place.line());
}

/// Whether a barrier is to be passed over; counts those that were come to.
bool left_out(const std::source_location& place) {
  if (threadIdx.x == 0) barriers_seen().insert(text_of(place));
  return !barrier_left_out().empty() && text_of(place) == barrier_left_out();
}

void run_thread(std::size_t number, dim3 size, const std::function<void()>& thread) {
  threadIdx = dim3(static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
                   static_cast<unsigned>(number / size.x / size.y));
  thread();
  block.all->arrive_and_drop();
  block.warps[number / warp]->arrive_and_drop();
}

void run_block(dim3 size, std::size_t shared, const std::function<void()>& thread) {
  const std::size_t threads = std::size_t{size.x} * size.y * size.z;
  block.shared.assign(shared, std::byte{0xff});
  block.all = std::make_unique<std::barrier<>>(static_cast<std::ptrdiff_t>(threads));
  block.warps.clear();
  block.exchanges.clear();
  for (std::size_t first = 0; first < threads; first += warp) {
    const std::size_t lanes = std::min(warp, threads - first);
    block.warps.push_back(std::make_unique<std::barrier<>>(static_cast<std::ptrdiff_t>(lanes)));
    block.exchanges.push_back(std::make_unique<WarpExchange>(static_cast<unsigned>(lanes)));
  }
  std::vector<std::thread> all;
  for (std::size_t i = 0; i < threads; ++i) all.emplace_back([&, i] { run_thread(i, size, thread); });
  for (std::thread& one : all) one.join();
}

}  // namespace

void __syncthreads(std::source_location place) {
  if (!left_out(place)) block.all->arrive_and_wait();
}
void __syncwarp(std::source_location place) {
  if (!left_out(place)) block.warps[thread_number() / warp]->arrive_and_wait();
}

float shuffle(float value, unsigned lane, unsigned) {
  const unsigned me = thread_number();
  return block.exchanges[me / warp]->exchange(me % warp, value, lane);
}

std::byte* dynamic_shared() { return block.shared.data(); }

// A copy may be made when it begins, when it is waited for, and at any time between: here at both ends, so that a race
// with either is found.
void copy_async(void* shared, const void* global) {
  std::memcpy(shared, global, 16);
  copies.back().push_back({shared, global});
}
void commit_copies() { copies.emplace_back(); }
void wait_copies_but(std::size_t groups) {
  while (copies.size() > groups + 1) {
    for (const Copy& copy : copies.front()) std::memcpy(copy.to, copy.from, 16);
    copies.pop_front();
  }
}

void run_grid(dim3 grid, dim3 size, std::size_t shared, const std::function<void()>& thread) {
  gridDim = grid;
  blockDim = size;
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z) {
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y) {
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) run_block(size, shared, thread);
    }
  }
}

}  // namespace palstudy::emulated
