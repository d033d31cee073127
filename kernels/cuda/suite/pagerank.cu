// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"
#include "kernels/suite/pagerank.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

constexpr int lanes = 8;  // threads that share a piece
using Index = std::uint32_t;

struct Graph {
  const Index *offsets, *sources;
  const float* inverse_degree;
  const Index *piece_begin, *piece_row;
  float *rank, *contribution, *sum;
  std::size_t vertices, pieces;
  float base, damping;
};

__global__ void start(Graph g) {
  const std::size_t v = static_cast<std::size_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (v >= g.vertices) return;
  g.contribution[v] = g.inverse_degree[v] / static_cast<float>(g.vertices);
  g.sum[v] = 0;
}

/// Eight threads sum the contributions that flow along a piece of a row; rows of several pieces meet in an atomic.
__global__ void __launch_bounds__(block_threads) pull(Graph g) {
  const std::size_t piece = (static_cast<std::size_t>(blockIdx.x) * block_threads + threadIdx.x) / lanes;
  const Index lane = threadIdx.x % lanes;
  // Threads without a piece stay for the shuffles.
  const Index begin = piece < g.pieces ? g.piece_begin[piece] : 0,
              end = piece < g.pieces ? g.piece_begin[piece + 1] : 0;
  float sum = 0;
  for (Index i = begin + lane; i < end; i += lanes) sum += __ldg(g.contribution + __ldg(g.sources + i));
  for (int mask = lanes / 2; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, mask, lanes);
  if (lane != 0 || begin == end) return;
  const Index row = g.piece_row[piece];
  if (g.offsets[row + 1] - g.offsets[row] == end - begin) {
    g.sum[row] = sum;
  } else {
    atomicAdd(g.sum + row, sum);
  }
}

__global__ void finish(Graph g) {
  const std::size_t v = static_cast<std::size_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (v >= g.vertices) return;
  const float rank = g.base + g.damping * g.sum[v];
  g.rank[v] = rank;
  g.contribution[v] = rank * g.inverse_degree[v];
  g.sum[v] = 0;
}

Graph make_graph(const ParamValues& params, const std::vector<void*>& arrays) {
  using A = PagerankArrays;
  const std::size_t vertices = std::size_t{1} << static_cast<int>(params.number("scale"));
  const std::size_t edges = vertices * (static_cast<std::size_t>(params.number("edges")) + 1);
  return {array<Index>(arrays, A::offsets),
          array<Index>(arrays, A::sources),
          array<float>(arrays, A::inverse_degree),
          array<Index>(arrays, A::piece_begin),
          array<Index>(arrays, A::piece_row),
          array<float>(arrays, A::rank),
          array<float>(arrays, A::contribution),
          array<float>(arrays, A::sum),
          vertices,
          vertices + edges / pagerank_piece,
          static_cast<float>((1 - pagerank_damping) / static_cast<double>(vertices)),
          static_cast<float>(pagerank_damping)};
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(pagerank)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"pagerank", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const Graph graph = make_graph(params, arrays);
                  const auto iterations = static_cast<int>(params.number("iterations"));
                  const dim3 by_vertex(blocks_for(graph.vertices, block_threads)), block(block_threads);
                  const dim3 by_piece(blocks_for(graph.pieces, block_threads / lanes));
                  return CudaLaunch([=] {
                    launch(start, by_vertex, block, 0, stream, graph);
                    for (int i = 0; i < iterations; ++i) {
                      launch(pull, by_piece, block, 0, stream, graph);
                      launch(finish, by_vertex, block, 0, stream, graph);
                    }
                  });
                }});
}

}  // namespace palstudy
