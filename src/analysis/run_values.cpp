// SPDX-License-Identifier: MIT
#include "analysis/run_values.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "analysis/comparison.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

namespace {

// Equal values have equal keys, for any type of values.
std::int64_t key_of(const ColumnValues& values, std::size_t at) {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) return (*integers)[at];
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return std::bit_cast<std::int64_t>((*reals)[at]);
  return std::get<TextColumn>(values).codes[at];
}

}  // namespace

Codes combined(const std::vector<Codes>& columns, std::size_t rows) {
  Codes result(rows, 0);
  for (const Codes& column : columns) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto fresh = static_cast<std::uint32_t>(numbers.size());
      result[row] = numbers.try_emplace({result[row], column[row]}, fresh).first->second;
    }
  }
  return result;
}

RunValues::RunValues(const ArchiveReader& archive) : archive_(archive), axes_(archive.axis_keys()) {
  for (const TableId id : {TableId::runs, TableId::provenance_runs}) {
    for (const auto& name : archive.columns(id)) table_of_.emplace(name, id);
  }
  run_of_row_.resize(size(values("run")));
  std::iota(run_of_row_.begin(), run_of_row_.end(), std::size_t{0});
}

const Study& RunValues::needed_study() const {
  if (!study_) study_ = std::make_shared<const Study>(parse_study(archive_.resolved_study(), "/study/resolved"));
  return *study_;
}

std::shared_ptr<const Study> RunValues::shared_study() const {
  if (!study_ && !archive_.resolved_study().empty()) (void)needed_study();
  return study_;
}

bool RunValues::any_run(bool (*such)(const RunPlan&)) const {
  return study() != nullptr && std::ranges::any_of(study()->runs, such);
}

bool RunValues::has(const std::string& column) const { return table_of_.contains(column) || of_row_.contains(column); }

const ColumnValues& RunValues::values(const std::string& column) const {
  const auto known = read_.find(column);
  if (known != read_.end()) return known->second;
  const auto table = table_of_.find(column);
  if (table == table_of_.end()) throw data_error("the archive has no column " + column, "/runs");
  return read_.emplace(column, archive_.column(table->second, column)).first->second;
}

RunValues::Place RunValues::place(const std::string& column, std::size_t row) const {
  const auto own = of_row_.find(column);
  if (own != of_row_.end()) return {own->second, row};
  return {values(column), run_of_row_[row]};
}

std::string RunValues::text(const std::string& column, std::size_t row) const {
  const auto [values, at] = place(column, row);
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) return std::to_string((*integers)[at]);
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return shortest((*reals)[at]);
  return std::get<TextColumn>(values).at(at);
}

double RunValues::number(const std::string& column, std::size_t row) const {
  const auto [values, at] = place(column, row);
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values))
    return static_cast<double>((*integers)[at]);
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) return (*reals)[at];
  throw usage_error("is text, not a number", column);
}

Codes RunValues::codes(const std::string& column) const {
  Codes result(rows());
  std::map<std::int64_t, std::uint32_t> numbers;
  for (std::size_t row = 0; row < rows(); ++row) {
    const auto [values, at] = place(column, row);
    result[row] = numbers.try_emplace(key_of(values, at), static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  return result;
}

void RunValues::spread(std::vector<std::size_t> run_of_row, std::map<std::string, ColumnValues> columns) {
  run_of_row_ = std::move(run_of_row);
  of_row_ = std::move(columns);
}

namespace {

std::string stem(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const auto dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace

std::map<std::string, std::string> trace_names(const std::vector<std::string>& paths) {
  const std::set<std::string> distinct(paths.begin(), paths.end());
  std::map<std::string, std::size_t> with_stem;
  for (const auto& path : distinct) ++with_stem[stem(path)];
  std::map<std::string, std::string> names;
  for (const auto& path : distinct) names.emplace(path, with_stem.at(stem(path)) == 1 ? stem(path) : path);
  return names;
}

}  // namespace palstudy
