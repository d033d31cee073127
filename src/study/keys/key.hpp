// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "study/toml_value.hpp"

namespace palstudy {

struct RunPlan;

/// The values of keys by name, each checked and in the form of its key.
using KeyValues = std::map<std::string, TomlValue>;

/// The type of a key's value. `word_or_table`: one of the choices, or a table whose keys are declared on their own
/// (network.penalty). `looks`: a rising list of numbers of seeds. `quotas`: a table of numbers by names that the user
/// chooses. `system`: on an axis alone, a table of a name and of keys of the same section. `partitions`: a number of
/// them; or their sizes, in a list or by name, whose number is `integer` then. `columns`: a table of texts by names
/// among the choices, or a list of texts.
enum class KeyType {
  integer,
  number,
  boolean,
  text,
  path,
  choice,
  bins,
  nodes,
  names,
  word_or_table,
  looks,
  quotas,
  system,
  partitions,
  columns
};

/// Converts a checked value to the type of the member that it is for.
template <class T>
void assign(T& to, const TomlValue& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    to = value.text;
  } else if constexpr (std::is_same_v<T, bool>) {
    to = value.boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    to = value.as_real();
  } else {
    to = static_cast<T>(value.integer);
  }
}

/// The value of a member that a key sets, as a text of its own.
template <class T>
[[nodiscard]] std::string member_text(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    return shortest(value);
  } else {
    return std::to_string(value);
  }
}

/// The name of a key that more than its declaration refers to, with the type of its value.
template <class T>
struct KeyName {
  const char* name;
  operator std::string() const { return name; }  // NOLINT: a name is given wherever a key is
  [[nodiscard]] bool given_in(const KeyValues& values) const { return values.contains(name); }
  [[nodiscard]] const TomlValue& at(const KeyValues& values) const { return values.at(name); }
  [[nodiscard]] T in(const KeyValues& values) const {
    T value{};
    assign(value, values.at(name));
    return value;
  }
};

/// The member that a path of pointers to members leads to.
template <class Object, class First, class... Rest>
auto& member_of(Object& object, First first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return object.*first;
  } else {
    return member_of(object.*first, rest...);
  }
}
template <class... Path>
using MemberType = std::remove_reference_t<decltype(member_of(std::declval<RunPlan&>(), std::declval<Path>()...))>;

/// The declaration of one key of the study file. The checks, the defaults, the options of runs, `palstudy list keys`
/// and docs/ all follow from it. The static functions begin a declaration, the others add to it. (More than 15 members:
/// what a declaration may say.)
struct Key {
  static constexpr double max_integer = 9223372036854775807.0;
  static constexpr double max_seconds = 1e9;  ///< for rounds and migrations; with longer ones runs could stand still

  std::string name;  ///< dotted, e.g. "network.penalty.cluster"
  KeyType type = KeyType::text;
  std::string unit = {};           ///< "" without a unit
  std::string default_value = {};  ///< the default in every run, as TOML; "" without a constant default
  std::string derived = {};        ///< the default in words where it is not constant
  std::string summary = {};
  double least = -std::numeric_limits<double>::infinity();  ///< the smallest number, inclusive
  double most = std::numeric_limits<double>::infinity();    ///< the largest number, inclusive
  bool above_least = false;                                 ///< `least` itself is not allowed
  bool infinite = false;                                    ///< inf is allowed
  std::vector<std::string> choices = {};
  bool of_study = false;         ///< the key describes the study; it is no axis and enters no run's id
  bool names_file = false;       ///< a value may be a path
  std::string outside_ids = {};  ///< the value, as TOML, that enters no id
  /// No value of another key, no check and no cost depends on the key.
  bool independent = false;
  /// The default where it is not constant; nothing in runs without the key.
  std::function<std::optional<TomlValue>(const KeyValues&)> fallback = {};
  std::vector<std::string> follows = {};  ///< keys or tables that the default depends on; on an axis they change it
  std::function<void(RunPlan&, const TomlValue&)> set = {};  ///< sets the member of the run's options
  std::function<std::string(const RunPlan&)> read = {};      ///< that member as text: equal for equal values
  std::function<bool(const RunPlan&)> shapes = {};  ///< whether what its section makes depends on it; empty: always
  std::function<bool(const RunPlan&)> used = {};    ///< whether the run depends on the key; empty: always
  std::string unused_why = {};                      ///< why no run depends on it

