// SPDX-License-Identifier: MIT
#include "kernels/suite/pagerank.hpp"

#include <cmath>

#include "core/random.hpp"
#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

using Index = std::uint32_t;
using A = PagerankArrays;

struct Edge {
  Index from, to;
};

/// An edge of the R-MAT graph with the Graph500's probabilities .57 .19 .19 .05 (Chakrabarti, Zhan, Faloutsos, SDM'04),
/// in 256ths: one byte of the random words per level.
Edge rmat_edge(std::uint64_t seed, std::uint64_t number, std::size_t scale) {
  Edge edge{0, 0};
  std::array<std::uint32_t, 4> words{};
  for (std::size_t level = 0; level < scale; ++level) {
    if (level % 16 == 0) words = draw(seed, Purpose::kernel_input, number, static_cast<std::uint32_t>(level / 16));
    const std::uint32_t byte = (words[level / 4 % 4] >> (8 * (level % 4))) & 0xffU;
    edge.from = 2 * edge.from + (byte >= 195 ? 1 : 0);
    edge.to = 2 * edge.to + ((byte >= 146 && byte < 195) || byte >= 243 ? 1 : 0);
  }
  return edge;
}

/// PageRank by power iteration from equal ranks: each vertex pulls from those that point to it. A random graph of
/// 2^scale vertices with hubs, 16 edges a vertex and one from each to itself, so that none has no way out.
class Pagerank : public Problem {
 public:
  explicit Pagerank(const ParamValues& params)
      : scale_(size_param(params, "scale")),
        iterations_(size_param(params, "iterations")),
        n_(std::size_t{1} << scale_),
        edges_(n_ * (size_param(params, "edges") + 1)) {
    if (edges_ > 0xffffffffU) throw usage_error("more than 2^32 edges", "kernel pagerank", "take a smaller scale");
  }

  [[nodiscard]] double flops() const override {
    return iterations() * (2 * static_cast<double>(edges_) + 3 * static_cast<double>(n_));
  }
  /// The least: every gather of a rank hits a cache, and each vertex's rank comes from memory once.
  [[nodiscard]] double bytes() const override {
    return iterations() * (4 * static_cast<double>(edges_) + 4 * static_cast<double>(n_ + 1) +
                           4 * static_cast<double>(n_) + 8 * static_cast<double>(n_));
  }
  /// The most: every gather of a rank misses, and fetches a sector of 32 bytes.
  [[nodiscard]] double bytes_most() const override {
    return iterations() *
           ((4 + 32) * static_cast<double>(edges_) + 4 * static_cast<double>(n_ + 1) + 8 * static_cast<double>(n_));
  }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    return {{"offsets", 4 * (n_ + 1), ArrayRole::input},   {"sources", 4 * edges_, ArrayRole::input},
            {"inverse_degree", 4 * n_, ArrayRole::input},  {"piece_begin", 4 * (pieces() + 1), ArrayRole::input},
            {"piece_row", 4 * pieces(), ArrayRole::input}, {"rank", 4 * n_, ArrayRole::output},
            {"contribution", 4 * n_, ArrayRole::scratch},  {"sum", 4 * n_, ArrayRole::scratch}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    fill_graph(arrays, seed);
    fill_pieces(arrays);
  }
  void compute(Arrays& arrays) const override {
    iterate<float>(arrays, arrays.of<float>(A::rank), arrays.of<float>(A::contribution));
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    std::vector<double> expected(n_), contribution(n_);
    iterate<double>(arrays, expected, contribution);
    const auto got = arrays.of<float>(A::rank);
    double distance = 0, sum = 0;
    for (std::size_t v = 0; v < n_; ++v) {
      distance += std::abs(got[v] - expected[v]);
      sum += got[v];
    }
    Comparison compare;
    compare.add(distance, 0, 1e-5, "sum of deviations of the ranks after iteration", iterations_);
    compare.add(sum, 1, 1e-5, "sum of the ranks after iteration", iterations_);
    return compare.verdict(arrays);
  }

