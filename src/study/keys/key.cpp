// SPDX-License-Identifier: MIT
#include "study/keys/key.hpp"

#include "sim/result.hpp"
#include "study/keys/key_names.hpp"

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
      .is(&Key::independent);
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

Key Key::choice(std::string name, std::string value, std::string summary, std::vector<std::string> choices) {
  return {.name = std::move(name),
          .type = KeyType::choice,
          .default_value = std::move(value),
          .summary = std::move(summary),
          .choices = std::move(choices)};
}

Key Key::metric(std::string name, std::string value, std::string summary) {
  Key key = choice(std::move(name), std::move(value), std::move(summary)).is(&Key::of_study);
  for (const auto& info : metric_infos) key.choices.emplace_back(info.name);
  return key;
}

Key Key::between(double smallest, double largest) const {
  return with(&Key::least, smallest).with(&Key::most, largest);
}

Key Key::otherwise(std::string words, std::function<std::optional<TomlValue>(const KeyValues&)> value) const {
  return with(&Key::derived, std::move(words)).with(&Key::fallback, std::move(value));
}

Key Key::used_where(std::function<bool(const RunPlan&)> where, std::string why) const {
  return with(&Key::used, std::move(where)).with(&Key::unused_why, std::move(why));
}

}  // namespace palstudy
