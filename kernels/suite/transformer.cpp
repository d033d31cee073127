// SPDX-License-Identifier: MIT
#include "kernels/suite/transformer.hpp"

#include <cmath>
#include <numbers>

#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"
#include "kernels/suite/host_gemm.hpp"
#include "kernels/transformer_check.hpp"

namespace palstudy {
namespace {

using A = TransformerArrays;

/// y = (x - mean) / deviation x gain + shift, along each row.
void layer_norm(const float* x, std::size_t rows, std::size_t width, const float* gain, const float* shift, float* y) {
  for (std::size_t r = 0; r < rows; ++r, x += width, y += width) {
    float sum = 0, square = 0;
    for (std::size_t i = 0; i < width; ++i) sum += x[i];
    const float mean = sum / static_cast<float>(width);
    for (std::size_t i = 0; i < width; ++i) square += (x[i] - mean) * (x[i] - mean);
    const float scale = 1 / std::sqrt(square / static_cast<float>(width) + layer_norm_eps);
    for (std::size_t i = 0; i < width; ++i) y[i] = (x[i] - mean) * scale * gain[i] + shift[i];
  }
}

void softmax(float* row, std::size_t width) {
  float most = row[0], sum = 0;
  for (std::size_t i = 1; i < width; ++i) most = std::max(most, row[i]);
  for (std::size_t i = 0; i < width; ++i) sum += row[i] = std::exp(row[i] - most);
  for (std::size_t i = 0; i < width; ++i) row[i] /= sum;
}

float gelu(float x) { return x * 0.5F * (1 + std::erf(x * std::numbers::sqrt2_v<float> / 2)); }

/// The forward pass of an encoder layer as in BERT (Vaswani et al., NIPS'17; Devlin et al., NAACL'19): attention, sum,
/// norm, two dense layers with GELU between, sum, norm; float32, no dropout.
class Transformer : public Problem {
 public:
  explicit Transformer(const ParamValues& params)
      : size_{size_param(params, "hidden"), size_param(params, "heads"), size_param(params, "length"),
              size_param(params, "batch")} {
    require_multiple("transformer", "hidden", size_.hidden, size_.heads);
  }

