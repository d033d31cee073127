// SPDX-License-Identifier: MIT
#include "bundle/redact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

std::string NumberedNames::operator()(const std::string& field, const std::string& name) {
  if (name.empty()) return "";
  if (numbered_) return fields_.at(field).at(name);
  fields_[field].emplace(name, "");
  return name;
}

void NumberedNames::number() {
  for (auto& [field, names] : fields_) {
    const std::size_t digits = std::to_string(names.size()).size();
    std::size_t last = 0;
    for (auto& [name, made] : names) made = fmt::format("{}-{:0{}}", field, ++last, digits);
  }
  numbered_ = true;
}

namespace {

/// Whether a reader of traces, clusters or logs takes the texts of a field.
bool is_read(const std::string& field) {
  static const std::set<std::string> fields = {
      "job_id", "submit_time", "model",    "class",   "score",       "tenant",   "run",      "vc",
      "gpus",   "start_time",  "end_time", "state",   "status",      "kernel",   "reason",   "submitted_time",
      "of",     "duration",    "submit_s", "dataset", "application", "category", "validated"};
  return fields.contains(field);
}

bool is_user(const std::string& field) {
  return field == "user" || field == "username" || field == "owner" || field == "account";
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Numbers stay, but for those of users.
std::string new_value(const std::string& field, const std::string& text, NumberedNames& names) {
  return is_read(field) || (!is_user(field) && parse_double(text)) ? text : names(field, text);
}

std::string anonymous_table(const std::string& text, NumberedNames& names) {
  const CsvTable table = CsvTable::parse(text, "a table");
  std::vector<std::string> fields, line;
  for (const auto& heading : table.header()) fields.push_back(lower(heading));
  const auto known = [](const auto& field) { return is_read(field) || is_user(field); };
  if (fields.size() < 2 || std::none_of(fields.begin(), fields.end(), known)) return "";
  for (const auto& heading : table.header()) line.push_back(csv_field(heading));
  std::string made = join(line, ",") + "\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      line[i] = csv_field(new_value(fields[i], std::string(table.text(row, i)), names));
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

}  // namespace palstudy
