// SPDX-License-Identifier: MIT
#include "workload/synthetic/duration_distribution.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace palstudy {
namespace {

/// Mean of a log-uniform number from `low` to `high`.
double log_uniform_mean(double low, double high) {
  const double span = std::log(high / low);
  return span < 1e-9 ? (low + high) / 2 : (high - low) / span;
}

}  // namespace

DurationDistribution::DurationDistribution(std::span<const double> shares, std::span<const double> seconds,
                                           double longest_s) {
  const std::size_t n = shares.size();
  const bool sound = n >= 2 && seconds.size() == n && shares.front() >= 0 && shares.back() <= 1 && seconds[0] > 0 &&
                     std::ranges::is_sorted(seconds) && longest_s > seconds[0] &&
                     std::ranges::adjacent_find(shares, std::greater_equal<>()) == shares.end();
  if (!sound) throw fault("percentiles of durations have to ascend");
  const auto beyond = [&](std::size_t end, std::size_t inner, double share) {
    const double slope = std::log(seconds[end] / seconds[inner]) / (shares[end] - shares[inner]);
    return seconds[end] * std::exp(slope * (share - shares[end]));
  };
  if (shares[0] > 0) add_piece(0, shares[0], beyond(0, 1, 0), seconds[0], longest_s);
  for (std::size_t i = 1; i < n; ++i) add_piece(shares[i - 1], shares[i], seconds[i - 1], seconds[i], longest_s);
  if (shares[n - 1] < 1) add_piece(shares[n - 1], 1, seconds[n - 1], beyond(n - 1, n - 2, 1), longest_s);
  for (const Piece& piece : pieces_) {
    mean_s_ += (piece.to - piece.from) * log_uniform_mean(piece.low_s, piece.high_s);
    time_before_.push_back(mean_s_);
  }
  for (double& time : time_before_) time /= mean_s_;
}

void DurationDistribution::add_piece(double from, double to, double low_s, double high_s, double longest_s) {
  const double slope = std::log(high_s / low_s) / (to - from);
  if (low_s < longest_s && high_s > longest_s) {  // the limit lies inside: two pieces
    const double at = from + std::log(longest_s / low_s) / slope;
    pieces_.push_back({from, at, std::log(low_s), slope, low_s, longest_s});
    from = at;
  }
  if (high_s > longest_s) {
    pieces_.push_back({from, to, std::log(longest_s), 0, longest_s, longest_s});
  } else {
    pieces_.push_back({from, to, std::log(low_s), slope, low_s, high_s});
  }
}

double DurationDistribution::quantile(double u) const {
  const auto after =
      std::upper_bound(pieces_.begin() + 1, pieces_.end(), u, [](double x, const Piece& p) { return x < p.from; });
  const Piece& piece = *(after - 1);
  return std::exp(piece.ln_s + piece.slope * (u - piece.from));
}

double DurationDistribution::residual(double piece, double length, double past) const {
  const auto at = std::upper_bound(time_before_.begin(), time_before_.end() - 1, piece) - time_before_.begin();
  const Piece& met = pieces_[static_cast<std::size_t>(at)];
  return (met.low_s + length * (met.high_s - met.low_s)) * (1 - past);
}

}  // namespace palstudy
