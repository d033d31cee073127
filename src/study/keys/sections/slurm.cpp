// SPDX-License-Identifier: MIT
// [slurm]: what a site's own files say. Its other keys are parameters of the backfill slurm and the order multifactor.
#include <fmt/format.h>

#include "core/error.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

/// Another backfill would give jobs nodes that their queue does not have.
void check_queues(const KeyValues& values) {
  if (!keys::queues.given_in(values)) return;
  const std::string backfill = keys::backfill.in(values);
  const auto& entry = backfills().at(backfill);
  if (entry.make(param_values(policy_section, entry.params, values))->plans_nodes()) return;
  throw usage_error(
      fmt::format("{} is given, and {} = \"{}\" does not know them", keys::queues.name, keys::backfill.name, backfill),
      keys::queues.at(values).where, fmt::format("use {} = \"slurm\", or leave the queues out", keys::backfill.name));
}

void complete_slurm(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
  check_queues(values);
}

bool counts_shares(const RunPlan& run) { return traits_of(run.policy).counts_shares; }

}  // namespace

void register_key_section_slurm(KeySections& sections) {
  sections.push_back(
      {{Key::text(KeyType::path, keys::slurm_conf, "", "none",
                  "The site's slurm.conf: nodes, queues and settings for the keys that are not given.")
            .is(&Key::of_study),
        Key::text(KeyType::path, keys::queues, "", "all nodes for all jobs",
                  "CSV with queue,nodes,tier,default_min,max_min, or a slurm.conf: Slurm's partitions.")
            .sets(&RunPlan::slurm, &SlurmFiles::queues)
            .is(&Key::names_file),
        Key::text(KeyType::path, keys::accounts, "", "tenants share alike",
                  "CSV with account,user,shares: who shares the cluster, for order multifactor.")
            .sets(&RunPlan::slurm, &SlurmFiles::accounts)
            .is(&Key::names_file)
            .used_where(counts_shares, "no run has an order that counts shares, such as \"multifactor\"")},
       complete_slurm});
}

}  // namespace palstudy
