// SPDX-License-Identifier: MIT
#include "kernels/compare.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr std::uint64_t sampling_seed = 20;  // not that of the inputs

}  // namespace

double sum_tolerance(double terms, double norm, double eps) { return 8 * std::sqrt(terms) * eps * norm; }

void Comparison::add(double got, double expected, double tolerance, std::string_view what, std::size_t position) {
  double error = std::abs(got - expected) / tolerance;
  if (got == expected) error = 0;  // also where the tolerance is 0
  if (!(error <= std::numeric_limits<double>::max())) error = std::numeric_limits<double>::infinity();
  if (error > worst_.error) {
    worst_ = {error, std::string(what) + " " + std::to_string(position) + ": " + shortest(got) + ", expected " +
                         shortest(expected)};
  }
}

Verdict Comparison::verdict(const Arrays& arrays) const {
  const std::size_t unwritten = arrays.unwritten();
  if (unwritten == 0) return worst_;
  return {std::numeric_limits<double>::infinity(), std::to_string(unwritten) + " words were never written"};
}

std::vector<std::size_t> sample_positions(std::size_t size, std::size_t count) {
  std::vector<std::size_t> all;
  if (size <= count) {
    all.resize(size);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  RandomStream stream(sampling_seed, Purpose::kernel_input, size);
  all = {0, size - 1};
  while (all.size() < count) all.push_back(static_cast<std::size_t>(stream.uniform() * static_cast<double>(size)));
  return all;
}

double random_sign(std::size_t position) {
  const auto words = draw(sampling_seed, Purpose::kernel_input, position / 128, 1);
  return ((words[(position / 32) % 4] >> (position % 32)) & 1U) != 0 ? 1.0 : -1.0;
}

}  // namespace palstudy
