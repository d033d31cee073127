// SPDX-License-Identifier: MIT
#include "stats/interval.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/random.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {

const char* name_of(Missing why) {
  return std::array{"nothing",   "idle-seeds", "few-seeds", "few-seeds", "few-seeds",
                    "few-seeds", "few-seeds",  "no-spread", "few-decide"}[static_cast<std::size_t>(why)];
}

const char* counted_by(Missing why) {
  return std::array{"", "", "replications", "cluster seeds", "workload seeds", "blocks", "resamples", "", ""}
      [static_cast<std::size_t>(why)];
}

NoInterval too_few(std::size_t have, Missing why) {
  return have < least_replications ? NoInterval{why, have, least_replications} : NoInterval();
}

const char* name_of(IntervalMethod method) {
  return std::array{
      "none", "t", "bootstrap-t", "crossed-t", "crossed-bootstrap-t", "resamples-t"}[static_cast<std::size_t>(method)];
}

namespace {

constexpr std::uint64_t resampling_seed = 1;

/// The tail of one of several intervals that hold together.
double tail_of(std::size_t comparisons) { return (1 - confidence) / 2 / static_cast<double>(comparisons); }

// How often each of n lines is drawn in n draws with replacement.
void draw_counts(RandomStream& random, std::vector<double>& counts) {
  std::ranges::fill(counts, 0.0);
  const auto n = static_cast<std::uint32_t>(counts.size());
  for (std::uint32_t i = 0; i < n; ++i) counts[random.below(n)] += 1;
}

// Replications that stand by themselves, resampled.
class OneWay {
 public:
  explicit OneWay(const Grid& grid) : grid_(grid), counts_(grid.cells.size()) {}

  Estimate operator()(RandomStream& random) {
    draw_counts(random, counts_);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) sum += counts_[i] * grid_.cells[i].value;
    const auto n = static_cast<double>(counts_.size());
    const double centre = sum / n;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const double off = grid_.cells[i].value - centre;
      squares += counts_[i] * off * off;
    }
    return {centre, std::sqrt(squares / (n - 1) / n), n - 1};
  }

 private:
  const Grid& grid_;
  std::vector<double> counts_;
};

// Rows and columns resampled, each by itself. Made as a grid, so that its error is taken as that of the data is.
class TwoWay {
 public:
  explicit TwoWay(const Grid& grid) : grid_(grid), values_(grid.rows * grid.columns, missing) {
    for (const auto& cell : grid.cells) values_[cell.row * grid.columns + cell.column] = cell.value;
  }

  Estimate operator()(RandomStream& random) {
    draw(random, grid_.rows, rows_);
    draw(random, grid_.columns, columns_);
    resample_.rows = grid_.rows;
    resample_.columns = grid_.columns;
    resample_.cells.clear();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const double* row = &values_[rows_[r] * grid_.columns];
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (const double value = row[columns_[c]]; !std::isnan(value)) resample_.cells.push_back({r, c, value});
      }
    }
    return resample_.cells.size() < 2 ? Estimate{} : estimate(resample_);
  }

 private:
  static constexpr double missing = nan;
  static void draw(RandomStream& random, std::size_t lines, std::vector<std::size_t>& out) {
    out.resize(lines);
    for (auto& line : out) line = random.below(static_cast<std::uint32_t>(lines));
  }

  const Grid& grid_;
  std::vector<double> values_;
  std::vector<std::size_t> rows_, columns_;
  Grid resample_;
};

template <class Resample>
std::vector<double> studentized(Resample resample, const Estimate& whole, int times) {
  RandomStream random(resampling_seed, Purpose::resample, 0);
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(times));
  for (int b = 0; b < times; ++b) {
    const Estimate one = resample(random);
    // One replication drawn again and again has no spread, and says nothing.
    if (one.standard_error > 1e-9 * whole.standard_error) {
      result.push_back((one.centre - whole.centre) / one.standard_error);
    }
  }
  std::ranges::sort(result);
  return result;
}

// The share of resamples that lie as far out as 0 does, on the side of 0, twice; never 0, since more resamples might.
double bootstrap_p(const std::vector<double>& sorted, const Estimate& whole) {
  const double observed = whole.centre / whole.standard_error;
  const auto below = std::upper_bound(sorted.begin(), sorted.end(), observed) - sorted.begin();
  const auto above = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), observed);
  const auto n = static_cast<double>(sorted.size());
  return std::min(1.0, 2 * (static_cast<double>(std::min<std::ptrdiff_t>(below, above)) + 1) / (n + 1));
}

}  // namespace

Interval student_interval(const Estimate& estimate, std::size_t comparisons) {
  if (!(estimate.degrees > 0)) throw fault("an interval without degrees of freedom");
  const boost::math::students_t t(estimate.degrees);
  const double half = boost::math::quantile(t, 1 - tail_of(comparisons)) * estimate.standard_error;
  double p = 1;
  if (estimate.standard_error > 0) {
    p = 2 * boost::math::cdf(boost::math::complement(t, std::abs(estimate.centre / estimate.standard_error)));
  }
  return {estimate.centre - half, estimate.centre + half, p};
}

std::optional<Interval> bootstrap_interval(const Grid& grid, const Estimate& whole, std::size_t comparisons) {
  const double tail = tail_of(comparisons);
  const int times = std::max(resamples, static_cast<int>(std::ceil(least_in_tail / tail)));
  const auto t = grid.crossed() ? studentized(TwoWay(grid), whole, times) : studentized(OneWay(grid), whole, times);
  if (t.size() < static_cast<std::size_t>(times) / 2) return std::nullopt;
  return Interval{whole.centre - sorted_quantile(t, 1 - tail) * whole.standard_error,
                  whole.centre - sorted_quantile(t, tail) * whole.standard_error, bootstrap_p(t, whole)};
}

}  // namespace palstudy
