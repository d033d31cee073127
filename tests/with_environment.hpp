// SPDX-License-Identifier: MIT
#pragma once

#include <stdlib.h>  // NOLINT: setenv is POSIX

#include <initializer_list>
#include <map>
#include <optional>
#include <string>

namespace palstudy {

/// Sets variables of the environment for as long as it lives; "" takes one away.
class WithEnvironment {
 public:
  struct Variable {
    std::string name, value;
  };
  WithEnvironment(std::initializer_list<Variable> variables) {
    for (const auto& [name, value] : variables) {
      const char* was = getenv(name.c_str());
      before_[name] = was == nullptr ? std::nullopt : std::optional<std::string>(was);
      set(name, value.empty() ? std::nullopt : std::optional(value));
    }
  }
  ~WithEnvironment() {
    for (const auto& [name, value] : before_) set(name, value);
  }
  WithEnvironment(const WithEnvironment&) = delete;
  WithEnvironment& operator=(const WithEnvironment&) = delete;

 private:
  static void set(const std::string& name, const std::optional<std::string>& value) {
    value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace palstudy
