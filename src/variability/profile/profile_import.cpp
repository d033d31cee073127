// SPDX-License-Identifier: MIT
#include "variability/profile/profile_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "variability/sources/measurements.hpp"

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
      throw data_error("a time that single precision cannot hold", runs.where(row, time), "check its unit");
    }
    columns.fill(row, repeat);
    profile.repeats.push_back(std::move(repeat));
  }
  return profile;
}

namespace {

constexpr const char* duration_metric = "gpu__time_duration.sum";
constexpr std::string_view of_elapsed = ".avg.pct_of_peak_sustained_elapsed";
constexpr double most_percent = 110;  // counters of different passes may say a little over 100
constexpr const char* profile_again =
    "Run ncu --csv --metrics gpu__time_duration.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed and "
    "sm__inst_executed_pipe_*.avg.pct_of_peak_sustained_elapsed for fma, fp64, fp16, alu, xu, tensor.";

/// What is taken of a launch.
enum Quantity : std::size_t { duration, dram, fma, fp64, fp16, alu, xu, tensor, quantities };
constexpr std::array<const char*, quantities> quantity_names = {"duration", "DRAM", "fma", "fp64",
                                                                "fp16",     "alu",  "xu",  "tensor"};

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Which pipe a metric such as sm__inst_executed_pipe_tensor_op_hmma is of, its statistic taken off.
std::optional<Quantity> pipe_of(std::string_view name) {
  if (!take_prefix(name, "sm__") && !take_prefix(name, "smsp__")) return std::nullopt;
  if (!take_prefix(name, "inst_executed_pipe_")) {
    if (!take_prefix(name, "pipe_") || !name.ends_with("_cycles_active")) return std::nullopt;
  }
  if (name.starts_with("fma_type_fp16")) return fp16;
  for (const Quantity pipe : {fma, fp64, fp16, alu, xu, tensor}) {
    if (name.starts_with(quantity_names[pipe])) return pipe;
  }
  return std::nullopt;
}

std::optional<Quantity> quantity_of(std::string_view metric) {
  if (metric == duration_metric) return duration;
  if (!metric.ends_with(of_elapsed)) return std::nullopt;
  metric.remove_suffix(of_elapsed.size());
  if (metric == "dram__throughput" || metric == "gpu__dram_throughput") return dram;
  return pipe_of(metric);
}

double unit_of(Quantity quantity, std::string_view unit, const std::string& where) {
  static const std::map<std::string, double, std::less<>> seconds = {
      {"ns", 1e-9}, {"nsecond", 1e-9}, {"us", 1e-6}, {"usecond", 1e-6},
      {"ms", 1e-3}, {"msecond", 1e-3}, {"s", 1},     {"second", 1}};
  if (quantity != duration) {
    if (unit == "%") return 0.01;
    throw data_error(fmt::format("\"{}\" is no unit of a share", unit), where, "use %");
  }
  if (const auto found = seconds.find(unit); found != seconds.end()) return found->second;
  throw data_error(fmt::format("\"{}\" is no unit of time", unit), where, "use ns, us, ms or s");
}

/// A number that may have its thousands apart by commas: 1,234.5.
std::optional<double> parse_grouped(std::string_view text) {
  const auto point = std::min(text.find('.'), text.size());
  const bool grouped = text.find(',') != std::string_view::npos;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between = grouped && i < point && (point - i) % 4 == 0;
    if ((text[i] == ',') != between || (between && i == 0)) return std::nullopt;
    if (!between) plain += text[i];
  }
  return parse_double(plain);
}

/// Collects what launches say, in the order in which they come.
class Launches {
 public:
  /// Nothing is taken of a metric that this GPU does not have ("n/a").
  void add(const std::string& launch, std::string_view metric, std::string_view unit, std::string_view value,
           const std::string& where) {
    const auto quantity = quantity_of(metric);
    if (metric.find("pct_of_peak_sustained_active") != std::string_view::npos) over_active_ = true;
    auto& values = launches_.try_emplace(launch, Values{{}, where}).first->second;
    if (!quantity || value == "n/a") return;
    const auto number = parse_grouped(value);
    if (!number || !std::isfinite(*number)) {
      throw data_error(fmt::format("\"{}\" is no number", value), where, "each metric of a launch needs one");
    }
    const bool good = *quantity == duration ? *number > 0 : *number >= 0 && *number <= most_percent;
    if (!good) {
      throw data_error(fmt::format("{} is no {}", *number, *quantity == duration ? "duration" : "share of a peak"),
                       where, "the record is damaged; leave the launch out");
    }
    auto& known = values.of[*quantity];
    known = std::max(known.value_or(0), *number * unit_of(*quantity, unit, where));
  }

  [[nodiscard]] ProfileUtilization finish(const std::string& file) const {
    check(file);
    std::array<double, quantities> sums{};
    ProfileUtilization use;
    for (const auto& [launch, values] : launches_) {
      const double own = *values.of[duration];
      use.duration_s += own;
      ++use.launches;
      for (std::size_t q = dram; q < quantities; ++q) sums[q] += own * values.of[q].value_or(0);
    }
    const auto share = [&](Quantity q) { return has(q) ? sums[q] / use.duration_s : nan; };
    use.u_dram = share(dram);
    use.u_fma = share(fma);
    use.u_fp64 = share(fp64);
    use.u_fp16 = share(fp16);
    use.u_alu = share(alu);
    use.u_xu = share(xu);
    use.u_tensor = share(tensor);
    for (const double pipe : {use.u_fma, use.u_fp64, use.u_fp16, use.u_alu, use.u_xu, use.u_tensor}) {
      if (!(pipe <= use.u_fu)) use.u_fu = std::isnan(pipe) ? use.u_fu : pipe;
    }
    return use;
  }

