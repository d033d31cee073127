// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/error.hpp"
#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { in, roots, out };
using Complex = std::complex<float>;
using Complex64 = std::complex<double>;

Complex64 root(std::size_t n, std::size_t i) {
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i % n) / static_cast<double>(n));
}

/// The forward transform of a cube of complex float32, x fastest: one pass along each axis.
class Fft3d : public Problem {
 public:
  explicit Fft3d(const ParamValues& params) : n_(size_param(params, "n")) {
    if (!std::has_single_bit(n_)) throw usage_error("n is not a power of two", "parameter n of kernel fft3d");
  }

  [[nodiscard]] double flops() const override { return 5 * size() * std::log2(size()); }
  [[nodiscard]] double bytes() const override { return 3 * 16 * size(); }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    return {{"in", 8 * n_ * n_ * n_, ArrayRole::input},
            {"roots", 8 * n_, ArrayRole::input},
            {"out", 8 * n_ * n_ * n_, ArrayRole::output}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    fill_uniform(arrays.of<float>(in), seed, in, -1, 1);
    for (std::size_t i = 0; i < n_; ++i) arrays.of<Complex>(roots)[i] = Complex(root(n_, i));
  }
  void compute(Arrays& arrays) const override {
    const Complex* from = arrays.of<Complex>(in).data();
    Complex* to = arrays.of<Complex>(out).data();
    const Complex* w = arrays.of<Complex>(roots).data();
    std::vector<Complex> line(n_), other(n_);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t stride = axis == 0 ? 1 : axis == 1 ? n_ : n_ * n_;
      for (std::size_t i = 0; i < n_ * n_; ++i) {
        const std::size_t start = axis == 0 ? i * n_ : axis == 1 ? i / n_ * n_ * n_ + i % n_ : i;
        for (std::size_t j = 0; j < n_; ++j) line[j] = from[start + j * stride];
        transform(line, other, w);
        for (std::size_t j = 0; j < n_; ++j) to[start + j * stride] = line[j];
      }
      from = to;  // the second and third pass work in place
    }
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    Comparison compare;
    // Four coefficients by their definition, then all of them at once.
    for (const std::size_t k : sample_positions(n_ * n_ * n_, 4)) {
      std::array<std::vector<double>, 3> one = {weights(), weights(), weights()};
      one[0][k % n_] = one[1][k / n_ % n_] = one[2][k / n_ / n_] = 1;
      compare_sum(arrays, one, compare, k);
    }
    std::array<std::vector<double>, 3> signs = {weights(), weights(), weights()};
    for (std::size_t i = 0; i < 3 * n_; ++i) signs[i / n_][i % n_] = random_sign(i);
    compare_sum(arrays, signs, compare, 0);
    return compare.verdict(arrays);
  }

 private:
  [[nodiscard]] double size() const { return static_cast<double>(n_ * n_ * n_); }
  [[nodiscard]] std::vector<double> weights() const { return std::vector<double>(n_); }

  /// Stockham's radix-2 transform, which needs no reversal of bits (Cochran et al., Proc. IEEE 55, 1967).
  void transform(std::vector<Complex>& line, std::vector<Complex>& other, const Complex* w) const {
    for (std::size_t done = 1; done < n_; done *= 2) {
      for (std::size_t j = 0; j < n_ / 2; j += done) {
        for (std::size_t k = 0; k < done; ++k) {
          const Complex t = w[k * (n_ / (2 * done))], x = line[j + k], y = line[j + k + n_ / 2];
          const Complex turned(t.real() * y.real() - t.imag() * y.imag(), t.real() * y.imag() + t.imag() * y.real());
          other[2 * j + k] = x + turned;
          other[2 * j + k + done] = x - turned;
        }
      }
      std::swap(line, other);
    }
  }

  /// The outputs weighted by u(x) v(y) w(z) and summed are, since the transform is linear and symmetric, the inputs
  /// weighted by the transforms of u, v and w: Freivalds' idea again, and the definition where the weights are one 1.
  void compare_sum(const Arrays& arrays, const std::array<std::vector<double>, 3>& weight, Comparison& compare,
                   std::size_t position) const {
    std::array<std::vector<Complex64>, 3> left, right;
    double norm = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      left[axis].assign(weight[axis].begin(), weight[axis].end());
      right[axis] = slow_transform(weight[axis]);
      double square = 0;
      for (const double u : weight[axis]) square += u * u;
      norm *= std::sqrt(square);
    }
    const Complex64 got = weighted(arrays.of<Complex>(out), left);
    const Complex64 expected = weighted(arrays.of<Complex>(in), right);
    double square = 0;
    for (const Complex& x : arrays.of<Complex>(in)) square += std::norm(Complex64(x));
    const double tolerance = 16 * float_eps * std::log2(size()) * std::sqrt(square) * norm;
    compare.add(std::abs(got - expected), 0, tolerance, "deviation of a sum of coefficients", position);
  }
  [[nodiscard]] std::vector<Complex64> slow_transform(const std::vector<double>& u) const {
    std::vector<Complex64> all(n_);
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t j = 0; j < n_; ++j) all[k] += u[j] * root(n_, j * k);
    }
    return all;
  }
  [[nodiscard]] Complex64 weighted(std::span<const Complex> values,
                                   const std::array<std::vector<Complex64>, 3>& w) const {
    Complex64 sum = 0;
    for (std::size_t row = 0; row < n_ * n_; ++row) {
      Complex64 along = 0;
      for (std::size_t x = 0; x < n_; ++x) along += Complex64(values[row * n_ + x]) * w[0][x];
      sum += along * w[1][row % n_] * w[2][row / n_];
    }
    return sum;
  }
  std::size_t n_;
};

KernelEntry entry(const std::string& name, const std::string& summary, const std::string& stands_for,
                  const std::string& library) {
  KernelMake make;
  make.stands_for = stands_for;
  make.pipe = "fp32";
  make.library = library;
  make.host_sizes = {{"n", "64"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Fft3d>(params); };
  return {name, summary, {{"n", ParamType::integer, "", "points along a side, a power of two", "512", 2, 512}}, make};
}

}  // namespace

void register_kernel_fft3d(KernelRegistry& registry) {
  registry.add(entry("fft3d", "Fourier transform of a cube of complex float32",
                     "image registration (CLAIRE), spectral codes; class C of three, D of four", ""));
  registry.add(entry("fft3d-cufft", "the same by cuFFT", "", "cuFFT"));
}

}  // namespace palstudy
