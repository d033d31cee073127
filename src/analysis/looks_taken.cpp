// SPDX-License-Identifier: MIT
#include "analysis/looks_taken.hpp"

#include <array>
#include <utility>

#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr const char *ended_narrow = "narrow", *ended_last = "last-look";

/// The enumerator, `last` at most, that has this name.
template <class Enum>
Enum enumerator_of(const Value& name, Enum last) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i) {
    if (name.name() == name_of(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  throw fault("no enumerator has the name " + name.name());
}

/// Several enumerators of `Missing` share a name, and differ in what is counted.
Value value_of_missing(const NoInterval& missing) {
  return ValueRecord{
      {"why", name_of(missing.why)}, {"of", counted_by(missing.why)}, {"have", missing.have}, {"need", missing.need}};
}

NoInterval missing_of(const Value& value) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Missing::few_decide); ++i) {
    const auto why = static_cast<Missing>(i);
    if (value["why"].name() != name_of(why) || value["of"].name() != counted_by(why)) continue;
    return {why, value["have"].count(), value["need"].count()};
  }
  throw fault("no enumerator has the name " + value["why"].name());
}

Value value_of_finding(const LookFinding& found) {
  ValueRecord values = {{"what", name_of(found.what)}};
  const auto add = [&](const char* name, Value value) { values.emplace_back(name, std::move(value)); };
  if (!found.policy.empty()) {
    add("policy", found.policy);
    add("baseline", found.baseline);
  }
  const bool no_claim = found.what == LookResult::no_claim;
  if (no_claim || found.what == LookResult::no_ratio) add("run", found.run);
  if (no_claim) {
    add("no_claim", name_of(found.no_claim));
    add("more", found.more);
  }
  if (found.what == LookResult::no_interval) add("no_interval", value_of_missing(found.no_interval));
  if (found.what == LookResult::interval) add("half_width", found.half_width);
  return values;
}

LookFinding finding_of(const Value& value) {
  LookFinding found;
  found.what = enumerator_of(value["what"], LookResult::interval);
  const auto read = [&](const char* name, const auto& take) {
    if (const Value* one = find(value.record(), name)) take(*one);
  };
  read("policy", [&](const Value& one) { found.policy = one.name(); });
  read("baseline", [&](const Value& one) { found.baseline = one.name(); });
  read("run", [&](const Value& one) { found.run = one.count(); });
  read("no_claim", [&](const Value& one) { found.no_claim = enumerator_of(one, NoClaim::unstable); });
  read("more", [&](const Value& one) { found.more = one.count(); });
  read("no_interval", [&](const Value& one) { found.no_interval = missing_of(one); });
  read("half_width", [&](const Value& one) { found.half_width = one.number(); });
  return found;
}

}  // namespace

const char* name_of(LookResult what) {
  return std::array{"none", "no-claim", "no-ratio", "no-interval", "interval"}[static_cast<std::size_t>(what)];
}

Value values_of(const LooksTaken& looks) {
  return ValueRecord{{"seeds", ValueList(looks.seeds.begin(), looks.seeds.end())},
                     {"most_seeds", looks.most_seeds},
                     {"metric", looks.metric},
                     {"relative_half_width", looks.relative_half_width},
                     {"ended", looks.narrow ? ended_narrow : ended_last},
                     {"why", value_of_finding(looks.why)}};
}

LooksTaken looks_of(const Value& values, const std::string& where) try {
  LooksTaken looks;
  for (const Value& seeds : values["seeds"].list()) looks.seeds.push_back(seeds.count());
  looks.most_seeds = values["most_seeds"].count();
  looks.metric = values["metric"].name();
  looks.relative_half_width = values["relative_half_width"].number();
  looks.narrow = values["ended"].name() == ended_narrow;
  looks.why = finding_of(values["why"]);
  return looks;
} catch (const Error&) {
  throw data_error("the looks of [stop] are not what this palstudy writes", where, restore_or_remake);
}

std::optional<LooksTaken> archived_looks(const ArchiveReader& archive) {
  const Value looks = archive.value("looks");
  if (!looks.known()) return std::nullopt;
  return looks_of(looks, "looks");
}

}  // namespace palstudy
