// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

namespace palstudy {

/// How long jobs run: ln(seconds) is piecewise linear in the share of jobs that are shorter, between the percentiles
/// that are known; the outer slopes are extended, and nothing is longer than a limit.
class DurationDistribution {
 public:
  /// `shares` ascend within [0, 1], `seconds` ascend and are over 0; two at least. Where they do not reach 0 or 1 the
  /// outer slopes go on. Nothing is over `longest_s`. Errors (fault): anything else.
  DurationDistribution(std::span<const double> shares, std::span<const double> seconds, double longest_s);

  /// Seconds that a share `u` in [0, 1] of the jobs falls short of.
  [[nodiscard]] double quantile(double u) const;
  /// Mean seconds, in closed form: a log-uniform piece from a to b has the mean (b - a) / ln(b / a).
  [[nodiscard]] double mean_s() const { return mean_s_; }
  /// What is left of a job found running at an instant of the steady state: jobs are met in proportion to their length
  /// (within a piece: uniformly from a to b), at any point of their life. The three are uniform in [0, 1).
  [[nodiscard]] double residual(double piece, double length, double past) const;

 private:
  struct Piece {
    double from, to;       // shares
    double ln_s, slope;    // ln(seconds) at `from`, and per share
    double low_s, high_s;  // seconds at `from` and `to`
  };
  void add_piece(double from, double to, double low_s, double high_s, double longest_s);

  std::vector<Piece> pieces_;
  std::vector<double> time_before_;  // share of all job-seconds in the pieces up to and with this one
  double mean_s_ = 0;
};

}  // namespace palstudy
