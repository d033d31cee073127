// SPDX-License-Identifier: MIT
// The screen of gpu-burn: a line that is written over with carriage returns, and at the end which GPUs were faulty.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "stats/descriptive.hpp"
#include "variability/profile/importer.hpp"
#include "variability/profile/profile_coverage.hpp"

namespace palstudy {
namespace {

/// What the log says of a GPU.
struct Burnt {
  std::string model, uuid;
  long long done = 0;           // matrix products when it last reported
  std::vector<float> batch_ms;  // a time for each report in which it had done more
  std::vector<double> temps_c;
  bool faulty = false;  // the log says so, or counts errors
  bool tested = false;  // the log says at its end how it was
};

/// What stands between two texts behind `at`, which moves on; none if they are not there.
std::optional<std::string_view> between(std::string_view text, std::string_view begin, std::string_view end,
                                        std::size_t& at) {
  const std::size_t first = text.find(begin, at);
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t last = text.find(end, first + begin.size());
  if (last == std::string_view::npos) return std::nullopt;
  at = last + end.size();
  return text.substr(first + begin.size(), last - first - begin.size());
}

class BurnLog {
 public:
  void add(std::string_view line) {
    while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
    if (line.starts_with("GPU ")) return add_gpu(line);
    if (line.find("proc'd:") != std::string_view::npos) return add_progress(line);
    for (const char* type : {"FLOATS", "DOUBLES", "TENSOR"}) {
      if (line.starts_with("Initialized device") && line.find(type) != std::string_view::npos) type_ = type;
    }
  }
  [[nodiscard]] const std::map<std::size_t, Burnt>& gpus() const { return gpus_; }
  [[nodiscard]] const std::string& type() const { return type_; }

 private:
  /// "GPU 0: NVIDIA A100 (UUID: GPU-..)" before, "GPU 0: OK" or FAULTY behind.
  void add_gpu(std::string_view line) {
    std::size_t at = 0;
    const auto number = between(line, "GPU ", ": ", at);
    const auto index = number ? parse_integer(*number) : std::nullopt;
    if (!index || *index < 0) return;
    Burnt& gpu = gpus_[static_cast<std::size_t>(*index)];
    const std::string_view rest = line.substr(at);
    gpu.faulty = gpu.faulty || rest.starts_with("FAULTY");
    gpu.tested = gpu.tested || rest.starts_with("FAULTY") || rest.starts_with("OK");
    std::size_t from = 0;
    if (const auto uuid = between(rest, "(UUID: ", ")", from)) {
      gpu.uuid = *uuid;
      gpu.model = rest.substr(0, rest.find(" (UUID"));
    }
  }
  /// A rate stands until its GPU reports again, and is 0 before the first report: only what grew counts.
  void add_progress(std::string_view line) {
    std::size_t index = 0;
    for (const std::string_view part : parts_between(line, "proc'd:", "errors:")) {
      Burnt& gpu = gpus_[index++];
      std::size_t at = 0;
      const long long done = parse_integer(part.substr(0, part.find(' '))).value_or(0);
      const double gflops = parse_double(between(part, "(", " Gflop/s)", at).value_or("")).value_or(0);
      if (done > gpu.done && gflops > 0) gpu.batch_ms.push_back(static_cast<float>(ms_of_throughput(gflops)));
      gpu.done = done;
    }
    index = 0;
    for (const std::string_view part : parts_between(line, "errors:", "temps:", "- ")) {
      const auto errors = parse_integer(part.substr(0, part.find(' ')));
      if (errors.value_or(0) != 0 || part.find("DIED") != std::string_view::npos) gpus_[index].faulty = true;
      ++index;
    }
    index = 0;
    for (const std::string_view part : parts_between(line, "temps:", "")) {
      Burnt& gpu = gpus_[index++];
      if (const auto temp = parse_double(part.substr(0, part.find(' ')))) gpu.temps_c.push_back(*temp);
    }
  }
  /// What stands behind one word, up to another or the end, apart by dashes: a part a GPU. Behind a warning of errors
  /// there is no blank before the dash.
  static std::vector<std::string_view> parts_between(std::string_view line, std::string_view begin,
                                                     std::string_view end, std::string_view dashes = " - ") {
    std::vector<std::string_view> parts;
    const std::size_t first = line.find(begin);
    if (first == std::string_view::npos) return parts;
    line.remove_prefix(first + begin.size());
    if (!end.empty()) line = line.substr(0, line.find(end));
    for (std::size_t at = line.find_first_not_of(' '); at < line.size();) {
      const std::size_t dash = std::min(line.find(dashes, at), line.size());
      parts.push_back(line.substr(at, dash - at));
      at = std::min(line.size(), dash + dashes.size());
    }
    return parts;
  }

  std::map<std::size_t, Burnt> gpus_;
  std::string type_;
};

bool looks_like_gpu_burn(const ImportFile& file) {
  return file.text.find("Gflop/s)") != std::string::npos && file.text.find("proc'd:") != std::string::npos;
}

ImportedFile read_gpu_burn(const ImportFile& file, const ImportColumns& /*columns*/) {
  BurnLog log;
  std::string text = file.text;
  std::ranges::replace(text, '\r', '\n');
  for (const std::string& line : split(text)) log.add(line);
  ProfileOfTimes profile("gpu-burn", session_of(file));
  LeftValues left;
  for (const auto& [index, gpu] : log.gpus()) {
    if (gpu.batch_ms.empty()) {
      left.add("of GPUs without a rate");
      continue;
    }
    if (!gpu.faulty && !gpu.tested) {
      left.add("of GPUs that the log does not call OK at its end");
      continue;
    }
    MeasuredTime one;
    one.host = file.stem();
    one.gpu = std::to_string(index);
    one.uuid = gpu.uuid;
    one.model = gpu.model;
    one.kernel = "gpu-burn";
    one.params = log.type();
    one.ms = gpu.batch_ms.front();
    ProfileRepeat& repeat = profile.add(one, [&] { return file.name(); });
    repeat.batch_ms = gpu.batch_ms;
    if (gpu.faulty) repeat.flags = wrong_result;
    if (!gpu.temps_c.empty()) repeat.telemetry = {{0}, {nan}, {nan}, {nan}, {median(gpu.temps_c)}, {nan}, {0}};
  }
  ImportedFile made{profile.take(), {}, {}, {}};
  const auto rated = [](const auto& gpu) { return !gpu.second.batch_ms.empty(); };
  if (made.profile.repeats.empty() && std::ranges::any_of(log.gpus(), rated)) {
    throw data_error("ends before it says which GPUs are OK", file.name(),
                     "let gpu-burn run to its end: its last lines test the GPUs");
  }
  if (made.profile.repeats.empty()) {
    throw data_error("has no GPU that reported a rate", file.name(), "let gpu-burn run for a minute or longer");
  }
  left.note(file, made.notes);
  return made;
}

}  // namespace

void register_importer_gpu_burn(ImporterRegistry& registry) {
  registry.add(
      {"gpu-burn",
       "The screen of gpu-burn, of one host, which is called as the file; GPUs that were faulty, or that it does "
       "not call OK at its end, do not count.",
       {},
       {looks_like_gpu_burn, read_gpu_burn}});
}

}  // namespace palstudy