 private:
  [[nodiscard]] double iterations() const { return static_cast<double>(iterations_); }
  /// As many as there can be; those left over are empty.
  [[nodiscard]] std::size_t pieces() const { return n_ + edges_ / pagerank_piece; }

  void fill_graph(Arrays& arrays, std::uint64_t seed) const {
    const auto offsets = arrays.of<Index>(A::offsets), sources = arrays.of<Index>(A::sources);
    std::vector<Edge> edges(edges_);
    std::vector<Index> out(n_);
    std::fill(offsets.begin(), offsets.end(), 0U);
    for (std::size_t i = 0; i < edges_; ++i) {
      edges[i] = i < n_ ? Edge{static_cast<Index>(i), static_cast<Index>(i)} : rmat_edge(seed, i, scale_);
      ++out[edges[i].from];
      ++offsets[edges[i].to];
    }
    Index before = 0;
    for (std::size_t v = 0; v <= n_; ++v) before += std::exchange(offsets[v], before);
    for (const Edge& edge : edges) sources[offsets[edge.to]++] = edge.from;
    for (std::size_t v = n_; v > 0; --v) offsets[v] = offsets[v - 1];
    offsets[0] = 0;
    for (std::size_t v = 0; v < n_; ++v) arrays.of<float>(A::inverse_degree)[v] = 1.0F / static_cast<float>(out[v]);
  }

  void fill_pieces(Arrays& arrays) const {
    const auto offsets = arrays.of<Index>(A::offsets), begins = arrays.of<Index>(A::piece_begin);
    const auto rows = arrays.of<Index>(A::piece_row);
    std::size_t piece = 0;
    for (std::size_t v = 0; v < n_; ++v) {
      for (std::size_t i = offsets[v]; i < offsets[v + 1]; i += pagerank_piece) {
        begins[piece] = static_cast<Index>(i);
        rows[piece++] = static_cast<Index>(v);
      }
    }
    for (; piece < pieces(); ++piece) begins[piece] = static_cast<Index>(edges_);
    begins[pieces()] = static_cast<Index>(edges_);
  }

  template <class T>
  void iterate(const Arrays& arrays, std::span<T> rank, std::span<T> contribution) const {
    const auto offsets = arrays.of<Index>(A::offsets), sources = arrays.of<Index>(A::sources);
    const auto inverse = arrays.of<float>(A::inverse_degree);
    const T base = static_cast<T>((1 - pagerank_damping) / static_cast<double>(n_));
    for (std::size_t v = 0; v < n_; ++v) contribution[v] = static_cast<T>(1.0 / static_cast<double>(n_)) * inverse[v];
    for (std::size_t i = 0; i < iterations_; ++i) {
      for (std::size_t v = 0; v < n_; ++v) {
        T sum = 0;
        for (Index e = offsets[v]; e < offsets[v + 1]; ++e) sum += contribution[sources[e]];
        rank[v] = base + static_cast<T>(pagerank_damping) * sum;
      }
      for (std::size_t v = 0; v < n_; ++v) contribution[v] = rank[v] * inverse[v];
    }
  }
  std::size_t scale_, iterations_, n_, edges_;
};

}  // namespace

void register_kernel_pagerank(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "graph analysis, sparse algebra; class C of three, D of four";
  make.pipe = "fp32";
  make.by_default = true;
  make.host_sizes = {{"scale", "16"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Pagerank>(params); };
  registry.add({"pagerank",
                "PageRank of a random graph with hubs, bound by memory",
                {{"scale", ParamType::integer, "", "binary logarithm of the number of vertices", "22", 1, 27},
                 {"edges", ParamType::integer, "", "for each vertex", "16", 1, 256},
                 {"iterations", ParamType::integer, "", "of a launch", "5", 1, 1000}},
                make});
}

}  // namespace palstudy
