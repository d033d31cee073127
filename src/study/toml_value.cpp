// SPDX-License-Identifier: MIT
#include "study/toml_value.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr std::uintmax_t size_limit = 16u << 20;  // a study is written by hand; more is another file given by mistake

std::string place(const std::string& name, const toml::source_position& at) {
  return fmt::format("{}:{}:{}", name, at.line, at.column);
}

TomlValue convert(const toml::node& node, const std::string& name);

TomlValue convert_table(const toml::table& table, const std::string& name) {
  TomlValue value;
  for (const auto& [key, item] : table) {
    value.names.emplace_back(key.str());
    value.items.push_back(convert(item, name));
    value.items.back().key_where = place(name, key.source().begin);
  }
  return value;
}

TomlValue convert(const toml::node& node, const std::string& name) {
  TomlValue value;
  if (const auto* table = node.as_table()) {
    value = convert_table(*table, name);
  } else if (const auto* array = node.as_array()) {
    value.kind = TomlValue::Kind::array;
    for (const auto& item : *array) value.items.push_back(convert(item, name));
  } else if (const auto* boolean = node.as_boolean()) {
    value = TomlValue::of(boolean->get());
  } else if (const auto* integer = node.as_integer()) {
    value = TomlValue::of(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    value = TomlValue::of(real->get());
  } else if (const auto* text = node.as_string()) {
    value = TomlValue::of(text->get());
  } else {
    value.kind = TomlValue::Kind::other;
  }
  value.where = place(name, node.source().begin);
  return value;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string real_text(double value) {
  std::string text = shortest(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";  // "inf" and "nan" have an n
  return text;
}

std::string list_text(const TomlValue& value) {
  std::vector<std::string> parts;
  for (const auto& item : value.items) parts.push_back(to_toml(item));
  return fmt::format("[{}]", join(parts));
}

constexpr auto bare_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

std::string table_text(const TomlValue& value) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::string& name = value.names[i];
    const bool bare = !name.empty() && name.find_first_not_of(bare_letters) == std::string::npos;
    parts.push_back((bare ? name : quoted(name)) + " = " + to_toml(value.items[i]));
  }
  return parts.empty() ? "{}" : fmt::format("{{ {} }}", join(parts));
}

/// toml++ tells its errors apart by their words alone; tests/study/overrides.cpp notices other ones.
bool is_of_large_integer(const toml::parse_error& error) {
  return error.description().find("64 bits") != std::string_view::npos;
}
Error beyond_64_bits_error(const std::string& where) {
  return usage_error("a whole number beyond 64 bits", where,
                     "whole numbers go from -9223372036854775808 to 9223372036854775807");
}

}  // namespace

const TomlValue* TomlValue::find(const std::string& name) const {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return &items[i];
  }
  return nullptr;
}

TomlValue read_toml(const std::filesystem::path& file) {
  std::error_code failed;
  if (std::filesystem::is_directory(file, failed)) {
    throw usage_error("is a directory, not a study file", file.string(), "give the path of a TOML file in it");
  }
  if (!std::filesystem::is_regular_file(file, failed)) {
    const bool there = std::filesystem::exists(file, failed);
    throw usage_error(there ? "is no regular file" : "there is no such study file", file.string(),
                      "give the path of a TOML file; palstudy init prints one");
  }
  const auto size = std::filesystem::file_size(file, failed);
  if (!failed && size > size_limit) throw usage_error("is too large for a study file", file.string());
  std::ifstream in(where_read(file), std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.is_open() || in.bad()) throw usage_error("cannot be read", file.string(), "check its permissions");
  return parse_toml(text, file.string());
}

TomlValue parse_toml(const std::string& text, const std::string& name) {
  if (const auto zero = text.find('\0'); zero != std::string::npos) {
    throw usage_error(fmt::format("is a binary file, not TOML (byte {} is zero)", zero + 1), name + ":1:1",
                      "give a study file; palstudy init prints one");
  }
  try {
    return convert(toml::parse(text, name), name);
  } catch (const toml::parse_error& error) {
    if (is_of_large_integer(error)) throw beyond_64_bits_error(place(name, error.source().begin));
    throw usage_error("not TOML: " + std::string(error.description()), place(name, error.source().begin),
                      "a study is a TOML file; palstudy init prints one");
  }
}

std::optional<TomlValue> parse_toml_value(const std::string& text, const std::string& where) {
  try {
    const toml::table table = toml::parse("x = " + text);
    if (table.size() != 1 || !table.contains("x")) return std::nullopt;
    TomlValue value = convert(*table.get("x"), "");
    const auto put_place = [&](auto&& self, TomlValue& at) -> void {
      at.where = at.key_where = where;
      for (auto& item : at.items) self(self, item);
    };
    put_place(put_place, value);
    return value;
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

void require_64_bits(const std::string& text, const std::string& where) {
  try {
    (void)toml::parse("x = " + text);
  } catch (const toml::parse_error& error) {
    if (is_of_large_integer(error)) throw beyond_64_bits_error(where);
  }
}

std::string to_toml(const TomlValue& value) {
  switch (value.kind) {
    case TomlValue::Kind::boolean:
      return value.boolean ? "true" : "false";
    case TomlValue::Kind::integer:
      return std::to_string(value.integer);
    case TomlValue::Kind::real:
      return real_text(value.real);
    case TomlValue::Kind::text:
      return quoted(value.text);
    case TomlValue::Kind::array:
      return list_text(value);
    case TomlValue::Kind::table:
      return table_text(value);
    case TomlValue::Kind::other:
      break;
  }
  throw fault("a date or time where a study has none", value.where);
}

std::string describe(const TomlValue& value) {
  using Kind = TomlValue::Kind;
  if (value.kind == Kind::array) return value.items.empty() ? "an empty list" : "a list";
  if (value.kind == Kind::table) return "a table";
  if (value.kind == Kind::other) return "a date or time";
  return (value.kind == Kind::boolean ? "the boolean " : value.kind == Kind::text ? "the text " : "") + to_toml(value);
}

}  // namespace palstudy
