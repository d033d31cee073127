// SPDX-License-Identifier: MIT
#pragma once

// What device code is written in. nvcc compiles it for GPUs; the unit tests compile the same files with
// PALSTUDY_EMULATE for the CPU, where each thread of a block is a fiber, to check the kernels' results and barriers
// where there is no GPU.
#ifdef PALSTUDY_EMULATE
#include "kernels/cuda/emulator.hpp"
#define PALSTUDY_REGISTER_CUDA(stem) register_emulated_kernel_##stem
#define PALSTUDY_DEVICE_SPACE emulated
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#define PALSTUDY_REGISTER_CUDA(stem) register_cuda_kernel_##stem
#define PALSTUDY_DEVICE_SPACE gpu
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/device_limits.hpp"

namespace palstudy::PALSTUDY_DEVICE_SPACE {

/// Threads of a block in most kernels, whose division of the work rests on it.
inline constexpr int block_threads = 256;

#ifndef PALSTUDY_EMULATE
/// Enqueues a kernel. Arguments are converted to the kernel's parameter types, as in a call.
template <class... Params, class... Args>
void launch(void (*kernel)(Params...), dim3 grid, dim3 block, std::size_t shared, void* stream, Args... args) {
  const auto enqueue = [&](Params... params) {
    void* pointers[] = {static_cast<void*>(&params)...};
    check_cuda(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, shared,
                                static_cast<cudaStream_t>(stream)),
               "launch of a kernel");
  };
  enqueue(static_cast<Params>(args)...);
}

inline void copy_on_device(void* to, const void* from, std::size_t bytes, void* stream) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream)),
             "copy from memory to memory");
}

/// The limits of the GPU that is current.
inline DeviceLimits device_limits() {
  int device = 0, major = 0, minor = 0, shared = 0;
  const auto ask = [&](int& value, cudaDeviceAttr attribute) {
    check_cuda(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute");
  };
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  ask(major, cudaDevAttrComputeCapabilityMajor);
  ask(minor, cudaDevAttrComputeCapabilityMinor);
  ask(shared, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  return {10 * major + minor, static_cast<std::size_t>(shared)};
}

/// Lets a kernel take more than 48 KB of shared memory for a block.
template <class Kernel>
void allow_shared(Kernel* kernel, std::size_t bytes) {
  check_cuda(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)),
             "cudaFuncSetAttribute");
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
// Before compute capability 8.0 a copy passes through registers and is done when the call returns.
__device__ inline void copy_async(void* shared, const void* global) {
  *static_cast<uint4*>(shared) = *static_cast<const uint4*>(global);
}
__device__ inline void commit_copies() {}
template <int n>
__device__ inline void wait_copies() {}
#else
/// 16 bytes from global to shared memory without passing through registers; both aligned to 16.
__device__ inline void copy_async(void* shared, const void* global) {
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(global));
}
/// Ends a group of copies; wait_copies<n>() waits until at most n groups are under way.
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;\n" ::); }
template <int n>
__device__ inline void wait_copies() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(n) : "memory");
}
#endif

/// load_matrix_sync from shared memory. nvcc 13.0 does not see for bfloat16 that the memory is shared, and compiles it
/// to loads of four bytes and transpositions in registers, where half becomes one instruction.
template <class Use, class T>
__device__ __forceinline__ void load_shared(nvcuda::wmma::fragment<Use, 16, 16, 16, T, nvcuda::wmma::row_major>& tile,
                                            const T* from, unsigned stride) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    static_assert(sizeof(tile.x) == 16);
    auto* to = reinterpret_cast<unsigned*>(tile.x);
    const auto place = static_cast<unsigned>(__cvta_generic_to_shared(from));
    if constexpr (std::is_same_v<Use, nvcuda::wmma::matrix_a>) {
      asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%0, %1, %2, %3}, [%4], %5;\n"
                   : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                   : "r"(place), "r"(stride)
                   : "memory");
    } else {
      asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.shared.bf16 {%0, %1, %2, %3}, [%4], %5;\n"
                   : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                   : "r"(place), "r"(stride)
                   : "memory");
    }
    return;
  }
#endif
  nvcuda::wmma::load_matrix_sync(tile, from, stride);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class T>
inline constexpr bool has_tensor_type = !std::is_same_v<T, __nv_bfloat16>;
#else
/// Whether tensor cores take operands of a type; bfloat16 they do from compute capability 8.0 on.
template <class T>
inline constexpr bool has_tensor_type = true;
#endif
#endif

template <class T>
T* array(const std::vector<void*>& arrays, std::size_t i) {
  return static_cast<T*>(arrays[i]);
}

inline unsigned blocks_for(std::size_t elements, std::size_t per_block) {
  return static_cast<unsigned>((elements + per_block - 1) / per_block);
}

}  // namespace palstudy::PALSTUDY_DEVICE_SPACE
