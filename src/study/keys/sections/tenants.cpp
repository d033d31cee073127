// SPDX-License-Identifier: MIT
// [tenants], [ladder] and [gang]: quotas, and how jobs wait for GPUs that lie well. No key has a constant default, so
// that runs without tenants keep their ids.
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

using keys::gang_timeout;
using keys::preempt_occupancy;
using keys::quota_file;
using keys::quota_table;

constexpr double most_attempts = 1e6;
constexpr double most_wait_s = 1e9;
constexpr KeyName<bool> defragment{"tenants.defragment"};

bool have_quotas(const KeyValues& values) { return quota_file.given_in(values) || quota_table.given_in(values); }

/// A default in runs with tenants; with a table, where another key of that table is given.
Key with_tenants(const Key& key, const std::string& value, const std::string& words, const std::string& table = "") {
  return key.otherwise(value + words, [value, table](const KeyValues& values) -> std::optional<TomlValue> {
    const auto next = values.lower_bound(table);
    if (!have_quotas(values) || next == values.end() || !next->first.starts_with(table)) return std::nullopt;
    return parse_toml_value(value, "");
  });
}

void refuse_without_tenants(const KeyValues& values) {
  for (const auto& [key, value] : values) {
    for (const char* table : {"tenants.", "ladder.", "gang."}) {
      if (!key.starts_with(table)) continue;
      throw usage_error(fmt::format("{} is given, but no tenant has a quota", key), value.where,
                        fmt::format("give {} = \"FILE.csv\" or {} = {{ NAME = GPUS, ... }} as well", quota_file.name,
                                    quota_table.name));
    }
  }
}

void check_defragment(const KeyValues& values) {
  const auto on = [&](const KeyName<bool>& key) { return key.given_in(values) && key.in(values); };
  if (!on(defragment) || on(keys::dedicated)) return;
  throw usage_error(fmt::format("{} is given without {}", defragment.name, keys::dedicated.name),
                    defragment.at(values).where,
                    "give both: jobs of one GPU make way for those that get nodes of their own");
}

void complete_tenants(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
  if (!have_quotas(values)) return refuse_without_tenants(values);
  if (quota_file.given_in(values) && quota_table.given_in(values)) {
    throw usage_error(fmt::format("{} and {} exclude each other", quota_file.name, quota_table.name),
                      quota_file.at(values).where, "keep one of them");
  }
  if (const double occupancy = preempt_occupancy.in(values); std::isfinite(occupancy) && occupancy > 1) {
    throw usage_error(fmt::format("{} = {} is never reached", preempt_occupancy.name, shortest(occupancy)),
                      preempt_occupancy.at(values).where, "it is a share of the GPUs, from 0 to 1, or inf for never");
  }
  check_defragment(values);
}

void bind_tenants(const KeyValues& values, RunPlan& run) { run.tenants.on = have_quotas(values); }

void set_quotas(RunPlan& run, const TomlValue& table) {
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    run.tenants.gpus.emplace_back(table.names[i], table.items[i].as_real());
  }
}

template <class Member>
Key rule(const Key& key, Member member) {
  return key.sets(&RunPlan::tenants, &TenantOptions::rules, member);
}

std::vector<Key> tenant_keys() {
  const std::string words = ", where there are tenants";
  return {
      Key::text(KeyType::path, quota_file, "", "no tenants",
                "CSV with tenant,gpus: how many GPUs each tenant is entitled to.")
          .sets(&RunPlan::tenants, &TenantOptions::quotas)
          .is(&Key::names_file),
      Key::text(KeyType::quotas, quota_table, "", "no tenants",
                "The same in the study itself, { NAME = GPUS, ... }; inf is no limit.")
          .with(&Key::unit, "GPU")
          .with(&Key::set, set_quotas),
      with_tenants(Key::boolean(keys::quota_scale, "",
                                "Quotas are in proportion: scaled so that their sum is the GPUs of the cluster."),
                   "false", words)
          .sets(&RunPlan::tenants, &TenantOptions::scale),
      with_tenants(Key::choice("tenants.unlisted", "",
                               "Jobs of tenants without a quota: an error, jobs that only borrow, or left out.",
                               {"refuse", "borrow", "drop"}),
                   "\"refuse\"", words)
          .sets(&RunPlan::tenants, &TenantOptions::unlisted),
      rule(with_tenants(Key::number(preempt_occupancy, "1", "",
                                    "Share of the GPUs in use from which jobs of tenants over quota are stopped for "
                                    "one within quota; inf: never.")
                            .is(&Key::infinite),
                        "inf", words),
           &TenantRules::preempt_occupancy),
      rule(Key::boolean(keys::dedicated, "", "Jobs of several GPUs have nodes of their own.")
               .with(&Key::derived, "false" + words),
           &TenantRules::dedicated),
      rule(Key::boolean(defragment, "",
                        "Jobs of one GPU are moved together for them, at engine.migration_s each; with dedicated.")
               .with(&Key::derived, "false" + words),
           &TenantRules::defragment)};
}

bool has_ladder(const RunPlan& run) { return run.tenants.rules.ladder(); }
bool has_gangs(const RunPlan& run) { return run.tenants.rules.gangs(); }

std::vector<Key> ladder_keys() {
  const std::string table = "ladder.", words = ", where there is a ladder", why = "ladder.attempts is 0 in every run";
  return {rule(with_tenants(Key::integer(keys::ladder_attempts, "round", "",
                                         "Boundaries at which a job insists on the fewest nodes, then as many on one "
                                         "cabinet, then takes any GPUs; 0: no ladder.",
                                         0, most_attempts),
                            "3", ", where another key of [ladder] is given; else no ladder", table),
               &TenantRules::ladder_attempts),
          rule(with_tenants(Key::number("ladder.patience", "1", "",
                                        "A job does not climb before it has waited for this share of its ideal time.")
                                .between(0, most_wait_s),
                            "0", words, table),
               &TenantRules::patience)
              .used_where(has_ladder, why),
          rule(with_tenants(
                   Key::number("ladder.patience_most_s", "s", "", "The longest that ladder.patience makes a job wait.")
                       .between(0, most_wait_s),
                   "14400", words, table),
               &TenantRules::patience_most_s)
              .used_where(has_ladder, why)};
}

std::vector<Key> gang_keys() {
  const std::string table = "gang.";
  return {rule(with_tenants(Key::number(gang_timeout, "s", "",
                                        "For how long a job holds a part of its GPUs, idle, while it waits for the "
                                        "rest; 0: not at all.")
                                .between(0, most_wait_s),
                            "150", ", where another key of [gang] is given; else jobs hold no parts", table),
               &TenantRules::gang_timeout_s),
          rule(with_tenants(
                   Key::number("gang.backoff_s", "s", "", "For how long a job that has given back a part is not tried.")
                       .between(0, most_wait_s),
                   "120", ", where there are gangs", table),
               &TenantRules::gang_backoff_s)
              .used_where(has_gangs, "gang.timeout_s is 0 in every run")};
}

}  // namespace

void register_key_section_tenants(KeySections& sections) {
  KeySection section{tenant_keys(), complete_tenants, bind_tenants};
  for (const auto& more : {ladder_keys(), gang_keys()}) {
    section.keys.insert(section.keys.end(), more.begin(), more.end());
  }
  sections.push_back(section);
}

}  // namespace palstudy
