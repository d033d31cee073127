// SPDX-License-Identifier: MIT
// The threads of a block as fibers of one thread, which take turns.
#include <ucontext.h>

#include <array>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "kernels/cuda/emulator.hpp"

namespace palstudy::emulated {

constinit thread_local dim3 threadIdx;
dim3 blockIdx, blockDim, gridDim;

namespace {

constexpr std::size_t stack_bytes = 64 << 10;
constexpr std::size_t warp = 32;

struct Fiber {
  ucontext_t context{};
  std::unique_ptr<std::byte[]> stack{new std::byte[stack_bytes]};
  dim3 index;
  bool ended = false;
  const std::size_t* waits = nullptr;  // the count of passages of the barrier that it waits at
  std::size_t passed = 0;              // as it was when it came there
};

/// Threads that have come to a barrier; all that live and belong to it let it pass.
struct Barrier {
  std::size_t members = 0, here = 0, passages = 0;
};

struct Block {
  std::vector<Fiber> fibers;
  std::vector<Barrier> warps;
  Barrier all;
  std::vector<float> exchanged;
  std::vector<std::byte> shared;
  ucontext_t scheduler{};
  std::size_t running = 0;
  const std::function<void()>* thread = nullptr;
  std::exception_ptr problem;
};
Block block;

void pass_if_full(Barrier& barrier) {
  if (barrier.here < barrier.members) return;
  barrier.here = 0;
  ++barrier.passages;
}

void wait_at(Barrier& barrier) {
  Fiber& fiber = block.fibers[block.running];
  ++barrier.here;
  fiber.waits = &barrier.passages;
  fiber.passed = barrier.passages;
  pass_if_full(barrier);
  swapcontext(&fiber.context, &block.scheduler);
}

/// A thread that has ended is waited for no longer.
void leave(Barrier& barrier) {
  --barrier.members;
  if (barrier.members > 0) pass_if_full(barrier);
}

void fiber_main() {
  try {
    (*block.thread)();
  } catch (...) {
    block.problem = std::current_exception();
  }
  block.fibers[block.running].ended = true;
  leave(block.all);
  leave(block.warps[block.running / warp]);
}

void start_fibers(dim3 size) {
  const std::size_t threads = std::size_t{size.x} * size.y * size.z;
  if (block.fibers.size() < threads) block.fibers.resize(threads);
  block.warps.assign((threads + warp - 1) / warp, Barrier{});
  block.all = {threads, 0, 0};
  block.exchanged.assign(threads, 0);
  for (std::size_t i = 0; i < threads; ++i) {
    Fiber& fiber = block.fibers[i];
    ++block.warps[i / warp].members;
    fiber.index = dim3(static_cast<unsigned>(i % size.x), static_cast<unsigned>(i / size.x % size.y),
                       static_cast<unsigned>(i / size.x / size.y));
    fiber.ended = false;
    fiber.waits = nullptr;
    getcontext(&fiber.context);
    fiber.context.uc_stack = {fiber.stack.get(), 0, stack_bytes};
    fiber.context.uc_link = &block.scheduler;
    makecontext(&fiber.context, fiber_main, 0);
  }
}

/// Lets the fibers run in turns until all have ended. Every other turn goes backwards, so that a kernel that leans on
/// the order of threads does not pass.
void run_block(std::size_t threads) {
  bool backwards = false;
  for (std::size_t ended = 0; ended < threads; backwards = !backwards) {
    bool moved = false;
    for (std::size_t i = 0; i < threads; ++i) {
      block.running = backwards ? threads - 1 - i : i;
      Fiber& fiber = block.fibers[block.running];
      if (fiber.ended || (fiber.waits != nullptr && *fiber.waits == fiber.passed)) continue;
      fiber.waits = nullptr;
      threadIdx = fiber.index;
      swapcontext(&block.scheduler, &fiber.context);
      moved = true;
      ended += fiber.ended ? 1 : 0;
    }
    if (!moved) throw std::logic_error("the threads of a block wait for each other at different barriers");
  }
}

}  // namespace

void __syncthreads(std::source_location) { wait_at(block.all); }
void __syncwarp(std::source_location) { wait_at(block.warps[block.running / warp]); }

void copy_async(void* shared, const void* global) { std::memcpy(shared, global, 16); }
void commit_copies() {}
void wait_copies_but(std::size_t) {}

float shuffle(float value, unsigned lane, unsigned) {
  const std::size_t me = block.running;
  block.exchanged[me] = value;
  __syncwarp();
  const float got = block.exchanged[me / warp * warp + lane];
  __syncwarp();
  return got;
}

std::byte* dynamic_shared() { return block.shared.data(); }

void run_grid(dim3 grid, dim3 size, std::size_t shared, const std::function<void()>& thread) {
  gridDim = grid;
  blockDim = size;
  block.thread = &thread;
  block.problem = nullptr;
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z) {
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y) {
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) {
        // What shared memory holds at first is undefined: NaN here.
        block.shared.assign(shared, std::byte{0xff});
        start_fibers(size);
        run_block(std::size_t{size.x} * size.y * size.z);
        if (block.problem) std::rethrow_exception(block.problem);
      }
    }
  }
}

}  // namespace palstudy::emulated
