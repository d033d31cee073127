// SPDX-License-Identifier: MIT
#include "core/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

template <class Kind, class Any>
const Kind& as(const Any& any, const char* what) {
  const Kind* value = std::get_if<Kind>(&any);
  if (value == nullptr) throw fault(fmt::format("a value is not {}", what));
  return *value;
}

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    const auto code = static_cast<unsigned char>(c);
    json += code < 0x20 ? fmt::format("\\u{:04x}", code) : std::string(1, c);
  }
  return json + "\"";
}

}  // namespace

Value::Value(double number) {
  if (!std::isnan(number)) any_ = number;
}

double Value::number() const {
  if (const auto* whole = std::get_if<std::int64_t>(&any_)) return static_cast<double>(*whole);
  return as<double>(any_, "a number");
}

std::size_t Value::count() const { return static_cast<std::size_t>(as<std::int64_t>(any_, "a count")); }
bool Value::yes() const { return as<bool>(any_, "yes or no"); }
const std::string& Value::name() const { return as<std::string>(any_, "a name"); }
const ValueList& Value::list() const { return as<ValueList>(any_, "a list"); }
const ValueRecord& Value::record() const { return as<ValueRecord>(any_, "a record"); }

const Value& Value::operator[](std::string_view name) const {
  const Value* value = find(record(), name);
  if (value == nullptr) throw fault(fmt::format("there is no value {}", name));
  return *value;
}

Value least_and_most(double least, double most) { return most < least ? Value() : Value(ValueList{least, most}); }

const Value* find(const ValueRecord& record, std::string_view name) {
  const auto at = std::ranges::find_if(record, [&](const auto& one) { return one.first == name; });
  return at == record.end() ? nullptr : &at->second;
}

namespace {

/// A number that JSON has none for is null.
struct Json {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool yes) const { return yes ? "true" : "false"; }
  std::string operator()(std::int64_t whole) const { return fmt::format("{}", whole); }
  std::string operator()(double number) const { return std::isfinite(number) ? shortest(number) : "null"; }
  std::string operator()(const std::string& name) const { return quoted(name); }
  std::string operator()(const ValueList& list) const {
    std::vector<std::string> parts;
    for (const Value& one : list) parts.push_back(to_json(one));
    return "[" + join(parts, ",") + "]";
  }
  std::string operator()(const ValueRecord& record) const {
    std::vector<std::string> parts;
    for (const auto& [name, one] : record) parts.push_back(quoted(name) + ":" + to_json(one));
    return "{" + join(parts, ",") + "}";
  }
};

}  // namespace

std::string to_json(const Value& value) { return value.visit(Json()); }

}  // namespace palstudy
