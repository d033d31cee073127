// SPDX-License-Identifier: MIT
#include "measure/session_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "core/durable_file.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr const char* format_name = "palstudy-measure-1";

std::filesystem::path file_in(const std::filesystem::path& parts) { return parts / "measure.json"; }

}  // namespace

std::string new_session_id(const std::string& label) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; };
  if (!std::all_of(label.begin(), label.end(), plain)) {
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
  write_durably(file_in(parts), std::as_bytes(std::span(text)));
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

}  // namespace palstudy
