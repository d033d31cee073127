// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/registry.hpp"
#include "study/toml_value.hpp"

namespace palstudy {

/// What a key of the study file wants.
/// `word_or_table`: one of the choices, or a table whose keys stand on their own (network.penalty). `looks`: a rising
/// list of numbers of seeds. `quotas`: a table of numbers by names that are the user's.
enum class KeyType { integer, number, boolean, text, path, choice, bins, nodes, names, word_or_table, looks, quotas };

/// One key of the study file. This table drives the checks, the defaults, `palstudy list keys` and docs/.
struct KeySpec {
  std::string key;  ///< dotted, e.g. "network.penalty.cluster"
  KeyType type = KeyType::text;
  std::string unit = "";           ///< "" where there is none
  std::string default_value = "";  ///< as TOML; "" where there is no constant one
  std::string derived = "";  ///< what stands in for a missing one, in words; "" if it must be given where it is needed
  std::string summary = "";
  double least = -std::numeric_limits<double>::infinity();  ///< of a number, inclusive
  double most = std::numeric_limits<double>::infinity();    ///< of a number, inclusive; infinity is itself allowed only
                                                            ///< with `infinite`
  bool above_least = false;                                 ///< `least` itself is not allowed
  bool infinite = false;                                    ///< inf is a value
  std::vector<std::string> choices = {};                    ///< of a choice
  std::vector<std::string> later = {};  ///< choices of the contract that this version does not do yet
  bool of_run = true;                   ///< false: of the study as a whole, so never an axis and not part of a run's id
  std::string older = "";  ///< of a key whose default is not what programs did before they had it: the value, as TOML,
                           ///< that stands for what they did. It enters no id, and a resolved study without the key
                           ///< has it
};

/// Every key with a fixed name, sorted by key.
[[nodiscard]] const std::vector<KeySpec>& fixed_keys();
/// Parameters of registered generators, orders and placements as keys: `workload.<param>`, `policy.<param>`.
[[nodiscard]] std::vector<KeySpec> param_keys();
/// The spec of a key, fixed or of a parameter; null if there is none.
[[nodiscard]] const KeySpec* find_key(const std::string& key);
/// A parameter of a registered thing as a key; `section` is "workload" or "policy".
[[nodiscard]] KeySpec param_key(const std::string& section, const Param& param, const std::string& owner);

/// Checks a value against its key and brings it to the key's own form (an integer becomes a real where a number is
/// wanted). Errors (usage): wrong type, out of range, unknown choice, at the place of the value.
[[nodiscard]] TomlValue check_value(const KeySpec& spec, const TomlValue& value);
/// Throws for a key that is none: a section, or a misspelling.
[[noreturn]] void refuse_key(const std::string& key, const TomlValue& value);
/// "an integer from 1 to 32", for messages and docs.
[[nodiscard]] std::string wanted(const KeySpec& spec);

/// One key of the study file, for `list keys` and docs/.
struct KeyInfo {
  std::string key, unit, default_value, summary;
  std::string wants;  ///< type and range, in words: "an integer from 1 to 32"
};
[[nodiscard]] const std::vector<KeyInfo>& study_keys();

}  // namespace palstudy
