// SPDX-License-Identifier: MIT
#include "campaign/check_resume.hpp"

#include <fmt/format.h>

#include <algorithm>
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
#include "study/parsed_study.hpp"
#include "study/toml_value.hpp"

namespace palstudy {
namespace {

/// The keys of a resolved study with values in the form of each, axes as lists under "axes.".
KeyValues keys_of(const std::string& resolved) {
  const ParsedStudy parsed = parse_keys(parse_toml(resolved, "/study/resolved"));
  KeyValues keys = parsed.base;
  for (const auto& [key, axis] : parsed.axes) {
    TomlValue& list = keys["axes." + key];
    list.kind = TomlValue::Kind::array;
    list.items = axis.sets.empty() ? axis.values : axis.written;
  }
  return keys;
}

bool matters(const std::string& key) {
  const auto under = [&](const char* section) { return key.starts_with(section); };
  return !under("study.") && !under("compare.") && !under("stop.") && key != keys::checkpoint.name;
}

bool same(const TomlValue& a, const TomlValue& b) { return to_toml(a) == to_toml(b); }

/// Whether a list goes on where another ends: "[1, 2]" and "[1, 2, 3]".
bool grown(const TomlValue& before, const TomlValue& now) {
  const auto &a = before.items, &b = now.items;
  return a.size() < b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
}

std::string text_of(const TomlValue& value) {
  if (value.kind == TomlValue::Kind::real) return shortest(value.real);
  if (value.kind != TomlValue::Kind::array) return to_toml(value);
  std::vector<std::string> items;
  for (const TomlValue& item : value.items) items.push_back(text_of(item));
  return "[" + join(items) + "]";
}

std::string shortened(const TomlValue& value) {
  constexpr std::size_t most = 80;
  const std::string text = text_of(value);
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

}  // namespace

std::optional<KeyDifference> differing_key(const std::string& before, const std::string& now, bool may_grow) {
  const KeyValues old_keys = keys_of(before), new_keys = keys_of(now);
  std::set<std::string> all;
  for (const auto& [key, value] : old_keys) all.insert(key);
  for (const auto& [key, value] : new_keys) all.insert(key);
  for (const std::string& key : all) {
    const auto was = old_keys.find(key), is = new_keys.find(key);
    if (!matters(key)) continue;
    if (was == old_keys.end()) return KeyDifference{key, std::nullopt, shortened(is->second)};
    if (is == new_keys.end()) return KeyDifference{key, shortened(was->second), std::nullopt};
    if (same(was->second, is->second)) continue;
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
    throw usage_error(fmt::format("the {} are of another study: {}", what_is_there, what), parts.string(),
                      how_to_go_on);
  }
  if (const auto what = changed_input(saved->input_sha256, inputs); !what.empty()) {
    throw usage_error(fmt::format("the {} are of other inputs: {}", what_is_there, what), parts.string(), how_to_go_on);
  }
  check_checkpoints(inputs, parts);
}

}  // namespace palstudy
