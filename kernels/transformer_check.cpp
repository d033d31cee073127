// SPDX-License-Identifier: MIT
#include "kernels/transformer_check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/compare.hpp"

namespace palstudy {
namespace {

using A = TransformerArrays;
using Row = std::vector<double>;

/// Outputs are of order 1, some dozens of stages and sums deep.
constexpr double tolerance = 1e-4;

class Reference {
 public:
  Reference(const Arrays& arrays, const TransformerSize& size) : arrays_(arrays), size_(size) {}

  /// The result of the tokens `wanted` of one sequence.
  [[nodiscard]] std::vector<Row> tokens(std::size_t sequence, const std::vector<std::size_t>& wanted) const {
    const std::size_t h = size_.hidden;
    std::vector<Row> qkv;
    for (std::size_t i = 0; i < size_.length; ++i) qkv.push_back(dense(input(sequence, i), A::w_qkv, A::b_qkv, 3 * h));
    std::vector<Row> all;
    for (const std::size_t token : wanted) {
      const Row attended = dense(context(qkv, token), A::w_out, A::b_out, h);
      const Row middle = norm(sum(attended, input(sequence, token)), 0);
      Row wide = dense(middle, A::w_up, A::b_up, 4 * h);
      for (double& v : wide) v = v * 0.5 * std::erfc(-v / std::sqrt(2.0));
      all.push_back(norm(sum(dense(wide, A::w_down, A::b_down, h), middle), 1));
    }
    return all;
  }

 private:
  [[nodiscard]] Row input(std::size_t sequence, std::size_t token) const {
    const auto x = arrays_.of<float>(A::x).subspan((sequence * size_.length + token) * size_.hidden, size_.hidden);
    return {x.begin(), x.end()};
  }
  [[nodiscard]] Row dense(const Row& x, std::size_t weights, std::size_t bias, std::size_t out) const {
    const auto w = arrays_.of<float>(weights), b = arrays_.of<float>(bias);
    Row y(b.begin(), b.end());
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < out; ++j) y[j] += x[i] * w[i * out + j];
    }
    return y;
  }
  /// What one token takes from the values of all, head by head.
  [[nodiscard]] Row context(const std::vector<Row>& qkv, std::size_t token) const {
    const std::size_t h = size_.hidden, d = size_.head();
    Row all(h);
    for (std::size_t head = 0; head < size_.heads; ++head) {
      Row weight;
      for (const Row& other : qkv) {
        double dot = 0;
        for (std::size_t e = head * d; e < (head + 1) * d; ++e) dot += qkv[token][e] * other[h + e];
        weight.push_back(std::exp(dot / std::sqrt(static_cast<double>(d))));
      }
      const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
      for (std::size_t j = 0; j < qkv.size(); ++j) {
        for (std::size_t e = head * d; e < (head + 1) * d; ++e) all[e] += weight[j] / total * qkv[j][2 * h + e];
      }
    }
    return all;
  }
  [[nodiscard]] static Row sum(Row a, const Row& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }
  [[nodiscard]] Row norm(Row x, std::size_t which) const {
    const auto width = static_cast<double>(x.size());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / width;
    double square = 0;
    for (const double v : x) square += (v - mean) * (v - mean);
    const double scale = 1 / std::sqrt(square / width + double{layer_norm_eps});
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t place = which * x.size() + i;
      x[i] = (x[i] - mean) * scale * arrays_.of<float>(A::gain)[place] + arrays_.of<float>(A::shift)[place];
    }
    return x;
  }
  const Arrays& arrays_;
  TransformerSize size_;
};

void check_norms(const Arrays& arrays, const TransformerSize& size, Comparison& compare) {
  const auto out = arrays.of<float>(A::out), gain = arrays.of<float>(A::gain), shift = arrays.of<float>(A::shift);
  const std::size_t h = size.hidden;
  for (std::size_t t = 0; t < size.tokens(); ++t) {
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < h; ++i) {
      const double v = (double{out[t * h + i]} - shift[h + i]) / gain[h + i];
      sum += v;
      square += v * v;
    }
    compare.add(sum / static_cast<double>(h), 0, tolerance, "mean of token", t);
    compare.add(square / static_cast<double>(h), 1, tolerance, "variance of token", t);
  }
}

}  // namespace

Verdict check_transformer(const Arrays& arrays, const TransformerSize& size) {
  const auto out = arrays.of<float>(A::out);
  const Reference reference(arrays, size);
  Comparison compare;
  std::vector<std::size_t> sequences = sample_positions(size.batch, 2), tokens = sample_positions(size.length, 4);
  for (const std::size_t sequence : sequences) {
    const auto expected = reference.tokens(sequence, tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::size_t start = (sequence * size.length + tokens[i]) * size.hidden;
      for (std::size_t j = 0; j < size.hidden; ++j) {
        compare.add(out[start + j], expected[i][j], tolerance, "output", start + j);
      }
    }
  }
  check_norms(arrays, size, compare);
  return compare.verdict(arrays);
}

}  // namespace palstudy
