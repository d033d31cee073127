// SPDX-License-Identifier: MIT
#define XXH_INLINE_ALL
#include "study/run_id.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include "study/keys/key_table.hpp"

namespace palstudy {

std::string canonical_text(const KeyValues& values) {
  std::string text;
  for (const auto& [key, value] : values) {
    if (enters_id(key, value)) text += canonical_line(key, value);
  }
  return text;
}

bool enters_id(const std::string& key, const TomlValue& value) {
  const Key* known = find_key(key);
  return known == nullptr || known->outside_ids.empty() || to_toml(value) != known->outside_ids;
}

std::string canonical_line(const std::string& key, const TomlValue& value) {
  return key + " = " + to_toml(value) + "\n";
}

std::string id_of(const std::string& canonical) {
  return fmt::format("{:016x}", static_cast<std::uint64_t>(XXH3_64bits(canonical.data(), canonical.size())));
}

std::optional<std::int64_t> RunNumbers::find(const std::string& id, std::int64_t likely) {
  const auto& runs = study_.runs;
  if (likely >= 0 && likely < static_cast<std::int64_t>(runs.size())) {
    const RunPlan& run = runs[static_cast<std::size_t>(likely)];
    if (run.id == id) return run.number;
  }
  if (by_id_.empty()) {
    by_id_.reserve(runs.size());
    for (const RunPlan& run : runs) by_id_.emplace(run.id, run.number);
  }
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace palstudy
