// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { image, weights, out };

/// A layer of 3x3 convolutions with a border of one zero: image [batch][in][side][side], weights [out][in][3][3],
/// result [batch][out][side][side], float32.
class Conv3x3 : public Problem {
 public:
  explicit Conv3x3(const ParamValues& params)
      : batch_(size_param(params, "batch")),
        in_(size_param(params, "in")),
        out_(size_param(params, "out")),
        side_(size_param(params, "side")) {}

  [[nodiscard]] double flops() const override {
    return 2.0 * 9 * static_cast<double>(batch_ * out_ * side_ * side_) * static_cast<double>(in_);
  }
  [[nodiscard]] double bytes() const override {
    return 4.0 * static_cast<double>(batch_ * in_ * plane() + out_ * in_ * 9 + batch_ * out_ * plane());
  }
  /// As the matrix product that it is: every tile fetches the image for each of the nine taps.
  [[nodiscard]] double bytes_most() const override {
    const TiledProduct product{.rows = static_cast<double>(out_),
                               .columns = static_cast<double>(batch_ * plane()),
                               .depth = 9 * static_cast<double>(in_)};
    return product.bytes();
  }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    return {{"image", 4 * batch_ * in_ * plane(), ArrayRole::input},
            {"weights", 4 * out_ * in_ * 9, ArrayRole::input},
            {"out", 4 * batch_ * out_ * plane(), ArrayRole::output}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    fill_uniform(arrays.of<float>(image), seed, image, -1, 1);
    fill_uniform(arrays.of<float>(weights), seed, weights, -1, 1);
  }
  void compute(Arrays& arrays) const override {
    const auto from = arrays.of<float>(image), filter = arrays.of<float>(weights), to = arrays.of<float>(out);
    for (std::size_t n = 0; n < batch_; ++n) {
      for (std::size_t k = 0; k < out_; ++k) {
        float* result = to.data() + (n * out_ + k) * plane();
        std::fill_n(result, plane(), 0.0F);
        for (std::size_t c = 0; c < in_; ++c) {
          add_plane(from.data() + (n * in_ + c) * plane(), filter.data() + (k * in_ + c) * 9, result);
        }
      }
    }
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    Comparison compare;
    check_samples(arrays, compare);
    check_all(arrays, compare);
    return compare.verdict(arrays);
  }

 private:
  [[nodiscard]] std::size_t plane() const { return side_ * side_; }

  /// The contribution of one input plane to one output plane, row by row.
  void add_plane(const float* from, const float* filter, float* to) const {
    for (std::size_t tap = 0; tap < 9; ++tap) {
      const std::size_t r = tap / 3, s = tap % 3;
      const float weight = filter[tap];
      const std::size_t y0 = r == 0 ? 1 : 0, y1 = r == 2 ? side_ - 1 : side_;
      const std::size_t x0 = s == 0 ? 1 : 0, x1 = s == 2 ? side_ - 1 : side_;
      for (std::size_t y = y0; y < y1; ++y) {
        float* __restrict__ row = to + y * side_;
        const float* source = from + (y + r - 1) * side_ + s - 1;
        for (std::size_t x = x0; x < x1; ++x) row[x] += weight * source[x];
      }
    }
  }

  /// Calls use(input value, its channel and tap as an index) for every input under the filter at one place.
  template <class Use>
  void under_filter(std::span<const float> from, std::size_t n, std::size_t place, Use use) const {
    const std::size_t y = place / side_, x = place % side_;
    for (std::size_t c = 0; c < in_; ++c) {
      for (std::size_t tap = 0; tap < 9; ++tap) {
        const std::size_t yy = y + tap / 3, xx = x + tap % 3;  // one too large, to stay unsigned
        if (yy < 1 || yy > side_ || xx < 1 || xx > side_) continue;
        use(double{from[(n * in_ + c) * plane() + (yy - 1) * side_ + xx - 1]}, c * 9 + tap);
      }
    }
  }

  void check_samples(const Arrays& arrays, Comparison& compare) const {
    const auto from = arrays.of<float>(image), filter = arrays.of<float>(weights), got = arrays.of<float>(out);
    for (const std::size_t position : sample_positions(got.size(), 512)) {
      const std::size_t k = position / plane() % out_;
      double sum = 0, square = 0;
      under_filter(from, position / plane() / out_, position % plane(), [&](double value, std::size_t i) {
        const double product = value * filter[k * in_ * 9 + i];
        sum += product;
        square += product * product;
      });
      compare.add(got[position], sum, sum_tolerance(terms(), std::sqrt(square)), "output", position);
    }
  }

  /// Freivalds' idea: the outputs of all channels at a place, summed with random signs, are one convolution with the
  /// sum of the filters with those signs.
  void check_all(const Arrays& arrays, Comparison& compare) const {
    const auto from = arrays.of<float>(image), filter = arrays.of<float>(weights), got = arrays.of<float>(out);
    std::vector<double> signs(out_), together(in_ * 9), squares(in_ * 9);
    for (std::size_t k = 0; k < out_; ++k) {
      signs[k] = random_sign(k);
      for (std::size_t i = 0; i < in_ * 9; ++i) {
        const double weight = filter[k * in_ * 9 + i];
        together[i] += signs[k] * weight;
        squares[i] += weight * weight;
      }
    }
    for (std::size_t n = 0; n < batch_; ++n) {
      for (std::size_t place = 0; place < plane(); ++place) {
        double sum = 0, expected = 0, square = 0;
        for (std::size_t k = 0; k < out_; ++k) sum += signs[k] * got[(n * out_ + k) * plane() + place];
        under_filter(from, n, place, [&](double value, std::size_t i) {
          expected += value * together[i];
          square += value * value * squares[i];
        });
        compare.add(sum, expected, sum_tolerance(terms(), std::sqrt(square)), "outputs at place", n * plane() + place);
      }
    }
  }

  [[nodiscard]] double terms() const { return 9 * static_cast<double>(in_); }
  std::size_t batch_, in_, out_, side_;
};

}  // namespace

void register_kernel_conv3x3(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "convolutional networks (ResNet, VGG); class A";
  make.pipe = "fp32";
  make.host_sizes = {{"batch", "1"}, {"in", "64"}, {"out", "64"}, {"side", "28"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Conv3x3>(params); };
  registry.add({"conv3x3",
                "a layer of 3x3 convolutions, as a matrix product without the matrix",
                {{"batch", ParamType::integer, "", "images", "256", 1, 65535},
                 {"in", ParamType::integer, "", "channels of an image", "256", 1, 65535},
                 {"out", ParamType::integer, "", "channels of a result", "256", 1, 65535},
                 {"side", ParamType::integer, "", "pixels along a side", "28", 2, 4096}},
                make});
}

}  // namespace palstudy
