// SPDX-License-Identifier: MIT
#include "study/anonymous_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/host.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

bool is_read(const std::string& field) {
  static const std::set<std::string> fields = {
      "job_id",         "num_gpus",    "submit_time", "duration",  "model",       "class",
      "submit_s",       "iterations",  "score",       "tenant",    "iteration_s", "run",
      "time_ms",        "vc",          "gpu_num",     "gpus",      "start_time",  "end_time",
      "submitted_time", "state",       "status",      "arrival_s", "kernel",      "duration_s",
      "runtime_v100_s", "reason",      "category",    "of",        "application", "validated",
      "estimate_s",     "predicted_s", "dataset"};
  return fields.contains(field);
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Numbers stay, but for those of users.
std::string new_value(const std::string& field, const std::string& text, NumberedNames& names) {
  const std::string kind = NumberedNames::kind_of(field);
  if (is_read(field) || (kind != "user" && parse_double(text))) return text;
  return names(kind.empty() ? field : kind, text);
}

std::string anonymous_table(const std::string& text, NumberedNames& names) {
  const CsvTable table = CsvTable::parse(text, "a table");
  const auto known = [](const auto& field) { return is_read(field) || !NumberedNames::kind_of(field).empty(); };
  std::vector<std::string> kinds, line;
  for (const auto& heading : table.header()) kinds.push_back(lower(heading));
  if (kinds.size() < 2 || std::none_of(kinds.begin(), kinds.end(), known)) return "";
  for (const auto& heading : table.header()) line.push_back(csv_field(heading));
  std::string made = join(line, ",") + "\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      line[i] = csv_field(new_value(kinds[i], std::string(table.text(row, i)), names));
    }
    made += join(line, ",") + "\n";
  }
  return made;
}

void replace_in(nlohmann::ordered_json& value, const std::string& field, NumberedNames& names) {
  if (value.is_string()) value = new_value(field, value.get<std::string>(), names);
  if (!value.is_structured()) return;
  for (auto& [key, item] : value.items()) replace_in(item, value.is_object() ? lower(key) : field, names);
}

}  // namespace

std::string anonymous_records(const std::string& text, NumberedNames& names) {
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (json.is_structured()) {
    replace_in(json, "", names);
    return json.dump(0, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  try {
    return anonymous_table(text, names);
  } catch (const Error&) {  // no table
    return "";
  }
}

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string made;
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == line.npos || (line[begin] != '#' && line[begin] != ';')) made += line + "\n";
  }
  return made;
}

std::string own_name_in(const std::string& text) {
  const std::string host = host_name();
  std::vector<std::string> names = {host, host.substr(0, host.find('.'))};
  for (const char* variable : {"USER", "LOGNAME", "SUDO_USER", "SLURM_JOB_ACCOUNT", "PALSTUDY_ACCOUNT"}) {
    if (const char* value = std::getenv(variable)) names.emplace_back(value);
  }
  static const std::set<std::string> of_every_system = {"", "root", "nobody", "unknown", "localhost", "(none)"};
  const auto is_in = [&](const auto& name) { return !of_every_system.contains(name) && text.find(name) != text.npos; };
  const auto found = std::find_if(names.begin(), names.end(), is_in);
  return found == names.end() ? "" : *found;
}

}  // namespace palstudy
