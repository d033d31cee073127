// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace palstudy {

/// A TOML value together with the place it came from, for the messages of later checks. A type of our own
/// keeps the headers of the parser in one file.
struct TomlValue {
  enum class Kind { boolean, integer, real, text, array, table, other };
  Kind kind = Kind::table;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text = {};
  std::vector<TomlValue> items = {};    ///< of an array or a table
  std::vector<std::string> names = {};  ///< of a table: the key of each item
  std::string where = {};               ///< file:line:column of the value
  std::string key_where = {};           ///< and of the key before it

  [[nodiscard]] bool number() const { return kind == Kind::integer || kind == Kind::real; }
  [[nodiscard]] double as_real() const { return kind == Kind::integer ? static_cast<double>(integer) : real; }
  /// The item of a table, or null.
  [[nodiscard]] const TomlValue* find(const std::string& name) const;

  static TomlValue of(bool value) { return {.kind = Kind::boolean, .boolean = value}; }
  static TomlValue of(std::int64_t value) { return {.kind = Kind::integer, .integer = value}; }
  static TomlValue of(double value) { return {.kind = Kind::real, .real = value}; }
  static TomlValue of(std::string value) { return {.kind = Kind::text, .text = std::move(value)}; }
};

/// Reads a TOML file. Errors (usage): cannot be read, not TOML, with file:line:column.
[[nodiscard]] TomlValue read_toml(const std::filesystem::path& file);
/// The same from memory.
[[nodiscard]] TomlValue parse_toml(const std::string& text, const std::string& name);
/// One TOML value alone, as after `key =`; nothing if `text` is not one. `where` becomes its place.
[[nodiscard]] std::optional<TomlValue> parse_toml_value(const std::string& text, const std::string& where);
/// Errors (usage): `text` is no TOML value because a whole number in it has more than 64 bits.
void require_64_bits(const std::string& text, const std::string& where);

/// The value as TOML on one line; numbers in their shortest form that reads back the same, reals never as integers.
[[nodiscard]] std::string to_toml(const TomlValue& value);
/// What it is, in words, for messages: `the text "x"`.
[[nodiscard]] std::string describe(const TomlValue& value);

}  // namespace palstudy
