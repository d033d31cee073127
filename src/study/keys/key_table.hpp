// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/registry.hpp"
#include "study/keys/key.hpp"

namespace palstudy {

/// The keys of one section of the study file, and what they decide together; study/keys/sections/ has them. Sections
/// are completed in the order of their files' names, so that a section may read the values of those before it.
struct KeySection {
  std::vector<Key> keys;
  /// Fills in the defaults that are no fallback of one key, and removes keys that mean nothing in this run. `given`:
  /// the values without any default; `file`: the study file, the place of what is missing. Errors (usage):
  /// contradictions.
  void (*complete)(const KeyValues& given, KeyValues& values, const std::string& file) = nullptr;
  /// Sets the options that several keys decide together; those of single keys are set.
  void (*bind)(const KeyValues& values, RunPlan& run) = nullptr;
  /// Checks what was given before any section is completed.
  void (*check)(const KeyValues& given, const std::string& file) = nullptr;
};
using KeySections = std::vector<KeySection>;
[[nodiscard]] const KeySections& key_sections();

/// Every key with a fixed name, sorted by name.
[[nodiscard]] const std::vector<Key>& fixed_keys();
/// Parameters of registered generators and policies as keys: `workload.<param>`, `policy.<param>`, `routing.<param>`.
[[nodiscard]] std::vector<Key> param_keys();
/// Both, sorted by name; a parameter that several things share once.
[[nodiscard]] const std::vector<Key>& all_keys();
/// A parameter of the registered thing `owner` as a key of `section`.
[[nodiscard]] Key param_key(const std::string& section, const Param& param, const std::string& owner);
/// The declaration of a key, fixed or a parameter; null if there is none.
[[nodiscard]] const Key* find_key(const std::string& name);

/// The JSON Schema (draft 7) of a study file, made of the keys: what editors complete and check with. A study that the
/// program accepts is valid; contradictions between keys are the program's to find.
[[nodiscard]] std::string study_schema();

}  // namespace palstudy
