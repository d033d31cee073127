// SPDX-License-Identifier: MIT
#include "study/keys/penalty_table.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

constexpr double max_penalty = 1e6;  // as for a slowdown

/// The first key of the table, or the end.
KeyValues::const_iterator first_level(const KeyValues& values, const std::string& table) {
  const auto next = values.lower_bound(table + ".");
  return next != values.end() && next->first.starts_with(table + ".") ? next : values.end();
}

}  // namespace

bool PenaltyTable::given_in(const KeyValues& values) const {
  return name.given_in(values) || first_level(values, name) != values.end();
}

std::vector<Key> PenaltyTable::keys() const {
  const Key word =
      Key::choice(name, "", summary + " as the transfers of a profile tell, for each model and number of GPUs.",
                  {"measured"})
          .with(&Key::derived, "the table below")
          .with(&Key::set, [of = measured](RunPlan& run, const TomlValue&) { of(run) = true; })
          .with(&Key::type, KeyType::word_or_table);
  const auto factor = [&](const char* which, const std::string& derived, const std::string& where,
                          double LocalityPenalty::*member) {
    return Key::number(level(which), "1", "", summary + where)
        .between(0, max_penalty)
        .is(&Key::above_least)
        .with(&Key::derived, derived + absent)
        .with(&Key::follows, {keys::penalty, name})
        .with(&Key::set,
              [of = penalty, member](RunPlan& run, const TomlValue& value) { of(run).*member = value.as_real(); });
  };
  return {word, factor("node", "1.0", " within a node.", &LocalityPenalty::node),
          factor("cabinet", "that of cluster", " across nodes of one cabinet.", &LocalityPenalty::cabinet),
          factor("cluster", "must be given with the table", " across cabinets.", &LocalityPenalty::cluster)};
}

void PenaltyTable::complete(KeyValues& values) const {
  const auto first = first_level(values, name);
  if (name.given_in(values)) {
    if (first == values.end()) return;
    throw usage_error(fmt::format("{0} is \"{1}\", and {2} is given as well", name.name, name.in(values), first->first),
                      name.at(values).where, "keep the word or the table");
  }
  const std::string node = level("node"), cabinet = level("cabinet"), cluster = level("cluster");
  if (first == values.end()) {
    values[node] = TomlValue::of(LocalityPenalty{}.node);
    values[cabinet] = TomlValue::of(LocalityPenalty{}.cabinet);
    values[cluster] = TomlValue::of(LocalityPenalty{}.cluster);
    return;
  }
  if (!values.contains(cluster)) {
    throw usage_error(fmt::format("{} is given, but {} is not", name.name, cluster), first->second.where,
                      "the widest level has to be given; cabinet defaults to it and node to 1.0");
  }
  values.try_emplace(node, TomlValue::of(1.0));
  values.try_emplace(cabinet, values.at(cluster));
}

}  // namespace palstudy
