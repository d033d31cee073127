// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "core/numbers.hpp"
#include "policy/power/forecast.hpp"

namespace palstudy {
namespace {

/// A ridge regression of the mean over the ticks to come on what is known: the present tick, means over the last half
/// hour, 1, 3 and 12 hours, the same ticks a day ago, and two harmonics of the day. It is fitted again every day to the
/// days before, so that no value after the present tick is used; before the third day it forecasts the last hour's
/// mean.
class Ridge {
 public:
  [[nodiscard]] std::optional<double> operator()(const PowerTick& tick, std::uint32_t ahead) {
    const auto day = static_cast<std::size_t>(std::max(1.0, day_s / tick.tick_s));
    const std::size_t fitted = tick.used.size() / day * day;
    if (fitted < 2 * day || fitted < day + ahead + terms) return last_mean(tick.used, tick.now(), hour(day));
    Model& model = models_[ahead];
    if (model.fitted != fitted) model = fit(tick.used.first(fitted), day, ahead);
    const Terms x = terms_at(tick.used, tick.now(), day, ahead);
    double value = 0;
    for (std::size_t t = 0; t < terms; ++t) value += model.weights[t] * x[t];
    return std::clamp(value, 0.0, static_cast<double>(tick.total));
  }

 private:
  static constexpr std::size_t terms = 11;
  static constexpr double penalty = 1;  // on every weight but the constant's
  using Terms = std::array<double, terms>;
  struct Model {
    std::size_t fitted = 0;  // ticks
    Terms weights{};
  };

  static std::size_t hour(std::size_t day) { return std::max<std::size_t>(1, day / 24); }
  /// The mean of `count` ticks of which `at` is the last.
  static double last_mean(std::span<const double> used, std::size_t at, std::size_t count) {
    count = std::min(count, at + 1);
    return mean_from(used, at + 1 - count, count);
  }

  static Terms terms_at(std::span<const double> used, std::size_t at, std::size_t day, std::size_t ahead) {
    const double phase = 2 * std::numbers::pi * static_cast<double>(at % day) / static_cast<double>(day);
    const std::size_t h = hour(day);
    return {1.0,
            used[at],
            last_mean(used, at, (h + 1) / 2),
            last_mean(used, at, h),
            last_mean(used, at, 3 * h),
            last_mean(used, at, 12 * h),
            mean_from(used.first(at + 1), at - day, ahead),
            std::sin(phase),
            std::cos(phase),
            std::sin(2 * phase),
            std::cos(2 * phase)};
  }

  static Model fit(std::span<const double> used, std::size_t day, std::size_t ahead) {
    std::array<Terms, terms> products{};
    Terms targets{};
    for (std::size_t t = 1; t < terms; ++t) products[t][t] = penalty;
    for (std::size_t at = day; at + ahead <= used.size(); ++at) {
      const Terms x = terms_at(used, at, day, ahead);
      const double y = mean_from(used, at, ahead);
      for (std::size_t a = 0; a < terms; ++a) {
        targets[a] += x[a] * y;
        for (std::size_t b = 0; b < terms; ++b) products[a][b] += x[a] * x[b];
      }
    }
    return {used.size(), solve(products, targets)};
  }

  /// By Gauss's elimination; the matrix is positive definite, so that no pivot is 0.
  static Terms solve(std::array<Terms, terms>& a, Terms b) {
    for (std::size_t k = 0; k < terms; ++k) {
      for (std::size_t row = k + 1; row < terms; ++row) {
        const double factor = a[row][k] / a[k][k];
        for (std::size_t column = k; column < terms; ++column) a[row][column] -= factor * a[k][column];
        b[row] -= factor * b[k];
      }
    }
    for (std::size_t k = terms; k-- > 0;) {
      for (std::size_t column = k + 1; column < terms; ++column) b[k] -= a[k][column] * b[column];
      b[k] /= a[k][k];
    }
    return b;
  }

  std::map<std::uint32_t, Model> models_;  // by `ahead`; a function of the ticks, so no part of a checkpoint
};

}  // namespace

void register_forecast_ridge(ForecastRegistry& registry) {
  registry.add({"ridge",
                "a ridge regression on recent ticks, the day before and the time of day, fitted again every day",
                {},
                [] { return Ridge(); }});
}

}  // namespace palstudy
