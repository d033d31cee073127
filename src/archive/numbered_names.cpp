// SPDX-License-Identifier: MIT
#include "archive/numbered_names.hpp"

#include <fmt/format.h>

namespace palstudy {

std::string NumberedNames::kind_of(const std::string& field) {
  static const std::map<std::string, std::string> kinds = {
      {"host", "host"},       {"hostname", "host"}, {"node_name", "host"}, {"node_id", "host"}, {"ip", "host"},
      {"cabinet", "cabinet"}, {"gpu", "gpu"},       {"gpu_id", "gpu"},     {"uuid", "gpu"},     {"gpu_uuid", "gpu"},
      {"serial", "serial"},   {"user", "user"},     {"username", "user"},  {"owner", "user"},   {"account", "account"}};
  const auto known = kinds.find(field);
  return known == kinds.end() ? "" : known->second;
}

std::string NumberedNames::operator()(const std::string& kind, const std::string& name) {
  if (name.empty()) return "";
  if (numbered_) return kinds_.at(kind).at(name);
  kinds_[kind].emplace(name, "");
  return name;
}

void NumberedNames::number() {
  for (auto& [kind, names] : kinds_) {
    const std::size_t digits = std::to_string(names.size()).size();
    std::size_t last = 0;
    for (auto& [name, made] : names) made = fmt::format("{}-{:0{}}", kind, ++last, digits);
  }
  numbered_ = true;
}

}  // namespace palstudy
