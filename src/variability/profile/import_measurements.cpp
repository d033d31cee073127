// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "variability/profile/profile_import.hpp"
#include "variability/sources/cluster_sources.hpp"

namespace palstudy {
namespace {

constexpr long long earliest_second = 1000000000;  // 2001: smaller numbers of a run count, they are no times

std::optional<std::size_t> column_of(const CsvTable& table, const char* name) {
  if (!table.has_column(name)) return std::nullopt;
  return table.column(name);
}

double number_or_nan(const CsvTable& table, std::size_t row, std::optional<std::size_t> column) {
  if (!column || table.text(row, *column).empty()) return nan;
  return table.number(row, *column);
}

std::vector<ProfileGpu> make_gpus(const Measurements& measured, const CsvTable& table) {
  const auto cabinet = column_of(table, "cabinet");
  std::vector<ProfileGpu> gpus;
  for (std::size_t row = 0; row < measured.gpus.size(); ++row) {
    ProfileGpu gpu;
    gpu.uuid = measured.gpus[row].id;
    gpu.host = measured.gpus[row].host;
    gpu.local = measured.gpus[row].local;
    if (cabinet) gpu.cabinet = table.text(row, *cabinet);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

/// The columns of a run beside its time.
class RunColumns {
 public:
  explicit RunColumns(const CsvTable& table)
      : table_(table),
        run_(column_of(table, "run")),
        power_(column_of(table, "power_w")),
        temp_(column_of(table, "temp_c")),
        clock_(column_of(table, "sm_mhz")) {}

  void fill(std::size_t row, ProfileRepeat& repeat) const {
    constexpr long long ns_per_s = 1000000000;
    if (run_ && !table_.text(row, *run_).empty()) {
      const long long run = table_.integer(row, *run_);
      if (run >= earliest_second && run < std::numeric_limits<long long>::max() / ns_per_s) {
        repeat.start_ns = run * ns_per_s;
      }
    }
    const double power = number_or_nan(table_, row, power_), temp = number_or_nan(table_, row, temp_),
                 clock = number_or_nan(table_, row, clock_);
    if (std::isnan(power) && std::isnan(temp) && std::isnan(clock)) return;
    repeat.telemetry = {{repeat.start_ns}, {clock}, {nan}, {power}, {temp}, {nan}, {0}};
  }

 private:
  const CsvTable& table_;
  std::optional<std::size_t> run_, power_, temp_, clock_;
};

}  // namespace

Profile import_measurements(const std::filesystem::path& path, const std::string& session) {
  const Measurements measured = read_measurements(path.parent_path(), path.stem().string());
  const CsvTable runs = CsvTable::read(path.parent_path() / "runs" / path.filename());
  Profile profile;
  profile.origin = "imported";
  profile.gpus = make_gpus(measured, CsvTable::read(path));
  ProfileSession from;
  from.id = session;
  from.backend = "import";
  profile.sessions = {from};
  ProfileKernel kernel;
  kernel.name = measured.name;
  profile.kernels = {kernel};
  std::map<std::string, std::int32_t, std::less<>> index;
  for (const auto& gpu : measured.gpus) index.emplace(gpu.id, static_cast<std::int32_t>(index.size()));
  std::vector<std::int32_t> used(measured.gpus.size());
  const std::size_t id = runs.column("gpu_id"), time = runs.column("time_ms");
  const RunColumns columns(runs);
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    ProfileRepeat repeat;
    repeat.gpu = index.find(runs.text(row, id))->second;  // read_measurements has seen to it that it is there
    repeat.repeat = used[static_cast<std::size_t>(repeat.gpu)]++;
    repeat.batch_ms = {static_cast<float>(runs.number(row, time))};
    if (!(repeat.batch_ms.front() > 0) || !std::isfinite(repeat.batch_ms.front())) {
      throw data_error("a time that single precision cannot hold", runs.where(row, time), "Check its unit.");
    }
    columns.fill(row, repeat);
    profile.repeats.push_back(std::move(repeat));
  }
  return profile;
}

}  // namespace palstudy
