// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "study/keys/key.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The keys that enter an id, sorted, values in their shortest form, paths as written: the text that is hashed.
[[nodiscard]] std::string canonical_text(const KeyValues& values);
/// Whether the value of a key is part of it: not if it stands for the behavior of versions before the key.
[[nodiscard]] bool enters_id(const std::string& key, const TomlValue& value);
/// One line of it.
[[nodiscard]] std::string canonical_line(const std::string& key, const TomlValue& value);
/// The id of a run with this canonical text: 16 hex digits, XXH3-64.
[[nodiscard]] std::string id_of(const std::string& canonical);

/// The numbers of a study's runs, by their ids.
class RunNumbers {
 public:
  /// `study` must outlive it.
  explicit RunNumbers(const Study& study) : study_(study) {}
  /// `likely`: the number of the run where it was found, which is tried first; it is right unless axes have grown
  /// since. Nothing if the study has no such run.
  [[nodiscard]] std::optional<std::int64_t> find(const std::string& id, std::int64_t likely);

 private:
  const Study& study_;
  std::unordered_map<std::string_view, std::int64_t> by_id_;  // made at the first miss; never iterated over
};

}  // namespace palstudy
