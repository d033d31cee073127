// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

constexpr int block_m = 128, block_n = 256, block_k = 32;
constexpr int warp_tiles = 4;  // a warp computes 64 x 64 as 4 x 4 tiles of 16 x 16; the warps stand 2 x 4
// Rows in shared memory are longer than their data, so that the rows of a tile fall on different banks.
constexpr int a_row = block_k + 8, b_row = block_n + 8;
constexpr int a_size = block_m * a_row, b_size = block_k * b_row;
constexpr std::size_t stage_bytes = sizeof(std::uint16_t) * (a_size + b_size);

/// Copies step k of the block's rows of A and columns of B into shared memory, 16 bytes at a time.
template <class T>
__device__ __forceinline__ void fetch(const T* a, const T* b, T* a_tile, T* b_tile, int n, int k) {
  constexpr int each = 8;  // elements of a copy
  const int thread = static_cast<int>(threadIdx.x);
  const std::size_t width = static_cast<std::size_t>(n);
#pragma unroll
  for (int j = 0; j < block_m * block_k / each / block_threads; ++j) {
    const int i = thread + j * block_threads, row = i / (block_k / each), column = i % (block_k / each) * each;
    copy_async(a_tile + row * a_row + column, a + row * width + k + column);
  }
#pragma unroll
  for (int j = 0; j < block_k * block_n / each / block_threads; ++j) {
    const int i = thread + j * block_threads, row = i / (block_n / each), column = i % (block_n / each) * each;
    copy_async(b_tile + row * b_row + column, b + (k + row) * width + column);
  }
}

/// The operands that a warp multiplies next.
template <class T>
struct Operands {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, T, nvcuda::wmma::row_major> left[warp_tiles];
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, T, nvcuda::wmma::row_major> right[warp_tiles];
};

/// Takes the operands from a warp's first rows of A and columns of B in shared memory.
template <class T>
__device__ __forceinline__ void take(Operands<T>& operands, const T* a, const T* b) {
#pragma unroll
  for (int i = 0; i < warp_tiles; ++i) {
    load_shared(operands.left[i], a + 16 * i * a_row, a_row);
    load_shared(operands.right[i], b + 16 * i, b_row);
  }
}

/// A block's part of C = A B. Copies run stages - 1 steps of k ahead of the products, and a warp takes the operands of
/// the next 16 of k before it multiplies those it has.
template <class T, int stages>
__device__ __forceinline__ void product(const T* a, const T* b, float* c, int n) {
  using namespace nvcuda;
#ifdef PALSTUDY_EMULATE
  T* const shared = reinterpret_cast<T*>(dynamic_shared());
#else
  extern __shared__ __align__(32) std::uint16_t memory[];
  T* const shared = reinterpret_cast<T*>(memory);
#endif
  const std::size_t width = static_cast<std::size_t>(n);
  a += blockIdx.y * block_m * width;
  b += blockIdx.x * block_n;
  const int warp = static_cast<int>(threadIdx.x) / 32, row0 = warp / 4 * 64, column0 = warp % 4 * 64;
  const auto a_tile = [=](int stage) { return shared + stage * (a_size + b_size); };
  const auto b_tile = [=](int stage) { return shared + stage * (a_size + b_size) + a_size; };

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[warp_tiles][warp_tiles];
#pragma unroll
  for (int i = 0; i < warp_tiles; ++i) {
#pragma unroll
    for (int j = 0; j < warp_tiles; ++j) wmma::fill_fragment(sum[i][j], 0.0F);
  }
  const int steps = n / block_k;
  for (int s = 0; s < stages - 1; ++s) {
    if (s < steps) fetch(a, b, a_tile(s), b_tile(s), n, s * block_k);
    commit_copies();
  }
  Operands<T> operands[2];
  const auto take_from = [&](Operands<T>& next, int stage, int k) {
    take(next, a_tile(stage) + row0 * a_row + k, b_tile(stage) + k * b_row + column0);
  };
  wait_copies<stages - 2>();
  __syncthreads();
  take_from(operands[0], 0, 0);
  for (int s = 0; s < steps; ++s) {
    constexpr int parts = block_k / 16;
    static_assert(parts % 2 == 0, "a step begins with operands[0]");
#pragma unroll
    for (int part = 0; part < parts; ++part) {
      if (part == 0) {  // into the memory of step s - 1, with which all were done at the last barrier
        const int ahead = s + stages - 1;
        if (ahead < steps) fetch(a, b, a_tile(ahead % stages), b_tile(ahead % stages), n, ahead * block_k);
        commit_copies();
      }
      Operands<T>& next = operands[(part + 1) % 2];
      if (part + 1 < parts) {
        take_from(next, s % stages, 16 * (part + 1));
      } else {
        wait_copies<stages - 2>();
        // Step s + 1 is there for all, and all have taken their last operands of step s.
        __syncthreads();
        if (s + 1 < steps) take_from(next, (s + 1) % stages, 0);
      }
#pragma unroll
      for (int i = 0; i < warp_tiles; ++i) {
#pragma unroll
        for (int j = 0; j < warp_tiles; ++j) {
          wmma::mma_sync(sum[i][j], operands[part % 2].left[i], operands[part % 2].right[j], sum[i][j]);
        }
      }
    }
  }
  c += (blockIdx.y * block_m + row0) * width + blockIdx.x * block_n + column0;
#pragma unroll
  for (int i = 0; i < warp_tiles; ++i) {
#pragma unroll
    for (int j = 0; j < warp_tiles; ++j) {
      wmma::store_matrix_sync(c + 16 * i * width + 16 * j, sum[i][j], static_cast<unsigned>(n), wmma::mem_row_major);
    }
  }
}

