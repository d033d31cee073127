// SPDX-License-Identifier: MIT
#include "study/keys/several_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "core/text.hpp"
#include "stats/paired.hpp"

namespace palstudy {

Error wrong(const Key& key, const TomlValue& value) {
  const bool several = value.kind == TomlValue::Kind::array || value.kind == TomlValue::Kind::table;
  const bool list = several && !key.of_study && key.type != KeyType::nodes;
  return usage_error(fmt::format("{} wants {}, not {}", key.name, wanted(key), describe(value)), value.where,
                     list ? fmt::format("to try several values write \"{}\" = [...] under [axes]", key.name) : "");
}

TomlValue check_nodes(const Key& key, const TomlValue& value) {
  const Key count{.name = key.name + " count", .type = KeyType::integer, .least = 1, .most = 1 << 24};
  const Key gpus{.name = key.name + " gpus", .type = KeyType::integer, .least = 1, .most = 32};
  if (value.kind != TomlValue::Kind::array || value.items.empty()) throw wrong(key, value);
  double total = 0;
  for (const auto& group : value.items) {
    const auto* nodes = group.find("count");
    const auto* each = group.find("gpus");
    if (nodes == nullptr || each == nullptr || group.items.size() != 2) {
      throw usage_error(
          fmt::format("a group of {} is {{ count = 100, gpus = 8 }}, with both keys and no other", key.name),
          group.where);
    }
    total += check_value(count, *nodes).as_real() * check_value(gpus, *each).as_real();
  }
  if (total > 1 << 24) {
    throw usage_error(fmt::format("{} has {} GPUs", key.name, shortest(total)), value.where, "at most 16777216");
  }
  return value;
}

TomlValue check_names(const Key& key, const TomlValue& value) {
  const Key one{.name = key.name, .type = KeyType::text, .of_study = false};
  if (value.kind != TomlValue::Kind::array) return check_value(one, value);
  if (value.items.empty()) throw wrong(key, value);
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const auto& item = check_value(one, value.items[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (value.items[j].text == item.text) {
        throw usage_error(fmt::format("{} names \"{}\" twice", key.name, item.text), item.where);
      }
    }
  }
  return value;
}

TomlValue check_looks(const Key& key, const TomlValue& value) {
  if (value.kind != TomlValue::Kind::array || value.items.empty()) throw wrong(key, value);
  const Key one{.name = key.name, .type = KeyType::integer, .least = 1, .most = 1'000'000};
  std::int64_t before = 0;
  for (const auto& item : value.items) {
    const std::int64_t seeds = check_value(one, item).integer;
    if (before == 0 && seeds < static_cast<std::int64_t>(min_seeds_at_first_look)) {
      throw usage_error(
          fmt::format("the first of {} is at {} seeds, before {}", key.name, seeds, min_seeds_at_first_look),
          item.where, "with fewer seeds the spread is known too badly, and luck would end studies early");
    }
    if (seeds <= before) {
      throw usage_error(fmt::format("{} has {} after {}", key.name, seeds, before), item.where,
                        "numbers of seeds that rise, such as [20, 40, 80, 160]");
    }
    before = seeds;
  }
  return value;
}

/// A table of quotas: the GPUs of each tenant.
TomlValue check_quotas(const Key& key, const TomlValue& value) {
  constexpr double most_quota = 1 << 24;
  if (value.kind == TomlValue::Kind::table && value.items.empty()) {
    throw usage_error(fmt::format("{} is empty", key.name), value.where, "it is " + wanted(key));
  }
  if (value.kind != TomlValue::Kind::table) {
    throw usage_error(fmt::format("{} wants {}, not {}", key.name, wanted(key), describe(value)), value.where);
  }
  const Key one{.name = key.name, .type = KeyType::number, .least = 0, .infinite = true};
  TomlValue checked = value;
  for (TomlValue& item : checked.items) {
    item = check_value(one, item);
    if (std::isfinite(item.real) && item.real > most_quota) {
      throw usage_error(fmt::format("{} has a quota of {} GPUs", key.name, item.real), item.where, "at most 16777216");
    }
  }
  return checked;
}

/// Sizes are summed up by the section, which has the nodes.
TomlValue check_partitions(const Key& key, const TomlValue& value) {
  const Key one{.name = key.name, .type = KeyType::integer, .least = 1, .most = 1 << 24};
  if (value.kind == TomlValue::Kind::integer) return check_value(one, value);
  const bool sizes = value.kind == TomlValue::Kind::array || value.kind == TomlValue::Kind::table;
  if (!sizes || value.items.empty()) {
    throw usage_error(fmt::format("{} wants {}, not {}", key.name, wanted(key), describe(value)), value.where);
  }
  TomlValue checked = value;
  for (TomlValue& item : checked.items) item = check_value(one, item);
  checked.integer = std::ssize(checked.items);
  return checked;
}

/// Names of columns: by role, or in their order.
TomlValue check_column_names(const Key& key, const TomlValue& value) {
  const bool by_role = value.kind == TomlValue::Kind::table;
  if ((by_role || value.kind == TomlValue::Kind::array) && value.items.empty()) {
    throw usage_error(fmt::format("{} is empty", key.name), value.where, "it is " + wanted(key));
  }
  if (!by_role && value.kind != TomlValue::Kind::array) {
    throw usage_error(fmt::format("{} wants {}, not {}", key.name, wanted(key), describe(value)), value.where);
  }
  const Key one{.name = key.name, .type = KeyType::text};
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const TomlValue& item = check_value(one, value.items[i]);
    if (by_role && std::ranges::find(key.choices, value.names[i]) == key.choices.end()) {
      throw usage_error(
          fmt::format("unknown role \"{}\" in {}{}", value.names[i], key.name, suggestion(value.names[i], key.choices)),
          item.key_where, "known: " + join(key.choices));
    }
    const auto same = [&](const TomlValue& other) { return &other < &value.items[i] && other.text == item.text; };
    if (!by_role && std::ranges::any_of(value.items, same)) {
      throw usage_error(fmt::format("{} names \"{}\" twice", key.name, item.text), item.where);
    }
  }
  return value;
}

}  // namespace palstudy
