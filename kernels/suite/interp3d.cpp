// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { field, x, y, z, out };

/// The field of a periodic cube at points that a smooth flow has displaced, by cubic Lagrange polynomials along each
/// axis: the step of a semi-Lagrangian solver.
class Interp3d : public Problem {
 public:
  explicit Interp3d(const ParamValues& params) : n_(size_param(params, "n")), cells_(params.number("cells")) {}

  /// Per point 14 for the weights of each axis, and 2 for each of 64 + 16 + 4 weighted terms.
  [[nodiscard]] double flops() const override { return 210 * points(); }
  /// The least: three coordinates, a result, and each value of the field from memory once.
  [[nodiscard]] double bytes() const override { return 4 * 5 * points(); }
  /// The most: each point fetches its 64 values of the field for itself.
  [[nodiscard]] double bytes_most() const override { return 4 * (4 + 64) * points(); }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    const std::size_t size = 4 * n_ * n_ * n_;
    return {{"field", size, ArrayRole::input},
            {"x", size, ArrayRole::input},
            {"y", size, ArrayRole::input},
            {"z", size, ArrayRole::input},
            {"out", size, ArrayRole::output}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    fill_uniform(arrays.of<float>(field), seed, field, -1, 1);
    RandomStream stream(seed, Purpose::kernel_input, x);
    for (const std::size_t axis : {x, y, z}) displace(arrays.of<float>(axis), axis - x, stream.uniform());
  }
  void compute(Arrays& arrays) const override {
    const auto to = arrays.of<float>(out);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = at<float>(arrays, i);
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    const auto got = arrays.of<float>(out);
    Comparison compare;
    // Weights of up to 1 and values of up to 1, about 100 operations deep.
    for (const std::size_t i : sample_positions(got.size(), 200'000)) {
      compare.add(got[i], at<double>(arrays, i), 100 * float_eps, "point", i);
    }
    return compare.verdict(arrays);
  }

 private:
  [[nodiscard]] double points() const { return static_cast<double>(n_ * n_ * n_); }

  /// Coordinate `axis` of each point: its own place plus a wave of `cells_` cells that runs along the next axis.
  void displace(std::span<float> coordinate, std::size_t axis, double phase) const {
    std::vector<double> wave(n_);
    const auto n = static_cast<double>(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      wave[i] = cells_ * std::sin(2 * std::numbers::pi * (static_cast<double>(i) / n + phase)) + 0.37;
    }
    std::size_t place[3] = {0, 0, 0};
    for (float& value : coordinate) {
      double moved = static_cast<double>(place[axis]) + wave[place[(axis + 1) % 3]];
      moved -= std::floor(moved / n) * n;
      const auto rounded = static_cast<float>(moved);
      value = rounded < static_cast<float>(n_) ? rounded : 0.0F;
      for (std::size_t& along : place) {  // to the next point, x fastest
        if (++along < n_) break;
        along = 0;
      }
    }
  }

  template <class T>
  struct Axis {
    std::size_t place[4];
    T weight[4];
  };
  /// The four points around a coordinate, and the values there of their Lagrange polynomials.
  template <class T>
  [[nodiscard]] Axis<T> around(float coordinate) const {
    const auto cell = static_cast<std::size_t>(coordinate);
    const T t = static_cast<T>(coordinate) - static_cast<T>(cell);
    const T below = t + 1, above = t - 1, far = t - 2;
    const T inner = t * above, outer = below * far;
    return {{(cell + n_ - 1) % n_, cell, (cell + 1) % n_, (cell + 2) % n_},
            {inner * far * static_cast<T>(-1.0 / 6), outer * above * static_cast<T>(0.5),
             outer * t * static_cast<T>(-0.5), inner * below * static_cast<T>(1.0 / 6)}};
  }
  template <class T>
  [[nodiscard]] T at(const Arrays& arrays, std::size_t i) const {
    const auto ax = around<T>(arrays.of<float>(x)[i]), ay = around<T>(arrays.of<float>(y)[i]),
               az = around<T>(arrays.of<float>(z)[i]);
    const float* values = arrays.of<float>(field).data();
    T sum = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      T plane = 0;
      for (std::size_t b = 0; b < 4; ++b) {
        const float* row = values + (az.place[c] * n_ + ay.place[b]) * n_;
        T line = 0;
        for (std::size_t a = 0; a < 4; ++a) line += ax.weight[a] * static_cast<T>(row[ax.place[a]]);
        plane += ay.weight[b] * line;
      }
      sum += az.weight[c] * plane;
    }
    return sum;
  }
  std::size_t n_;
  double cells_;
};

}  // namespace

void register_kernel_interp3d(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "image registration (CLAIRE), semi-Lagrangian codes; class B";
  make.pipe = "fp32";
  make.host_sizes = {{"n", "64"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Interp3d>(params); };
  registry.add({"interp3d",
                "cubic interpolation in a cube at points displaced by a smooth flow",
                {{"n", ParamType::integer, "", "points along a side", "384", 4, 1024},
                 {"cells", ParamType::number, "", "amplitude of the displacement, in cells", "5", 0, 1000}},
                make});
}

}  // namespace palstudy
