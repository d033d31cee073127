// SPDX-License-Identifier: MIT
#include "kernels/cuda/gemm_tile.hpp"
#include "kernels/suite/transformer.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

constexpr int warp = 32, rows_per_block = 8;  // for the row-wise kernels: a warp a row
enum class Then { nothing, gelu };

/// y = x w + bias, then GELU or the addition of `residual` where there is one.
template <Then then>
__global__ void __launch_bounds__(tile_threads, 2) dense(const float* x, const float* w, const float* bias,
                                                         const float* residual, float* y, int rows, int in, int out) {
  __shared__ GemmBuffer buffer;
  const unsigned x_row = static_cast<unsigned>(in), y_row = static_cast<unsigned>(out);
  gemm_tile<true, false>(
      buffer, rows, out, in, static_cast<int>(blockIdx.y) * tile, static_cast<int>(blockIdx.x) * tile,
      [=](int row, int k) { return __ldg(x + (row * x_row + k)); },
      [=](int k, int column) { return __ldg(w + (k * y_row + column)); },
      [=](int row, int column, float value) {
        value += bias[column];
        if (then == Then::gelu) value *= 0.5F * (1 + erff(value * 0.70710678F));
        if (residual != nullptr) value += residual[row * y_row + column];
        y[row * y_row + column] = value;
      });
}

/// What a block of scores or context is about: one head of one sequence.
struct Heads {
  int hidden, heads, length, head;
  float scale;
};

__global__ void __launch_bounds__(tile_threads, 2) score(const float* qkv, float* scores, Heads size) {
  __shared__ GemmBuffer buffer;
  const int sequence = static_cast<int>(blockIdx.z) / size.heads, head = static_cast<int>(blockIdx.z) % size.heads;
  const std::size_t row = 3 * static_cast<std::size_t>(size.hidden), length = static_cast<std::size_t>(size.length);
  const float* query = qkv + sequence * length * row + head * size.head;
  const float* key = query + size.hidden;
  float* out = scores + blockIdx.z * length * length;
  gemm_tile<true, true>(
      buffer, size.length, size.length, size.head, static_cast<int>(blockIdx.y) * tile,
      static_cast<int>(blockIdx.x) * tile, [=](int i, int k) { return __ldg(query + i * row + k); },
      [=](int k, int j) { return __ldg(key + j * row + k); },
      [=](int i, int j, float value) { out[i * length + j] = value * size.scale; });
}

__global__ void __launch_bounds__(tile_threads, 2)
    mix(const float* scores, const float* qkv, float* context, Heads size) {
  __shared__ GemmBuffer buffer;
  const int sequence = static_cast<int>(blockIdx.z) / size.heads, head = static_cast<int>(blockIdx.z) % size.heads;
  const std::size_t hidden = static_cast<std::size_t>(size.hidden), length = static_cast<std::size_t>(size.length);
  const float* weight = scores + blockIdx.z * length * length;
  const float* value = qkv + sequence * length * 3 * hidden + 2 * hidden + head * size.head;
  float* out = context + sequence * length * hidden + head * size.head;
  gemm_tile<true, false>(
      buffer, size.length, size.head, size.length, static_cast<int>(blockIdx.y) * tile,
      static_cast<int>(blockIdx.x) * tile, [=](int i, int k) { return __ldg(weight + i * length + k); },
      [=](int k, int j) { return __ldg(value + k * 3 * hidden + j); },
      [=](int i, int j, float sum) { out[i * hidden + j] = sum; });
}

__device__ __forceinline__ float warp_sum(float value) {
  for (int mask = warp / 2; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffU, value, mask);
  return value;
}
__device__ __forceinline__ float warp_max(float value) {
  for (int mask = warp / 2; mask > 0; mask /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffU, value, mask));
  return value;
}

/// The row of a warp, or null beyond the last: whole warps leave together.
__device__ __forceinline__ std::size_t warp_row() {
  return static_cast<std::size_t>(blockIdx.x) * rows_per_block + threadIdx.x / warp;
}

__global__ void __launch_bounds__(warp* rows_per_block) softmax(float* scores, std::size_t rows, int width) {
  const std::size_t r = warp_row();
  if (r >= rows) return;
  float* row = scores + r * static_cast<std::size_t>(width);
  const int lane = static_cast<int>(threadIdx.x) % warp;
  float most = -3.0e38F, sum = 0;
  for (int i = lane; i < width; i += warp) most = fmaxf(most, row[i]);
  most = warp_max(most);
  for (int i = lane; i < width; i += warp) {
    const float e = expf(row[i] - most);
    row[i] = e;
    sum += e;
  }
  const float scale = 1 / warp_sum(sum);
  for (int i = lane; i < width; i += warp) row[i] *= scale;
}

