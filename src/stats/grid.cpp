// SPDX-License-Identifier: MIT
#include "stats/grid.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"

namespace palstudy {
namespace {

// Logarithms of ratios that are equal on paper differ by the last bits.
bool same(double a, double b) { return std::abs(a - b) <= 1e-12 * (1 + std::abs(a)); }

double mean_of(const std::vector<Grid::Cell>& cells) {
  double sum = 0;
  for (const auto& cell : cells) sum += cell.value;
  return sum / static_cast<double>(cells.size());
}

std::size_t& place(Grid::Cell& cell, bool row) { return row ? cell.row : cell.column; }

// Rows (or columns) numbered 0, 1, 2, ... in ascending order; returns how many there are.
std::size_t renumber(std::vector<Grid::Cell>& cells, bool row) {
  std::map<std::size_t, std::size_t> numbers;
  for (auto& cell : cells) numbers.emplace(place(cell, row), 0);
  std::size_t next = 0;
  for (auto& [old, number] : numbers) number = next++;
  for (auto& cell : cells) place(cell, row) = numbers.at(place(cell, row));
  return numbers.size();
}

// One cell for each row (or column) that is left, its mean.
std::vector<Grid::Cell> folded(const std::vector<Grid::Cell>& cells, bool keep_rows) {
  std::map<std::size_t, std::vector<Grid::Cell>> lines;
  for (auto cell : cells) lines[place(cell, keep_rows)].push_back(cell);
  std::vector<Grid::Cell> result;
  for (const auto& [line, of_line] : lines) result.push_back({line, 0, mean_of(of_line)});
  return result;
}

// Whether all cells of each row (or column) agree.
bool lines_agree(const std::vector<Grid::Cell>& cells, bool rows) {
  std::map<std::size_t, double> first;
  return std::ranges::all_of(cells, [&](Grid::Cell cell) {
    return same(first.emplace(place(cell, rows), cell.value).first->second, cell.value);
  });
}

/// By row, or by column.
struct RowOrColumnSums {
  std::vector<double> sum, count;
};

RowOrColumnSums sums_of(const Grid& grid, bool rows, double centre) {
  const std::size_t lines = rows ? grid.rows : grid.columns;
  RowOrColumnSums result{std::vector<double>(lines), std::vector<double>(lines)};
  for (auto cell : grid.cells) {
    result.sum[place(cell, rows)] += cell.value - centre;
    result.count[place(cell, rows)] += 1;
  }
  return result;
}

// Mean square between lines: in a full grid that of the analysis of variance.
double mean_square(const RowOrColumnSums& lines, std::size_t cells) {
  double squares = 0;
  for (const double sum : lines.sum) squares += sum * sum;
  const auto n = static_cast<double>(lines.sum.size());
  return squares * n / (n - 1) / static_cast<double>(cells);
}

double mean_square_of_rest(const Grid& grid, double centre, const RowOrColumnSums& rows, const RowOrColumnSums& columns,
                           double degrees) {
  double squares = 0;
  for (const auto& cell : grid.cells) {
    const double rest = cell.value - centre - rows.sum[cell.row] / rows.count[cell.row] -
                        columns.sum[cell.column] / columns.count[cell.column];
    squares += rest * rest;
  }
  return squares / degrees;
}

Estimate one_way(const Grid& grid, double centre) {
  double squares = 0;
  for (const auto& cell : grid.cells) squares += (cell.value - centre) * (cell.value - centre);
  const auto n = static_cast<double>(grid.cells.size());
  return {centre, std::sqrt(squares / (n - 1) / n), n - 1};
}

Estimate two_way(const Grid& grid, double centre) {
  const auto rows = sums_of(grid, true, centre), columns = sums_of(grid, false, centre);
  const double by_row = mean_square(rows, grid.cells.size()), by_column = mean_square(columns, grid.cells.size());
  const double row_degrees = static_cast<double>(grid.rows) - 1, column_degrees = static_cast<double>(grid.columns) - 1;
  const double rest_degrees = static_cast<double>(grid.cells.size()) - 1 - row_degrees - column_degrees;
  const double rest = rest_degrees > 0 ? mean_square_of_rest(grid, centre, rows, columns, rest_degrees) : 0;
  const auto cells = static_cast<double>(grid.cells.size());
  const auto with = [&](double square, double degrees) { return Estimate{centre, std::sqrt(square / cells), degrees}; };
  const double sum = by_row + by_column - rest;
  if (rest_degrees <= 0 || sum < std::max(by_row, by_column)) {
    return by_row > by_column ? with(by_row, row_degrees) : with(by_column, column_degrees);
  }
  const double spread =
      by_row * by_row / row_degrees + by_column * by_column / column_degrees + rest * rest / rest_degrees;
  return with(sum, sum * sum / spread);
}

}  // namespace

bool Grid::constant() const {
  return std::ranges::all_of(cells, [&](const Cell& cell) { return same(cells.front().value, cell.value); });
}

Grid make_grid(std::span<const Observation> observations) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Grid::Cell>> pairs;
  for (const auto& one : observations) {
    pairs[{one.cluster, one.workload}].push_back({one.cluster, one.workload, one.value});
  }
  Grid grid;
  for (const auto& [pair, seen] : pairs) grid.cells.push_back({pair.first, pair.second, mean_of(seen)});
  grid.rows = renumber(grid.cells, true);
  grid.columns = renumber(grid.cells, false);
  const std::size_t cells = grid.cells.size();
  if (cells == grid.rows && cells == grid.columns) {  // the seeds go together
    for (auto& cell : grid.cells) cell.column = 0;
  } else if (grid.rows == 1 || (grid.columns > 1 && lines_agree(grid.cells, false))) {
    grid.cells = folded(grid.cells, false);
    grid.by = Replicated::workloads;
  } else if (grid.columns == 1 || lines_agree(grid.cells, true)) {
    grid.cells = folded(grid.cells, true);
    grid.by = Replicated::clusters;
  } else {
    grid.by = Replicated::crossed;
    return grid;
  }
  grid.rows = grid.cells.size();
  grid.columns = 1;
  return grid;
}

Estimate estimate(const Grid& grid) {
  if (grid.cells.size() < 2) throw fault("an estimate from fewer than two replications");
  const double centre = mean_of(grid.cells);
  return grid.crossed() ? two_way(grid, centre) : one_way(grid, centre);
}

}  // namespace palstudy
