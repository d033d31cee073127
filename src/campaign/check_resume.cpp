// SPDX-License-Identifier: MIT
#include "campaign/check_resume.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string_view>

#include "campaign/campaign_info.hpp"
#include "campaign/completed_runs.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "shard/checkpoint_file.hpp"
#include "shard/frame_format.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A value as a number is a number however it is written: 360.0 is 360. Texts stay as they are.
std::string plain(const std::string& value) {
  std::string text;
  bool quoted = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '"') quoted = !quoted;
    const bool whole = !quoted && value.compare(i, 2, ".0") == 0 && (i + 2 == value.size() || !is_digit(value[i + 2]));
    if (whole) {
      ++i;
    } else {
      text += value[i];
    }
  }
  return text;
}

/// Keys and values of a resolved study: one a line, under a line for each section.
std::map<std::string, std::string> keys_of(const std::string& resolved) {
  std::map<std::string, std::string> keys;
  std::string section;
  for (const std::string& line : split(resolved)) {
    const auto equals = line.find(" = ");
    if (line.starts_with('[')) {
      section = line.substr(1, line.find(']') - 1) + ".";
    } else if (equals != std::string::npos) {
      std::string key = line.substr(0, equals);
      std::erase(key, '"');
      keys.emplace(section + key, plain(line.substr(equals + 3)));
    }
  }
  return keys;
}

/// What a resolved study without the key means, if its program did not have the key; "" if another key says it.
std::string older_meaning(const Key& key, const std::map<std::string, std::string>& values) {
  if (key.name != keys::measured_jobs.name) return key.older;
  if (values.contains(keys::last_job) || values.contains(keys::measure_window)) return "";
  return values.contains(keys::resampling) ? "\"all\"" : key.older;
}

/// A study that lacks a key which the other one has may be of a program that did not have it: what it then means.
void add_older(std::map<std::string, std::string>& values, const std::map<std::string, std::string>& other) {
  for (const Key& key : fixed_keys()) {
    if (key.older.empty() || !other.contains(key.name)) continue;
    if (auto meaning = older_meaning(key, values); !meaning.empty()) values.emplace(key.name, std::move(meaning));
  }
}

bool matters(const std::string& key) {
  const auto under = [&](const char* section) { return key.starts_with(section); };
  return !under("study.") && !under("compare.") && !under("stop.") && key != keys::checkpoint.name;
}

/// Whether a list goes on where another ends: "[1, 2]" and "[1, 2, 3]".
bool grown(const std::string& before, const std::string& now) {
  if (!before.starts_with('[') || !before.ends_with(']')) return false;
  return now.starts_with(before.substr(0, before.size() - 1) + ",");
}

std::string shortened(const std::string& value) {
  constexpr std::size_t most = 80;
  return value.size() <= most ? value : value.substr(0, most) + "...";
}

}  // namespace

std::optional<KeyDifference> differing_key(const std::string& before, const std::string& now, bool may_grow) {
  auto old_keys = keys_of(before), new_keys = keys_of(now);
  add_older(old_keys, new_keys);
  add_older(new_keys, old_keys);
  std::set<std::string> all;
  for (const auto& [key, value] : old_keys) all.insert(key);
  for (const auto& [key, value] : new_keys) all.insert(key);
  for (const std::string& key : all) {
    const auto was = old_keys.find(key), is = new_keys.find(key);
    if (!matters(key)) continue;
    if (was == old_keys.end()) return KeyDifference{key, std::nullopt, shortened(is->second)};
    if (is == new_keys.end()) return KeyDifference{key, shortened(was->second), std::nullopt};
    if (was->second == is->second) continue;
    const bool one_is_longer = grown(was->second, is->second) || grown(is->second, was->second);
    if (may_grow && key.starts_with("axes.") && one_is_longer) continue;
    return KeyDifference{key, shortened(was->second), shortened(is->second)};
  }
  return std::nullopt;
}

std::string first_difference(const std::string& before, const std::string& now) {
  const auto found = differing_key(before, now, true);
  if (!found) return "";
  return fmt::format("{} was {} and is {}", found->key, found->before.value_or("not given"),
                     found->now.value_or("not given"));
}

namespace {

constexpr auto how_to_go_on = "restore it, give another -o, or remove the folder";

/// Those that cannot be read are used by no run.
void check_checkpoints(const InputSums& inputs, const std::filesystem::path& parts) {
  for (const auto& file : checkpoint_files(parts)) {
    const auto head = peek_checkpoint(file);
    const std::string what = head ? changed_input(head->key.files, inputs) : "";
    if (!what.empty()) throw usage_error("the checkpoint is of other inputs: " + what, file.string(), how_to_go_on);
  }
}

/// Study and inputs as the campaign saved them; nothing if that is lost or damaged.
std::optional<SavedInputs> saved_inputs(const std::filesystem::path& parts) {
  try {
    return load_inputs(parts);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

void check_same_campaign(const Study& study, const InputSums& inputs, const std::filesystem::path& parts,
                         bool restarts) {
  const bool shards = !shard_files(parts).empty();
  if (!shards && (restarts || checkpoint_files(parts).empty())) return;
  const std::string_view what_is_there = shards ? "shards" : "checkpoints";
  const std::optional<SavedInputs> saved = saved_inputs(parts);
  if (!saved) return check_checkpoints(inputs, parts);
  if (const auto what = first_difference(saved->resolved_study, study.resolved); !what.empty()) {
    throw usage_error(fmt::format("the {} are of another study: {}", what_is_there, what), parts.string(), how_to_go_on);
  }
  if (const auto what = changed_input(saved->input_sha256, inputs); !what.empty()) {
    throw usage_error(fmt::format("the {} are of other inputs: {}", what_is_there, what), parts.string(), how_to_go_on);
  }
  check_checkpoints(inputs, parts);
}

}  // namespace palstudy