/// C = A B on tensor cores, sums in float32.
template <class T, int stages>
__global__ void __launch_bounds__(block_threads, 1) gemm_tc(const T* a, const T* b, float* c, int n) {
  if constexpr (has_tensor_type<T>) product<T, stages>(a, b, c, n);
}

template <class T, int stages>
CudaLaunch make_staged(const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
  constexpr std::size_t bytes = stages * stage_bytes;
  const auto n = static_cast<int>(params.number("n"));
  allow_shared(gemm_tc<T, stages>, bytes);
  return [=] {
    launch(gemm_tc<T, stages>, dim3(blocks_for(n, block_n), blocks_for(n, block_m)), dim3(block_threads), bytes, stream,
           array<T>(arrays, 0), array<T>(arrays, 1), array<float>(arrays, 2), n);
  };
}

/// As many stages as the GPU's shared memory holds: 4 on 8.0 and 9.0 (163 and 227 KiB), 3 on 7.0, 8.6 and 8.9 (96 and
/// 99 KiB), 2 on 7.5 (64 KiB).
template <class T>
CudaLaunch make(const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
  const std::size_t stages = device_limits().shared_bytes / stage_bytes;
  if (stages >= 4) return make_staged<T, 4>(params, arrays, stream);
  if (stages == 3) return make_staged<T, 3>(params, arrays, stream);
  if (stages == 2) return make_staged<T, 2>(params, arrays, stream);
  throw usage_error("kernel gemm-tc needs " + std::to_string(2 * stage_bytes) +
                    " bytes of shared memory for a block, and this GPU gives " +
                    std::to_string(device_limits().shared_bytes));
}

CudaLaunch make_of_type(const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
  const int capability = device_limits().capability;
  const bool bf16 = params.text("type") == "bf16";
  if (capability < (bf16 ? 80 : 70)) {
    throw usage_error("kernel gemm-tc with type = " + params.text("type") + " needs compute capability " +
                          (bf16 ? "8.0" : "7.0") + ", and this GPU has " + std::to_string(capability / 10) + "." +
                          std::to_string(capability % 10),
                      "", bf16 && capability >= 70 ? "give --param gemm-tc.type=fp16" : "");
  }
  return bf16 ? make<__nv_bfloat16>(params, arrays, stream) : make<__half>(params, arrays, stream);
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(gemm_tc)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"gemm-tc", "", {}, make_of_type});
}

}  // namespace palstudy
