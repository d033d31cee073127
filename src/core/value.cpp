// SPDX-License-Identifier: MIT
#include "core/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace palstudy {
namespace {

template <class Kind, class Any>
const Kind& as(const Any& any, const char* what) {
  const Kind* value = std::get_if<Kind>(&any);
  if (value == nullptr) throw fault(fmt::format("a value is not {}", what));
  return *value;
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

}  // namespace palstudy
