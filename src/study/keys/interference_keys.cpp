// SPDX-License-Identifier: MIT
#include "study/keys/interference_keys.hpp"

#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr double most_factor = 1e6;
constexpr const char* key_intra = "interference.intra";
constexpr const char* key_inter = "interference.inter";

KeySpec interference_factor(const char* key, const char* derived, const char* summary) {
  return {.key = key,
          .type = KeyType::number,
          .unit = "1",
          .derived = derived,
          .summary = summary,
          .least = 1,
          .most = most_factor};
}

}  // namespace

std::vector<KeySpec> interference_keys() {
  return {interference_factor(key_intra, "1",
                              "Factor on the iteration time of a job of several GPUs while another such job is on one "
                              "of its nodes."),
          interference_factor(key_inter, "interference.intra",
                              "The same where both are on several nodes, so that they share the network card.")};
}

void complete_interference(Point& point) {
  const bool intra = point.contains(key_intra), inter = point.contains(key_inter);
  if (!intra && !inter) return;
  if (point.at("cluster.partitions").integer > 1) {
    throw usage_error("interference does not go together with several partitions",
                      point.at(intra ? key_intra : key_inter).where, "use one");
  }
  point.try_emplace(key_intra, TomlValue::of(1.0));
  point.try_emplace(key_inter, point.at(key_intra));
}

InterferenceRules interference_of(const Point& point) {
  if (!point.contains(key_intra)) return {};
  return {point.at(key_intra).as_real(), point.at(key_inter).as_real()};
}

}  // namespace palstudy