  static Key integer(std::string name, std::string unit, std::string value, std::string summary, double least,
                     double most);
  /// A seed that defaults to `seed`.
  static Key seed(std::string name, std::string summary);
  /// A number that is 0 or more.
  static Key number(std::string name, std::string unit, std::string value, std::string summary);
  static Key boolean(std::string name, std::string value, std::string summary);
  static Key text(KeyType type, std::string name, std::string value, std::string derived, std::string summary);
  static Key choice(std::string name, std::string value, std::string summary, std::vector<std::string> choices = {});
  /// A metric of runs, for the study as a whole.
  static Key metric(std::string name, std::string value, std::string summary);

  [[nodiscard]] bool may_be_axis() const {
    return !of_study && type != KeyType::nodes && type != KeyType::quotas && type != KeyType::columns;
  }
  [[nodiscard]] Key between(double smallest, double largest) const;
  /// The same key with a field set: with(&Key::unit, "GPU").
  template <class Field>
  [[nodiscard]] Key with(Field Key::*field, std::type_identity_t<Field> value) const {
    Key key = *this;
    key.*field = std::move(value);
    return key;
  }
  /// The same key with flags set: is(&Key::above_least, &Key::infinite).
  template <class... Flags>
  [[nodiscard]] Key is(Flags... flags) const {
    Key key = *this;
    ((key.*flags = true), ...);
    return key;
  }
  /// A default in some runs, with the words for it.
  [[nodiscard]] Key otherwise(std::string words, std::function<std::optional<TomlValue>(const KeyValues&)> value) const;
  [[nodiscard]] Key used_where(std::function<bool(const RunPlan&)> where, std::string why) const;

  /// Binds the key to a member of the run's options: sets(&RunPlan::engine, &EngineOptions::round_s).
  template <class... Path>
  [[nodiscard]] Key sets(Path... path) const {
    Key key = *this;
    key.set = [path...](RunPlan& run, const TomlValue& value) { assign(member_of(run, path...), value); };
    key.read = [path...](const RunPlan& run) { return member_text(member_of(run, path...)); };
    return key;
  }
  /// The same for a choice, with the member's value for each word; the words become the choices.
  template <class... Path>
  [[nodiscard]] Key sets_word(std::initializer_list<std::pair<const char*, MemberType<Path...>>> words,
                              Path... path) const {
    Key key = *this;
    const std::map<std::string, MemberType<Path...>> values(words.begin(), words.end());
    for (const auto& [word, value] : words) key.choices.emplace_back(word);
    key.set = [values, path...](RunPlan& run, const TomlValue& value) {
      member_of(run, path...) = values.at(value.text);
    };
    key.read = [values, path...](const RunPlan& run) {
      for (const auto& [word, value] : values) {
        if (value == member_of(run, path...)) return word;
      }
      return std::string();
    };
    return key;
  }
};

/// Checks a value against its key and converts it to the key's own form (an integer becomes a real where a number is
/// wanted). Errors (usage): wrong type, out of range, unknown choice, at the place of the value.
[[nodiscard]] TomlValue check_value(const Key& key, const TomlValue& value);
/// The constant default of a key that has one.
[[nodiscard]] TomlValue default_of(const Key& key);
/// A key and its value under the name and in the unit of today, if `name` is one of an earlier version.
[[nodiscard]] std::pair<std::string, TomlValue> current_key(const std::string& name, const TomlValue& value);
/// Throws for a name that is no key: a section, or a misspelling.
[[noreturn]] void refuse_key(const std::string& name, const TomlValue& value);
/// "an integer from 1 to 32", for messages and docs.
[[nodiscard]] std::string wanted(const Key& key);

}  // namespace palstudy
