// SPDX-License-Identifier: MIT
#include "study/key.hpp"

#include "sim/result.hpp"
#include "study/key_names.hpp"

namespace palstudy {

Key Key::integer(std::string name, std::string unit, std::string value, std::string summary, double least,
                 double most) {
  return {.name = std::move(name),
          .type = KeyType::integer,
          .unit = std::move(unit),
          .default_value = std::move(value),
          .summary = std::move(summary),
          .least = least,
          .most = most};
}

Key Key::seed(std::string name, std::string summary) {
  return integer(std::move(name), "", "", std::move(summary), 0, max_integer)
      .otherwise(keys::seed, [](const KeyValues& values) { return keys::seed.at(values); })
      .alone();
}

Key Key::number(std::string name, std::string unit, std::string value, std::string summary) {
  return {.name = std::move(name),
          .type = KeyType::number,
          .unit = std::move(unit),
          .default_value = std::move(value),
          .summary = std::move(summary),
          .least = 0};
}

Key Key::boolean(std::string name, std::string value, std::string summary) {
  return {.name = std::move(name),
          .type = KeyType::boolean,
          .default_value = std::move(value),
          .summary = std::move(summary)};
}

Key Key::text(KeyType type, std::string name, std::string value, std::string derived, std::string summary) {
  return {.name = std::move(name),
          .type = type,
          .default_value = std::move(value),
          .derived = std::move(derived),
          .summary = std::move(summary)};
}

Key Key::choice(std::string name, std::string value, std::string summary, std::vector<std::string> choices,
                std::vector<std::string> later) {
  return {.name = std::move(name),
          .type = KeyType::choice,
          .default_value = std::move(value),
          .summary = std::move(summary),
          .choices = std::move(choices),
          .later = std::move(later)};
}

Key Key::metric(std::string name, std::string value, std::string summary) {
  Key key = choice(std::move(name), std::move(value), std::move(summary)).of_study();
  for (const auto& info : metric_infos) key.choices.emplace_back(info.name);
  return key;
}

Key Key::between(double smallest, double largest) const {
  Key key = *this;
  key.least = smallest;
  key.most = largest;
  return key;
}

Key Key::above_zero() const {
  Key key = *this;
  key.above_least = true;
  return key;
}

Key Key::or_inf() const {
  Key key = *this;
  key.infinite = true;
  return key;
}

Key Key::of_study() const {
  Key key = *this;
  key.of_run = false;
  return key;
}

Key Key::file() const {
  Key key = *this;
  key.names_file = true;
  return key;
}

Key Key::alone() const {
  Key key = *this;
  key.independent = true;
  return key;
}

Key Key::before(std::string value) const {
  Key key = *this;
  key.older = std::move(value);
  return key;
}

Key Key::derived_as(std::string words) const {
  Key key = *this;
  key.derived = std::move(words);
  return key;
}

Key Key::otherwise(std::string words, std::function<std::optional<TomlValue>(const KeyValues&)> value) const {
  Key key = derived_as(std::move(words));
  key.fallback = std::move(value);
  return key;
}

Key Key::following(std::vector<std::string> keys) const {
  Key key = *this;
  key.follows = std::move(keys);
  return key;
}

Key Key::used_where(std::function<bool(const RunPlan&)> where, std::string why) const {
  Key key = *this;
  key.used = std::move(where);
  key.unused_why = std::move(why);
  return key;
}

Key Key::sets_by(std::function<void(RunPlan&, const TomlValue&)> how) const {
  Key key = *this;
  key.set = std::move(how);
  return key;
}

}  // namespace palstudy