  /// The matrix products; and per element about 5 for the softmax, 9 for a norm with the sum before it, 1 for a bias
  /// and 9 for a GELU.
  [[nodiscard]] double flops() const override {
    const double t = real(size_.tokens()), h = real(size_.hidden), s = real(size_.length);
    return 24 * t * h * h + 4 * t * s * h + 5 * t * s * real(size_.heads) + t * h * (2 * 9 + 9 + 4 * 9);
  }
  /// Weights once; 26 times a row of each token (input 1; queries, keys, values 3 + 3; context 1 + 1; projection 1; sum
  /// and norm 2 + 1; up 1 + 4; down 4 + 1; norm 2 + 1); the scores four times.
  [[nodiscard]] double bytes() const override {
    const double t = real(size_.tokens()), h = real(size_.hidden);
    return 4 * (12 * h * h + 13 * h) + 4 * 26 * t * h + 4 * 4 * t * real(size_.length * size_.heads);
  }
  /// The same, but the four dense layers as products whose tiles share nothing.
  [[nodiscard]] double bytes_most() const override {
    const double t = real(size_.tokens()), h = real(size_.hidden);
    double sum = bytes();
    for (const auto& [in, out] : {std::pair(h, 3 * h), std::pair(h, h), std::pair(h, 4 * h), std::pair(4 * h, h)}) {
      sum += TiledProduct{.rows = t, .columns = out, .depth = in}.bytes() - 4 * (t * in + in * out + t * out);
    }
    return sum;
  }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    const std::size_t h = 4 * size_.hidden, rows = h * size_.tokens(), square = h * size_.hidden;
    constexpr auto in = ArrayRole::input, scratch = ArrayRole::scratch;
    return {{"x", rows, in},
            {"w_qkv", 3 * square, in},
            {"b_qkv", 3 * h, in},
            {"w_out", square, in},
            {"b_out", h, in},
            {"w_up", 4 * square, in},
            {"b_up", 4 * h, in},
            {"w_down", 4 * square, in},
            {"b_down", h, in},
            {"gain", 2 * h, in},
            {"shift", 2 * h, in},
            {"qkv", 3 * rows, scratch},
            {"scores", 4 * size_.tokens() * size_.length * size_.heads, scratch},
            {"context", rows, scratch},
            {"wide", 4 * rows, scratch},
            {"sum", rows, scratch},
            {"middle", rows, scratch},
            {"out", rows, ArrayRole::output}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    // Weights of variance 1/fan-in keep every stage of order 1.
    const auto bound = [](std::size_t fan_in) { return static_cast<float>(std::sqrt(3.0 / real(fan_in))); };
    for (std::size_t i = A::x; i <= A::shift; ++i) {
      const bool matrix = i == A::w_qkv || i == A::w_out || i == A::w_up || i == A::w_down;
      const float half = matrix ? bound(i == A::w_down ? 4 * size_.hidden : size_.hidden) : i == A::x ? 1.7F : 0.1F;
      const float middle = i == A::gain ? 1.0F : 0.0F;
      fill_uniform(arrays.of<float>(i), seed, i, middle - half, middle + half);
    }
  }
  void compute(Arrays& arrays) const override {
    const std::size_t t = size_.tokens(), h = size_.hidden;
    const auto at = [&](std::size_t i) { return arrays.of<float>(i).data(); };
    dense(at(A::x), at(A::w_qkv), at(A::b_qkv), at(A::qkv), h, 3 * h);
    attend(at(A::qkv), at(A::scores), at(A::context));
    dense(at(A::context), at(A::w_out), at(A::b_out), at(A::sum), h, h);
    for (std::size_t i = 0; i < t * h; ++i) at(A::sum)[i] += at(A::x)[i];
    layer_norm(at(A::sum), t, h, at(A::gain), at(A::shift), at(A::middle));
    dense(at(A::middle), at(A::w_up), at(A::b_up), at(A::wide), h, 4 * h);
    for (float& value : arrays.of<float>(A::wide)) value = gelu(value);
    dense(at(A::wide), at(A::w_down), at(A::b_down), at(A::sum), 4 * h, h);
    for (std::size_t i = 0; i < t * h; ++i) at(A::sum)[i] += at(A::middle)[i];
    layer_norm(at(A::sum), t, h, at(A::gain) + h, at(A::shift) + h, at(A::out));
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override { return check_transformer(arrays, size_); }

 private:
  static double real(std::size_t n) { return static_cast<double>(n); }

  void dense(const float* x, const float* w, const float* bias, float* y, std::size_t in, std::size_t out) const {
    host_gemm(size_.tokens(), out, in, x, in, w, out, y, out);
    for (std::size_t i = 0; i < size_.tokens(); ++i) {
      for (std::size_t j = 0; j < out; ++j) y[i * out + j] += bias[j];
    }
  }
  void attend(const float* qkv, float* scores, float* context) const {
    const std::size_t h = size_.hidden, s = size_.length, d = size_.head();
    const float scale = 1 / std::sqrt(static_cast<float>(d));
    for (std::size_t b = 0; b < size_.batch; ++b) {
      for (std::size_t head = 0; head < size_.heads; ++head) {
        const float* query = qkv + b * s * 3 * h + head * d;
        float* score = scores + (b * size_.heads + head) * s * s;
        for (std::size_t i = 0; i < s; ++i) {
          for (std::size_t j = 0; j < s; ++j) {
            const float *q = query + i * 3 * h, *k = query + h + j * 3 * h;
            float sum = 0;
            for (std::size_t e = 0; e < d; ++e) sum += q[e] * k[e];
            score[i * s + j] = sum * scale;
          }
          softmax(score + i * s, s);
        }
        host_gemm(s, d, s, score, s, query + 2 * h, 3 * h, context + b * s * h + head * d, h);
      }
    }
  }
  TransformerSize size_;
};

}  // namespace

void register_kernel_transformer(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "language models (BERT, GPT-2); class B";
  make.pipe = "fp32";
  make.by_default = true;
  make.host_sizes = {{"hidden", "128"}, {"heads", "4"}, {"length", "64"}, {"batch", "2"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Transformer>(params); };
  registry.add({"transformer",
                "forward pass of an encoder layer, float32",
                {{"hidden", ParamType::integer, "", "values of a token, a multiple of the heads", "1024", 2, 65536},
                 {"heads", ParamType::integer, "", "of attention", "16", 1, 1024},
                 {"length", ParamType::integer, "", "tokens of a sequence", "128", 1, 65536},
                 {"batch", ParamType::integer, "", "sequences", "64", 1, 65536}},
                make});
}

}  // namespace palstudy
