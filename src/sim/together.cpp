// SPDX-License-Identifier: MIT
#include "sim/together.hpp"

#include <algorithm>

namespace palstudy {
namespace {

using enum Feature;

constexpr FeatureInfo infos[] = {
    {tenants, "tenants", "tenants have quotas"},
    {ladder, "ladder", "jobs insist on few nodes for a while"},
    {gangs, "gangs", "waiting jobs hold a part of their GPUs"},
    {tenant_preemption, "tenant-preemption", "jobs of tenants over quota are stopped"},
    {dedicated_nodes, "dedicated-nodes", "jobs of several GPUs have nodes of their own"},
    {no_order, "no-order", "the scheduler serves jobs by no order"},
    {order_with_state, "order-with-state", "the order keeps a state"},
    {stopping_order, "stopping-order", "the order stops running jobs, and the placement leaves them"},
    {starvation, "starvation", "jobs that have waited long go first"},
    {strict_order, "strict-order", "a job that does not fit holds up those behind it"},
    {reservations, "reservations", "jobs that do not fit are promised GPUs"},
    {kills, "kills", "jobs that outlive their expected end are killed"},
    {repacking, "repacking", "the placement places running jobs again"},
    {moves, "moves", "the placement moves running jobs where that repays"},
    {event_start, "event-start", "jobs start between boundaries"},
    {failures, "failures", "attempts at jobs fail"},
    {outages, "outages", "nodes go down or drain"},
    {power_off, "power-off", "idle nodes are powered off"},
    {energy, "energy", "energy is accounted"},
    {interference, "interference", "neighbours on a node slow jobs down"},
    {partitions, "partitions", "the cluster has several partitions"},
    {queues, "queues", "jobs of a queue have some of the nodes"},
    {wide_jobs, "wide-jobs", "jobs are wider than any partition"},
    {elastic, "elastic", "jobs change their number of GPUs or batch size"},
    {job_models, "job-models", "models of jobs have parallel groups or shares of communication"},
};
static_assert(std::size(infos) == feature_count);

constexpr const char* tenant_order = "tenants are served by an order, within their quotas first";
constexpr const char* others_first = "reservations are what keeps jobs from starving, and each holds for its job";
constexpr const char* by_no_order = "its shares of time leave no order";
constexpr const char* moved_from = "what a tenant's job holds must stay where it is";
constexpr const char* not_wide = "it is not known of jobs on several partitions yet";

/// In the order in which a study is told.
constexpr Apart table[] = {
    {tenants, no_order, tenant_order, "leave policy.scheduler out, or the tenants"},
    {tenants, outages, "a quota is a share of all nodes", "leave cluster.outages out, or the tenants"},
    {tenants, power_off, "a quota is a share of all nodes", "leave power.off out, or the tenants"},
    {tenants, event_start, tenant_order, "leave engine.start out, and make engine.round_s small"},
    {tenants, starvation, "quotas are what keeps jobs from starving", "leave engine.starvation_s out"},
    {tenants, reservations, tenant_order, "use policy.backfill = \"greedy\""},
    {tenants, strict_order, "jobs of tenants start out of order", "use policy.backfill = \"greedy\""},
    {tenants, stopping_order, "quotas are what stops jobs", "use an order that stops none, such as \"fifo\""},
    {tenants, elastic, "quotas are of rigid jobs", "leave one of them out"},
    {repacking, ladder, moved_from, "use a placement that leaves running jobs, such as \"pal-sticky\""},
    {repacking, gangs, moved_from, "use a placement that leaves running jobs, such as \"pal-sticky\""},
    {repacking, tenant_preemption, "jobs of tenants over quota are placed last at every boundary anyway",
     "leave tenants.preempt_occupancy out"},
    {repacking, dedicated_nodes, moved_from, "use a placement that leaves running jobs, such as \"packed-sticky\""},
    {moves, dedicated_nodes, moved_from, "use a placement that leaves running jobs, such as \"packed-sticky\""},
    {no_order, reservations, by_no_order, "leave policy.backfill out, or policy.scheduler"},
    {no_order, order_with_state, by_no_order, "leave policy.order out, or policy.scheduler"},
    {no_order, starvation, by_no_order, "leave engine.starvation_s out, or policy.scheduler"},
    {failures, kills, "an attempt that fails has no expected end", "leave one of them out"},
    {elastic, kills, "estimates are of rigid jobs", "leave one of them out"},
    {stopping_order, reservations, others_first, "use an order that stops no running jobs, such as \"fifo\""},
    {repacking, reservations, others_first, "use a placement that leaves running jobs, such as \"pal-sticky\""},
    {starvation, reservations, others_first, "leave engine.starvation_s out"},
    {outages, power_off, "two things would say whether a node is there", "leave one of them out"},
    {elastic, failures, "attempts are of rigid jobs", "leave one of them out"},
    {partitions, queues, "one scheduler serves all queues", "leave slurm.queues out, or cluster.partitions"},
    {power_off, queues, "nodes wake for jobs of any queue", "leave slurm.queues out, or power.off"},
    {elastic, job_models, "their groups have a fixed size", "leave one of them out"},
    {wide_jobs, dedicated_nodes, not_wide, "use fewer partitions, or leave tenants.dedicated out"},
    {wide_jobs, elastic, not_wide, "use fewer partitions"},
};

}  // namespace

std::span<const FeatureInfo> feature_infos() { return infos; }

const FeatureInfo& info_of(Feature feature) { return infos[static_cast<std::size_t>(feature)]; }

std::span<const Apart> apart() { return table; }

const Apart* first_apart(const Features& features) {
  const auto both = [&](const Apart& row) { return features.has(row.first) && features.has(row.second); };
  const auto row = std::ranges::find_if(table, both);
  return row == std::end(table) ? nullptr : row;
}

}  // namespace palstudy
