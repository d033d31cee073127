// SPDX-License-Identifier: MIT
#include "variability/sources/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "stats/descriptive.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {
namespace {

// Both files are rounded to 6 digits, so a median taken again differs in the last of them.
constexpr double median_tolerance = 1e-4;

using GpuIndex = std::map<std::string, std::size_t, std::less<>>;

double positive(const CsvTable& table, std::size_t row, std::size_t column) {
  const double value = table.number(row, column);
  if (!(value > 0)) {
    throw data_error(fmt::format("a time of {} is not positive", value), table.where(row, column),
                     "times have to be greater than zero; leave out what was not measured");
  }
  return value;
}

std::optional<std::size_t> column_if_there(const CsvTable& table, std::string_view name) {
  if (!table.has_column(name)) return std::nullopt;
  return table.column(name);
}

int local_index(const CsvTable& table, std::size_t row, std::optional<std::size_t> column) {
  if (!column || table.text(row, *column).empty()) return -1;
  return static_cast<int>(table.integer(row, *column, 0, max_gpus_per_node - 1));
}

GpuIndex read_gpus(const CsvTable& table, Measurements& into) {
  const std::size_t id = table.column("gpu_id");
  const auto host = column_if_there(table, "host");
  const auto local = column_if_there(table, "local_gpu");
  const auto temperature = column_if_there(table, "temp_c");
  GpuIndex index;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Measurements::Gpu gpu;
    gpu.id = table.text(row, id);
    if (gpu.id.empty()) throw data_error("a GPU without an id", table.where(row, id), "give each GPU an id");
    if (host) gpu.host = table.text(row, *host);
    gpu.local = local_index(table, row, local);
    if (temperature && !table.text(row, *temperature).empty()) gpu.temp_c = table.number(row, *temperature);
    if (!index.emplace(gpu.id, row).second) {
      throw data_error(fmt::format("GPU \"{}\" is there twice", gpu.id), table.where(row, id), "keep one row a GPU");
    }
    into.gpus.push_back(std::move(gpu));
  }
  if (into.gpus.empty()) throw data_error("no GPUs", table.name(), "one row a GPU is needed");
  return index;
}

void read_runs(const CsvTable& table, const std::string& gpu_file, const GpuIndex& index, Measurements& into) {
  const std::size_t id = table.column("gpu_id");
  const std::size_t time = table.column("time_ms");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto found = index.find(table.text(row, id));
    if (found == index.end()) {
      throw data_error(fmt::format("a run of GPU \"{}\", which {} does not have", table.text(row, id), gpu_file),
                       table.where(row, id), "both files have to be of one measurement");
    }
    into.gpus[found->second].times_ms.push_back(positive(table, row, time));
  }
}

// What the row of a GPU says about its runs has to be what its runs are.
void check_summary(const CsvTable& table, const std::string& run_file, const Measurements& measured) {
  const std::size_t id = table.column("gpu_id");
  const auto runs = column_if_there(table, "runs");
  const auto median = column_if_there(table, "median_ms");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto& gpu = measured.gpus[row];
    if (gpu.times_ms.empty()) {
      throw data_error(fmt::format("GPU \"{}\" has no runs in {}", gpu.id, run_file), table.where(row, id),
                       "both files have to be of one measurement");
    }
    if (runs && table.integer(row, *runs) != static_cast<long long>(gpu.times_ms.size())) {
      throw data_error(fmt::format("GPU \"{}\" has {} runs here and {} in {}", gpu.id, table.text(row, *runs),
                                   gpu.times_ms.size(), run_file),
                       table.where(row, *runs), "both files have to be of one measurement");
    }
    if (median && std::abs(positive(table, row, *median) - gpu.median) > median_tolerance * gpu.median) {
      throw data_error(fmt::format("GPU \"{}\" has the median {} here and {} over its runs in {}", gpu.id,
                                   table.text(row, *median), gpu.median, run_file),
                       table.where(row, *median), "both files have to be of one measurement");
    }
  }
}

}  // namespace

std::size_t Measurements::runs() const {
  std::size_t sum = 0;
  for (const auto& gpu : gpus) sum += gpu.times_ms.size();
  return sum;
}

Measurements read_measurements(const std::filesystem::path& dir, const std::string& name) {
  const CsvTable gpus = CsvTable::read(dir / (name + ".csv"));
  const CsvTable runs = CsvTable::read(dir / "runs" / (name + ".csv"));
  Measurements measured;
  measured.name = name;
  const GpuIndex index = read_gpus(gpus, measured);
  read_runs(runs, gpus.name(), index, measured);
  for (auto& gpu : measured.gpus) {
    if (!gpu.times_ms.empty()) gpu.median = median(gpu.times_ms);
  }
  check_summary(gpus, runs.name(), measured);
  return measured;
}

}  // namespace palstudy