 private:
  struct Values {
    std::array<std::optional<double>, quantities> of;
    std::string where;  // of its first record
  };

  [[nodiscard]] bool has(Quantity q) const {
    return std::ranges::any_of(launches_, [&](const auto& l) { return l.second.of[q].has_value(); });
  }

  void check(const std::string& file) const {
    if (launches_.empty()) throw data_error("no launches", file, profile_again);
    for (std::size_t q = 0; q < quantities; ++q) {
      if (q > dram && !has(static_cast<Quantity>(q))) continue;
      for (const auto& [launch, values] : launches_) {
        if (values.of[q]) continue;
        throw data_error(fmt::format("launch {} has no metric of its {}", launch, quantity_names[q]), values.where,
                         profile_again);
      }
    }
    for (std::size_t q = fma; q < quantities; ++q) {
      if (has(static_cast<Quantity>(q))) return;
    }
    throw data_error(over_active_ ? "pipes are counted over active cycles only, where elapsed ones are needed"
                                  : "no pipe is counted",
                     file, profile_again);
  }

  std::map<std::string, Values> launches_;
  bool over_active_ = false;
};

bool is_header(std::string_view line) { return line.starts_with("\"ID\",") || line.starts_with("ID,"); }

std::size_t fields_of(std::string_view line) {
  bool quoted = false;
  std::size_t fields = 1;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++fields;
  }
  return fields;
}

/// The text with all blanked out that is no table: what the application printed before it, and ncu's own ==PROF==.
/// Lines keep their numbers; those of metrics have no fields for the columns of rules, and get them.
std::string table_of(const std::string& text) {
  std::string table;
  bool begun = false;
  std::size_t columns = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    if (!begun && is_header(line)) {
      begun = true;
      columns = fields_of(line);
    }
    if (begun && !line.starts_with("==")) {
      table += line;
      const std::size_t fields = line.empty() ? columns : fields_of(line);
      if (fields < columns) table.append(columns - fields, ',');
    }
    table += '\n';
    begin = end + 1;
  }
  return table;
}

std::string launch_of(const CsvTable& table, std::size_t row) {
  const std::string id(table.text(row, table.column("ID")));
  return table.has_column("Process ID")
             ? fmt::format("{} of process {}", id, table.text(row, table.column("Process ID")))
             : id;
}

void add_long(const CsvTable& table, Launches& launches) {
  const std::size_t name = table.column("Metric Name"), unit = table.column("Metric Unit"),
                    value = table.column("Metric Value");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    launches.add(launch_of(table, row), table.text(row, name), table.text(row, unit), table.text(row, value),
                 table.where(row, value));
  }
}

/// Output of `--page raw`: a column a metric, the first row has the units.
void add_wide(const CsvTable& table, Launches& launches) {
  for (std::size_t row = 1; row < table.rows(); ++row) {
    for (std::size_t column = 0; column < table.header().size(); ++column) {
      const std::string& metric = table.header()[column];
      if (metric.find("__") == std::string::npos) continue;
      launches.add(launch_of(table, row), metric, table.text(0, column), table.text(row, column),
                   table.where(row, column));
    }
  }
}

}  // namespace

bool is_ncu_csv(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    if (is_header(std::string_view(text).substr(begin))) return true;
    begin = std::min(text.find('\n', begin), text.size()) + 1;
  }
  return false;
}

bool counts_pipes(const std::string& text) { return text.find("_pipe_") != std::string::npos; }

namespace {

NcuLaunch launch_at(const CsvTable& table, std::size_t row, std::size_t value, std::string_view unit) {
  const auto text = [&](const char* name, const char* otherwise) {
    const auto column = column_of(table, name);
    return std::string(column ? table.text(row, *column) : otherwise);
  };
  NcuLaunch launch{text("Device", "0"), text("Kernel Name", ""), "", 0, table.where(row, value)};
  if (table.has_column("Grid Size") && table.has_column("Block Size")) {
    launch.shape = fmt::format("grid {}, block {}", text("Grid Size", ""), text("Block Size", ""));
  }
  const auto number = parse_grouped(table.text(row, value));
  if (!number) {
    throw data_error(fmt::format("\"{}\" is no number", table.text(row, value)), launch.where,
                     "a duration is one, with commas between thousands or without");
  }
  launch.seconds = *number * unit_of(duration, unit, launch.where);
  return launch;
}

}  // namespace

std::vector<NcuLaunch> ncu_launches(const std::string& text, const std::string& file) {
  const CsvTable table = CsvTable::parse(table_of(text), file);
  std::vector<NcuLaunch> launches;
  if (const auto name = column_of(table, "Metric Name")) {
    const std::size_t value = table.column("Metric Value"), unit = table.column("Metric Unit");
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto metric = table.text(row, *name);
      if (metric == "Duration" || metric == duration_metric) {
        launches.push_back(launch_at(table, row, value, table.text(row, unit)));
      }
    }
  } else if (const auto value = column_of(table, duration_metric)) {
    for (std::size_t row = 1; row < table.rows(); ++row) {
      launches.push_back(launch_at(table, row, *value, table.text(0, *value)));
    }
  }
  if (launches.empty()) throw data_error("has no duration of a launch", file, profile_again);
  return launches;
}

Profile import_ncu(const std::string& text, const std::string& file) {
  const CsvTable table = CsvTable::parse(table_of(text), file);
  Launches launches;
  if (table.has_column("Metric Name")) {
    add_long(table, launches);
  } else {
    add_wide(table, launches);
  }
  Profile profile;
  profile.origin = "imported";
  profile.utilization = {launches.finish(file)};
  profile.utilization.front().application = std::filesystem::path(file).stem().string();
  return profile;
}

}  // namespace palstudy
