// SPDX-License-Identifier: MIT
#include "study/anonymous_text.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include "core/host.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

enum class Field { name, data, other };

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at < line.size() && line[at] == '"') quoted = !quoted;
    if (at < line.size() && (line[at] != ',' || quoted)) continue;
    fields.push_back(line.substr(begin, at - begin));
    begin = at + 1;
  }
  return fields;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// What a column holds, by its heading.
Field field_of(const std::string& heading) {
  static const std::set<std::string> names = {"gpu_id",  "host",     "hostname", "node_name", "cabinet",
                                              "uuid",    "gpu_uuid", "serial",   "user",      "username",
                                              "account", "owner",    "nodename", "gpu_serial"};
  static const std::set<std::string> data = {
      "job_id",     "num_gpus", "submit_time", "duration",  "model",          "class",      "submit_s",
      "iterations", "node_id",  "score",       "tenant",    "iteration_s",    "run",        "time_ms",
      "vc",         "gpu_num",  "start_time",  "arrival_s", "runtime_v100_s", "duration_s", "state"};
  const std::string plain = lower(heading);
  return names.contains(plain) ? Field::name : data.contains(plain) ? Field::data : Field::other;
}

bool is_name(Field field, const std::string& text) {
  return field == Field::name && !text.empty() && !parse_double(text);
}

/// Calls `each(field, text)` for every field of every row below the heading, and puts together what it gives.
template <class Each>
std::string for_each_field(const std::string& csv, Each each) {
  std::istringstream lines(csv);
  std::string line, made;
  std::vector<Field> kinds;
  while (std::getline(lines, line)) {
    const bool carriage = line.ends_with('\r');
    if (carriage) line.pop_back();
    const auto fields = split(line);
    const bool heading = kinds.empty();
    if (heading) std::transform(fields.begin(), fields.end(), std::back_inserter(kinds), field_of);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const Field kind = i < kinds.size() ? kinds[i] : Field::other;
      made += (i == 0 ? "" : ",") + (heading ? fields[i] : each(kind, fields[i]));
    }
    made += carriage ? "\r\n" : lines.eof() ? "" : "\n";
  }
  return made;
}

void add_environment(Pseudonyms& names) {
  for (const char* variable : {"USER", "LOGNAME", "SUDO_USER", "SLURM_JOB_USER", "SLURM_JOB_ACCOUNT", "SLURM_ACCOUNT",
                               "SBATCH_ACCOUNT", "SALLOC_ACCOUNT", "PALSTUDY_ACCOUNT", "HOSTNAME"}) {
    if (const char* value = std::getenv(variable)) names.add_secret(value);
  }
  if (const char* home = std::getenv("HOME")) {
    const std::string path = home;
    names.add_secret(path.substr(path.rfind('/') + 1));
  }
}

}  // namespace

bool has_table_heading(const std::string& text) {
  const std::string line = text.substr(0, text.find_first_of("\r\n"));
  const auto headings = split(line);
  const auto known = [](const std::string& heading) { return field_of(heading) != Field::other; };
  return headings.size() > 1 && std::any_of(headings.begin(), headings.end(), known);
}

void note_table_names(const std::string& csv, Pseudonyms& names) {
  (void)for_each_field(csv, [&](Field kind, const std::string& text) {
    if (is_name(kind, text)) names.add(text);
    return std::string();
  });
}

std::string anonymous_table(const std::string& csv, Pseudonyms& names) {
  return for_each_field(csv, [&](Field kind, const std::string& text) {
    if (is_name(kind, text)) return names.of(text);
    return kind == Field::data ? text : names.scrub(text);
  });
}

void note_people(const std::string& command_line, Pseudonyms& names) {
  add_environment(names);
  const std::string host = host_name();
  names.add_secret(host);
  names.add_secret(host.substr(0, host.find('.')));
  if (const passwd* user = getpwuid(geteuid())) names.add_secret(user->pw_name);
  std::istringstream words(command_line);
  std::string word, before;
  while (words >> word) {
    if (before == "-A" || before == "--account") names.add_secret(word);
    if (word.starts_with("--account=")) names.add_secret(word.substr(word.find('=') + 1));
    for (const char* homes : {"/home/", "/Users/", "/users/"}) {
      const auto place = word.find(homes);
      if (place == std::string::npos) continue;
      const auto begin = place + std::string_view(homes).size();
      names.add_secret(word.substr(begin, word.find_first_of("/'\"", begin) - begin));
    }
    before = word;
  }
}

}  // namespace palstudy
