// SPDX-License-Identifier: MIT
// --json of NVBench: cold GPU times of benchmarks by device and axis values; numbers are texts.
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "variability/profile/importer.hpp"

namespace palstudy {
namespace {

using nlohmann::json;

constexpr const char* time_tag = "nv/cold/time/gpu/mean";

bool looks_like_nvbench(const ImportFile& file) {
  const std::size_t first = file.text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && file.text[first] == '{' &&
         file.text.find("\"benchmarks\"") != std::string::npos && file.text.find("\"devices\"") != std::string::npos;
}

std::optional<double> seconds_of(const json& state) {
  if (!state.contains("summaries") || !state["summaries"].is_array()) return std::nullopt;
  for (const json& summary : state["summaries"]) {
    if (summary.value("tag", "") != time_tag) continue;
    const json& value = summary.at("data").at(0).at("value");
    return value.is_string() ? parse_double(value.get<std::string>()) : std::optional(value.get<double>());
  }
  return std::nullopt;
}

/// The number of a device.
int whole(const json& number) {
  constexpr std::int64_t most = 1'000'000;
  const std::int64_t value = number.is_number_integer() ? number.get<std::int64_t>() : -1;
  if (value < 0 || value > most) throw data_error("a device without a number", number.dump(), "devices count from 0");
  return static_cast<int>(value);
}

std::string axes_of(const json& state) {
  std::vector<std::string> axes;
  for (const json& axis : state.at("axis_values")) {
    const json& value = axis.at("value");
    axes.push_back(axis.at("name").get<std::string>() + "=" +
                   (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return join(axes, " ");
}

ImportedFile read_nvbench(const ImportFile& file, const ImportColumns& /*columns*/) {
  ProfileOfTimes profile("nvbench", session_of(file));
  LeftValues left;
  try {
    const json results = json::parse(file.text);
    std::map<int, std::string> models;
    for (const json& device : results.at("devices")) models[whole(device.at("id"))] = device.at("name");
    for (const json& benchmark : results.at("benchmarks")) {
      for (const json& state : benchmark.at("states")) {
        const auto seconds = seconds_of(state);
        if (!seconds || state.value("is_skipped", false)) {
          left.add("skipped by the benchmark");
          continue;
        }
        const int device = whole(state.at("device"));
        MeasuredTime one;
        one.host = file.stem();
        one.gpu = std::to_string(device);
        one.model = models[device];
        one.kernel = benchmark.at("name");
        one.params = axes_of(state);
        one.ms = 1e3 * *seconds;
        profile.add(one, [&] { return file.name(); });
      }
    }
  } catch (const json::exception& error) {
    throw data_error(fmt::format("is no JSON of NVBench: {}", error.what()), file.name(),
                     "give what --json FILE wrote");
  }
  ImportedFile made{profile.take(), {}, {}, {}};
  left.note(file, made.notes);
  return made;
}

}  // namespace

void register_importer_nvbench(ImporterRegistry& registry) {
  registry.add({"nvbench",
                "--json of NVBench, of one host, which is called as the file; a kernel is a benchmark with its axis "
                "values.",
                {},
                {looks_like_nvbench, read_nvbench}});
}

}  // namespace palstudy
