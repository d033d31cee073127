// SPDX-License-Identifier: MIT
#include "measure/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "archive/measured_frame.hpp"
#include "archive/shard.hpp"
#include "core/text.hpp"
#include "measure/saved.hpp"

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

std::optional<std::string> measurement_status(const std::filesystem::path& profile) {
  const auto parts = parts_dir(profile);
  const auto session = load_session(parts);
  if (!session) return std::nullopt;
  std::vector<std::string> problems;
  const Measured measured = read_measured(parts, problems);
  const auto kernels = static_cast<std::size_t>(std::count_if(
      session->what.begin(), session->what.end(), [](const std::string& line) { return line.starts_with("kernel "); }));
  std::set<std::string> gpus;
  for (const MeasuredRepeat& repeat : measured.repeats) gpus.insert(repeat.gpu.uuid);
  std::string text = fmt::format("measuring: {} repeats of {} kernels on {} GPUs so far", measured.repeats.size(),
                                 kernels, gpus.size());
  if (const std::size_t repeats = repeats_of(session->what); repeats > 0 && !gpus.empty()) {
    text += fmt::format(", {} of each wanted: {} on these, and those that have to be done again", repeats,
                        repeats * kernels * gpus.size());
  }
  text += fmt::format("; session {}, begun {}", session->id, session->start_utc);
  if (session->launches > 1) text += fmt::format(", started {} times", session->launches);
  for (const auto& problem : problems) text += "\n" + problem;
  return text;
}

}  // namespace palstudy
