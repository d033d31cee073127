// SPDX-License-Identifier: MIT
#include "study/keys/key_spec.hpp"

#include <utility>

namespace palstudy::key_spec {

KeySpec integer(std::string key, std::string unit, std::string value, std::string summary, double least, double most) {
  return {.key = std::move(key),
          .type = KeyType::integer,
          .unit = std::move(unit),
          .default_value = std::move(value),
          .summary = std::move(summary),
          .least = least,
          .most = most};
}

KeySpec seed(std::string key, std::string summary) {
  KeySpec spec = integer(std::move(key), "", "", std::move(summary), 0, max_integer);
  spec.derived = "seed";
  return spec;
}

KeySpec number(std::string key, std::string unit, std::string value, std::string summary) {
  return {.key = std::move(key),
          .type = KeyType::number,
          .unit = std::move(unit),
          .default_value = std::move(value),
          .summary = std::move(summary),
          .least = 0};
}

KeySpec above_zero(KeySpec spec, bool infinite) {
  spec.above_least = true;
  spec.infinite = infinite;
  return spec;
}

KeySpec factor(std::string key, std::string derived, std::string summary) {
  KeySpec spec = above_zero(number(std::move(key), "1", "", std::move(summary)));
  spec.derived = std::move(derived);
  spec.most = max_penalty;
  return spec;
}

KeySpec text(KeyType type, std::string key, std::string value, std::string derived, std::string summary) {
  return {.key = std::move(key),
          .type = type,
          .default_value = std::move(value),
          .derived = std::move(derived),
          .summary = std::move(summary)};
}

KeySpec choice(std::string key, std::string value, std::string summary, std::vector<std::string> choices,
               std::vector<std::string> later) {
  return {.key = std::move(key),
          .type = KeyType::choice,
          .default_value = std::move(value),
          .summary = std::move(summary),
          .choices = std::move(choices),
          .later = std::move(later)};
}

KeySpec boolean(std::string key, std::string value, std::string summary) {
  return {.key = std::move(key),
          .type = KeyType::boolean,
          .default_value = std::move(value),
          .summary = std::move(summary)};
}

KeySpec of_study(KeySpec spec) {
  spec.of_run = false;
  return spec;
}

}  // namespace palstudy::key_spec
