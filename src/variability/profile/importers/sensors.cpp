// SPDX-License-Identifier: MIT
// Logs of nvidia-smi and DCGM: clocks, power and temperatures, which are no times. A clock tells something of a GPU
// only while it is busy, so medians are of busy samples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "stats/descriptive.hpp"
#include "variability/profile/importer.hpp"

namespace palstudy {
namespace {

constexpr double least_busy_percent = 90;
constexpr double blank = 140737488355328;  // DCGM's numbers for "not there" begin here

/// The number in front of a unit; none for N/A, [N/A], [Not Supported] and what DCGM writes for them.
std::optional<double> sensor(std::string_view text) {
  const auto number = parse_double(text.substr(0, text.find(' ')));
  return number && std::abs(*number) < blank ? number : std::nullopt;
}

/// The samples of one GPU.
struct Samples {
  std::string host, uuid;
  int local = -1;
  std::vector<double> sm_mhz, power_w, temp_c;
};

/// The places of what is taken of a sample; none where the log does not have it.
struct SensorColumns {
  std::optional<std::size_t> host, gpu, uuid, clock, power, temp, busy;
};

class SensorLog {
 public:
  /// `field(place)`: the text of a column.
  template <class Field>
  void add(const SensorColumns& at, Field field) {
    const auto text = [&](std::optional<std::size_t> column) {
      return column ? std::string(field(*column)) : std::string();
    };
    const std::string host = text(at.host), gpu = text(at.gpu), uuid = text(at.uuid);
    Samples& samples = gpus_[{host, gpu, uuid}];
    samples.host = host, samples.uuid = uuid;
    const auto index = parse_integer(gpu);
    constexpr long long most_local = 1'000'000;
    if (index && *index >= 0 && *index < most_local) samples.local = static_cast<int>(*index);
    const auto busy = sensor(text(at.busy));
    if (at.busy && (!busy || *busy < least_busy_percent)) return;
    const auto keep = [&](std::optional<std::size_t> column, std::vector<double>& all) {
      if (const auto value = sensor(text(column))) all.push_back(*value);
    };
    keep(at.clock, samples.sm_mhz), keep(at.power, samples.power_w), keep(at.temp, samples.temp_c);
  }
  /// Errors (data): no sample.
  [[nodiscard]] ImportedFile take(const std::string& file) const {
    if (gpus_.empty()) throw data_error("has no sample of a GPU", file, "log the sensors while the benchmark runs");
    const auto of = [](const std::vector<double>& all) { return all.empty() ? nan : median(all); };
    ImportedFile made;
    for (const auto& [key, one] : gpus_) {
      made.sensors.push_back({one.host, one.uuid, one.local, of(one.sm_mhz), of(one.power_w), of(one.temp_c)});
    }
    return made;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, Samples> gpus_;
};

/// The table without headers that come again and without a last line that was cut off.
std::string whole_lines(const std::string& text) {
  const std::string header = text.substr(0, text.find('\n'));
  const auto fields = std::ranges::count(header, ',');
  std::string table;
  for (const std::string& line : split(text)) {
    const bool again = !table.empty() && line == header;
    table += again || std::ranges::count(line, ',') != fields ? "" : line;
    table += '\n';  // lines keep their numbers
  }
  return table;
}

ImportedFile read_sensor_table(
    const ImportFile& file,
    const std::vector<std::pair<const char*, std::optional<std::size_t> SensorColumns::*>>& names) {
  const CsvTable table = CsvTable::parse(whole_lines(file.text), file.name());
  SensorColumns at;
  for (const auto& [begin, member] : names) {
    for (std::size_t column = 0; column < table.header().size(); ++column) {
      if (table.header()[column].starts_with(begin) && !(at.*member)) at.*member = column;
    }
  }
  if (!at.gpu && !at.uuid) {
    throw data_error("names no GPU", file.name() + ":1", "log the index of the GPU too, or its UUID");
  }
  SensorLog log;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    log.add(at, [&](std::size_t column) { return table.text(row, column); });
  }
  return log.take(file.name());
}

std::string first_line(const ImportFile& file) { return file.text.substr(0, file.text.find('\n')); }

bool looks_like_smi(const ImportFile& file) {
  const std::string header = first_line(file);
  return header.starts_with("timestamp") && header.find("DCGM") == std::string::npos &&
         (header.find("clocks.") != std::string::npos || header.find("power.") != std::string::npos ||
          header.find("temperature.") != std::string::npos);
}

ImportedFile read_smi(const ImportFile& file, const ImportColumns& /*columns*/) {
  return read_sensor_table(file, {{"index", &SensorColumns::gpu},
                                  {"uuid", &SensorColumns::uuid},
                                  {"clocks.current.sm", &SensorColumns::clock},
                                  {"clocks.sm", &SensorColumns::clock},
                                  {"power.draw", &SensorColumns::power},
                                  {"temperature.gpu", &SensorColumns::temp},
                                  {"utilization.gpu", &SensorColumns::busy}});
}

bool looks_like_dcgm(const ImportFile& file) {
  return file.text.starts_with("#Entity") || first_line(file).find("DCGM_FI_") != std::string::npos;
}

/// dcgmi dmon: blanks between, "GPU 0" is two words, the names come again after some rows.
ImportedFile read_dmon(const ImportFile& file) {
  SensorLog log;
  SensorColumns at;
  for (const std::string& line : split(file.text)) {
    std::vector<std::string> words;
    for (const std::string& word : split(line, ' ')) {
      if (!word.empty() && word != "\r") words.push_back(word);
    }
    if (words.size() > 1 && words[0] == "#Entity") {
      at = {};
      at.gpu = 0;
      const auto place = [&](const char* name) -> std::optional<std::size_t> {
        const auto found = std::ranges::find(words, name);
        return found == words.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - words.begin()));
      };
      at.clock = place("SMCLK"), at.temp = place("TMPTR"), at.power = place("POWER"), at.busy = place("GPUTL");
    } else if (words.size() > 2 && words[0] == "GPU" && at.gpu) {
      words.erase(words.begin());
      log.add(at, [&](std::size_t column) { return column < words.size() ? words[column] : ""; });
    }
  }
  return log.take(file.name());
}

ImportedFile read_dcgm(const ImportFile& file, const ImportColumns& /*columns*/) {
  if (file.text.starts_with('#')) return read_dmon(file);
  return read_sensor_table(file, {{"Hostname", &SensorColumns::host},
                                  {"gpu", &SensorColumns::gpu},
                                  {"UUID", &SensorColumns::uuid},
                                  {"DCGM_FI_DEV_SM_CLOCK", &SensorColumns::clock},
                                  {"DCGM_FI_DEV_POWER_USAGE", &SensorColumns::power},
                                  {"DCGM_FI_DEV_GPU_TEMP", &SensorColumns::temp},
                                  {"DCGM_FI_DEV_GPU_UTIL", &SensorColumns::busy}});
}

}  // namespace

void register_importer_sensors(ImporterRegistry& registry) {
  registry.add({"nvidia-smi",
                "--query-gpu of nvidia-smi as CSV: clocks, power and temperature for GPUs whose times are in another "
                "file.",
                {},
                {looks_like_smi, read_smi}});
  registry.add(
      {"dcgm",
       "Fields of DCGM as CSV, or the screen of dcgmi dmon: clocks, power and temperature for GPUs whose times "
       "are in another file.",
       {},
       {looks_like_dcgm, read_dcgm}});
}

}  // namespace palstudy
