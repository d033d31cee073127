// SPDX-License-Identifier: MIT
#include "measure/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/output.hpp"
#include "core/text.hpp"
#include "measure/session_file.hpp"
#include "shard/measured_frame.hpp"
#include "shard/shard.hpp"

namespace palstudy {
namespace {

/// How often each kernel is measured, as the line of the protocol says it; 0 if it does not.
std::size_t repeats_of(const std::vector<std::string>& what) {
  const std::string key = "repeats = ";
  for (const std::string& line : what) {
    const auto place = line.find(key);
    if (!line.starts_with("protocol: ") || place == std::string::npos) continue;
    const auto from = place + key.size();
    const auto number = parse_integer(line.substr(from, line.find(',', from) - from));
    return number && *number > 0 ? static_cast<std::size_t>(*number) : 0;
  }
  return 0;
}

}  // namespace

std::optional<MeasurementStatus> measurement_status(const std::filesystem::path& profile) {
  const auto parts = parts_dir(profile);
  const auto session = load_session(parts);
  if (!session) return std::nullopt;
  MeasurementStatus status;
  const Measured measured = read_measured(parts, status.problems);
  std::set<std::string> gpus;
  for (const MeasuredRepeat& repeat : measured.repeats) gpus.insert(repeat.gpu.uuid);
  status.repeats = measured.repeats.size();
  status.kernels = static_cast<std::size_t>(std::count_if(
      session->what.begin(), session->what.end(), [](const std::string& line) { return line.starts_with("kernel "); }));
  status.gpus = gpus.size();
  status.wanted = repeats_of(session->what);
  status.session = session->id;
  status.begun_utc = session->start_utc;
  status.launches = session->launches;
  return status;
}

std::string to_text(const MeasurementStatus& status) {
  std::string text = fmt::format("measuring: {} of {} on {} so far", counted(status.repeats, "repeat"),
                                 counted(status.kernels, "kernel"), counted(status.gpus, "GPU"));
  if (status.wanted > 0 && status.gpus > 0) {
    text += fmt::format(", {} of each wanted: {} on these, and those that have to be done again", status.wanted,
                        status.wanted * status.kernels * status.gpus);
  }
  text += fmt::format("; session {}, begun {}", status.session, status.begun_utc);
  if (status.launches > 1) text += fmt::format(", started {} times", status.launches);
  for (const auto& problem : status.problems) text += "\n" + problem;
  return text + "\n";
}

}  // namespace palstudy