__global__ void __launch_bounds__(warp* rows_per_block)
    layer_norm(const float* x, const float* gain, const float* shift, float* y, std::size_t rows, int width) {
  const std::size_t r = warp_row();
  if (r >= rows) return;
  const float* from = x + r * static_cast<std::size_t>(width);
  float* to = y + r * static_cast<std::size_t>(width);
  const int lane = static_cast<int>(threadIdx.x) % warp;
  float sum = 0, square = 0;
  for (int i = lane; i < width; i += warp) sum += from[i];
  const float mean = warp_sum(sum) / static_cast<float>(width);
  for (int i = lane; i < width; i += warp) square += (from[i] - mean) * (from[i] - mean);
  const float scale = rsqrtf(warp_sum(square) / static_cast<float>(width) + layer_norm_eps);
  for (int i = lane; i < width; i += warp) to[i] = (from[i] - mean) * scale * gain[i] + shift[i];
}

/// The steps of the layer, each a launch.
class Layer {
 public:
  Layer(const TransformerSize& size, const std::vector<void*>& arrays, void* stream)
      : size_(size), arrays_(arrays), stream_(stream) {}

  void run() const {
    using A = TransformerArrays;
    const int h = static_cast<int>(size_.hidden);
    dense_to<Then::nothing>(A::x, A::w_qkv, A::b_qkv, nullptr, A::qkv, h, 3 * h);
    attend();
    dense_to<Then::nothing>(A::context, A::w_out, A::b_out, at(A::x), A::sum, h, h);
    norm(A::sum, A::middle, 0);
    dense_to<Then::gelu>(A::middle, A::w_up, A::b_up, nullptr, A::wide, h, 4 * h);
    dense_to<Then::nothing>(A::wide, A::w_down, A::b_down, at(A::middle), A::sum, 4 * h, h);
    norm(A::sum, A::out, h);
  }

 private:
  [[nodiscard]] float* at(std::size_t i) const { return array<float>(arrays_, i); }

  template <Then then>
  void dense_to(std::size_t x, std::size_t w, std::size_t bias, const float* residual, std::size_t y, int in,
                int out) const {
    launch(dense<then>, dim3(blocks_for(out, tile), blocks_for(size_.tokens(), tile)), dim3(tile_threads), 0, stream_,
           at(x), at(w), at(bias), residual, at(y), static_cast<int>(size_.tokens()), in, out);
  }
  void attend() const {
    using A = TransformerArrays;
    const Heads heads = {static_cast<int>(size_.hidden), static_cast<int>(size_.heads), static_cast<int>(size_.length),
                         static_cast<int>(size_.head()), 1 / std::sqrt(static_cast<float>(size_.head()))};
    const unsigned along = blocks_for(size_.length, tile), all = static_cast<unsigned>(size_.batch * size_.heads);
    launch(score, dim3(along, along, all), dim3(tile_threads), 0, stream_, at(A::qkv), at(A::scores), heads);
    const std::size_t rows = size_.tokens() * size_.heads;
    launch(softmax, dim3(blocks_for(rows, rows_per_block)), dim3(warp * rows_per_block), 0, stream_, at(A::scores),
           rows, heads.length);
    launch(mix, dim3(blocks_for(size_.head(), tile), along, all), dim3(tile_threads), 0, stream_, at(A::scores),
           at(A::qkv), at(A::context), heads);
  }
  void norm(std::size_t x, std::size_t y, int place) const {
    using A = TransformerArrays;
    launch(layer_norm, dim3(blocks_for(size_.tokens(), rows_per_block)), dim3(warp * rows_per_block), 0, stream_, at(x),
           at(A::gain) + place, at(A::shift) + place, at(y), size_.tokens(), static_cast<int>(size_.hidden));
  }
  TransformerSize size_;
  std::vector<void*> arrays_;
  void* stream_;
};

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(transformer)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"transformer", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const TransformerSize size = {size_param(params, "hidden"), size_param(params, "heads"),
                                                size_param(params, "length"), size_param(params, "batch")};
                  if (size.batch * size.heads > 65535) {
                    throw usage_error("batch x heads is over 65535", "kernel transformer", "take a smaller batch");
                  }
                  return CudaLaunch([layer = Layer(size, arrays, stream)] { layer.run(); });
                }});
}

}  // namespace palstudy
