// SPDX-License-Identifier: MIT
#include "measure/session_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <vector>

#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "shard/measured_frame.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {
namespace {

constexpr const char* format_name = "palstudy-measure-1";

std::filesystem::path file_in(const std::filesystem::path& parts) { return parts / "measure.json"; }

}  // namespace

std::string new_session_id(const std::string& label) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  if (!std::ranges::all_of(label, plain)) {
    throw usage_error("\"" + label + "\" is no label", "--session", "letters, digits, '_', '.' and '-' make one");
  }
  // Not from the seed: two sessions of the same command must differ.
  std::random_device device;
  const unsigned digits = std::uniform_int_distribution<unsigned>(0, 99'999'999)(device);
  return fmt::format("{:%Y%m%dT%H%M%SZ}-{:08}{}{}", fmt::gmtime(std::time(nullptr)), digits, label.empty() ? "" : "-",
                     label);
}

void save_session(const std::filesystem::path& parts, const SessionFile& session) {
  const nlohmann::json json = {{"format", format_name},          {"session", session.id},
                               {"start_utc", session.start_utc}, {"command_line", session.command_line},
                               {"launches", session.launches},   {"what", session.what}};
  const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  write_durably(file_in(parts), part_beside(file_in(parts)), std::span(&bytes, 1));
}

std::optional<SessionFile> load_session(const std::filesystem::path& parts) {
  std::ifstream file(file_in(parts), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  const auto json = nlohmann::json::parse(text.str(), nullptr, false);
  SessionFile session;
  try {
    if (json.at("format") != format_name) throw nlohmann::json::other_error::create(501, "another format", nullptr);
    session.id = json.at("session");
    session.start_utc = json.at("start_utc");
    session.command_line = json.at("command_line");
    session.launches = json.at("launches");
    session.what = json.at("what").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& error) {
    throw data_error(error.what(), file_in(parts).string(), "--force starts again and drops what was measured");
  }
  return session;
}

void require_same(const SessionFile& session, const std::vector<std::string>& what,
                  const std::filesystem::path& output) {
  const auto [was, is] = std::mismatch(session.what.begin(), session.what.end(), what.begin(), what.end());
  if (was == session.what.end() && is == what.end()) return;
  throw usage_error(fmt::format("a measurement begun otherwise is not finished: it had \"{}\", and now it is \"{}\"",
                                was == session.what.end() ? "" : *was, is == what.end() ? "" : *is),
                    output.string(),
                    "repeat the command that began it, give another -o, or drop what it measured with --force");
}

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
  status.kernels = static_cast<std::size_t>(
      std::ranges::count_if(session->what, [](const std::string& line) { return line.starts_with("kernel "); }));
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
