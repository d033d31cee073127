// SPDX-License-Identifier: MIT
// results-summary.jsonl of SuperBench: a JSON object a line a node; benchmark[/run]/metric[:GPU].
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "variability/profile/importer.hpp"

namespace palstudy {
namespace {

using nlohmann::json;

enum class Kind { time, throughput, neither };

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

/// Older versions wrote rates in capitals: FP64, FP16_TC, H2D_Mem_BW.
bool in_capitals(std::string_view name) {
  return !name.empty() && std::isupper(static_cast<unsigned char>(name.front())) != 0;
}

Kind kind_of(std::string_view benchmark, std::string_view metric) {
  if (benchmark == "monitor" || ends_with_any(metric, {"return_code", "_pass", "_correctness", "_error", "_ratio"})) {
    return Kind::neither;
  }
  if (ends_with_any(metric, {"_time", "_lat", "_overhead"}) || metric.starts_with("steptime")) return Kind::time;
  const bool rate =
      in_capitals(metric) || ends_with_any(metric, {"_flops", "_iops", "_bw", "_throughput", "_busbw", "_algbw"});
  return rate ? Kind::throughput : Kind::neither;
}

/// Whether all ranks of a node have one value, whatever rank it bears.
bool of_node(std::string_view benchmark) { return benchmark == "model-benchmarks" || benchmark == "nccl-bw"; }

bool looks_like_superbench(const ImportFile& file) {
  const std::size_t first = file.text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || file.text[first] != '{') return false;
  const json line = json::parse(file.text.substr(first, file.text.find('\n', first) - first), nullptr, false);
  return line.is_object() && line.contains("node");
}

class NodeResults {
 public:
  explicit NodeResults(const ImportFile& file) : file_(file), profile_("superbench", session_of(file)) {}

  void add_line(const std::string& text, std::size_t line) {
    const json results = json::parse(text, nullptr, false);
    const std::string where = fmt::format("{}:{}", file_.name(), line);
    if (!results.is_object() || !results.contains("node") || !results["node"].is_string()) {
      throw data_error("is no JSON object with a node", where, "a line has the results of a node");
    }
    for (const auto& [name, value] : results.items()) {
      if (name != "node") add(results["node"].get<std::string>(), name, value, where);
    }
  }
  [[nodiscard]] ImportedFile take() {
    ImportedFile made{profile_.take(), {}, {}, {}};
    left_.note(file_, made.notes);
    return made;
  }

 private:
  void add(const std::string& node, const std::string& name, const json& value, const std::string& where) {
    const auto colon = name.rfind(':');
    const std::string metric = name.substr(0, colon);
    const std::string benchmark = metric.substr(0, metric.find('/'));
    const Kind kind = kind_of(benchmark, metric.substr(metric.rfind('/') + 1));
    if (kind == Kind::neither) return left_.add("not of speed");
    if (colon == std::string::npos || of_node(benchmark)) return left_.add("of a node");
    if (!value.is_number() || value.get<double>() <= 0) return left_.add("missing");
    MeasuredTime one;
    one.host = node;
    one.gpu = name.substr(colon + 1);
    one.kernel = metric;
    one.ms = kind == Kind::time ? value.get<double>() : ms_of_throughput(value.get<double>());
    profile_.add(one, [&] { return where; });
  }

  const ImportFile& file_;
  ProfileOfTimes profile_;
  LeftValues left_;
};

ImportedFile read_superbench(const ImportFile& file, const ImportColumns& /*columns*/) {
  NodeResults results(file);
  std::size_t number = 0;
  for (const std::string& line : split(file.text)) {
    ++number;
    if (line.find_first_not_of(" \t\r") != std::string::npos) results.add_line(line, number);
  }
  return results.take();
}

}  // namespace

void register_importer_superbench(ImporterRegistry& registry) {
  registry.add({"superbench",
                "results-summary.jsonl of SuperBench; what is measured of a GPU, and a file is a session.",
                {},
                {looks_like_superbench, read_superbench}});
}

}  // namespace palstudy
