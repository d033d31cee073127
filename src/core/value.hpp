// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace palstudy {

class Value;
using ValueList = std::vector<Value>;
/// Values by name, in the order in which they are given.
using ValueRecord = std::vector<std::pair<std::string, Value>>;

/// A value of a result on its way to a reader: a number, a whole number, yes or no, a name (of the study, or of an
/// enumerator), nothing, or lists and records of these. It is never a sentence: those are made in words/.
class Value {
 public:
  Value() = default;  ///< nothing: not known, or none
  Value(std::same_as<bool> auto yes) : any_(yes) {}
  template <std::integral Whole>
  requires(!std::same_as<Whole, bool>) Value(Whole count) : any_(static_cast<std::int64_t>(count)) {}
  Value(double number);  ///< a NaN is nothing
  Value(std::string name) : any_(std::move(name)) {}
  Value(const char* name) : any_(std::string(name)) {}
  Value(ValueList list) : any_(std::move(list)) {}
  Value(ValueRecord record) : any_(std::move(record)) {}
  Value(const std::vector<std::string>& names) : any_(ValueList(names.begin(), names.end())) {}

  [[nodiscard]] bool known() const { return !std::holds_alternative<std::monostate>(any_); }
  /// Also of a whole number. Errors (fault), here and below: it is something else.
  [[nodiscard]] double number() const;
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] bool yes() const;
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const ValueList& list() const;
  [[nodiscard]] const ValueRecord& record() const;
  /// The value of a record by its name. Errors (fault): it has none of this name.
  [[nodiscard]] const Value& operator[](std::string_view name) const;
  /// The least and the most that a list of two has.
  [[nodiscard]] double least() const { return list().at(0).number(); }
  [[nodiscard]] double most() const { return list().at(1).number(); }

  template <class Visitor>
  [[nodiscard]] auto visit(const Visitor& visitor) const {
    return std::visit(visitor, any_);
  }

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, ValueList, ValueRecord> any_;
};

/// The least and the most of something; nothing where no value was seen.
[[nodiscard]] Value least_and_most(double least, double most);

/// The value of this name, or null.
[[nodiscard]] const Value* find(const ValueRecord& record, std::string_view name);

}  // namespace palstudy
