// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "study/keys/key.hpp"

namespace palstudy {

/// The sections whose keys include the parameters of registered things.
inline constexpr auto cluster_section = "cluster", workload_section = "workload", policy_section = "policy",
                      routing_section = "routing", slurm_section = "slurm";

inline constexpr const char* all_jobs = "all";  ///< the word of measure.jobs

}  // namespace palstudy

/// Names of the keys that more than one file refers to; the other names stand in their declarations (study/keys/).
namespace palstudy::keys {

inline constexpr KeyName<std::uint64_t> seed{"seed"};

inline constexpr KeyName<std::int64_t> cluster_gpus{"cluster.gpus"}, gpus_per_node{"cluster.gpus_per_node"};
inline constexpr KeyName<std::string> cluster_nodes{"cluster.nodes"};
inline constexpr KeyName<std::int64_t> partitions{"cluster.partitions"};
inline constexpr KeyName<std::string> outages{"cluster.outages"}, node_weights{"cluster.weights"},
    hosts{"cluster.hosts"};
inline constexpr KeyName<std::string> source{"cluster.source"};
inline constexpr KeyName<std::string> slowdown_table{"cluster.table"};
inline constexpr KeyName<std::string> profile{"cluster.profile"};
inline constexpr KeyName<std::string> classes{"cluster.classes"};
inline constexpr KeyName<std::string> bins{"cluster.bins"};
inline constexpr KeyName<std::string> outliers{"cluster.outliers"};
inline constexpr KeyName<std::uint64_t> cluster_seed{"cluster.seed"};

inline constexpr KeyName<std::string> penalty{"network.penalty"};
inline constexpr KeyName<std::string> network_profile{"network.profile"};

inline constexpr KeyName<std::string> trace{"workload.trace"};
inline constexpr KeyName<std::string> reader{"workload.reader"};
inline constexpr KeyName<std::string> generator{"workload.generator"};
inline constexpr KeyName<std::string> models{"workload.models"}, class_of{"workload.class_of"};
inline constexpr KeyName<std::string> predictor{"workload.predictor"};
inline constexpr KeyName<std::string> resampling{"workload.resample"};
inline constexpr KeyName<double> copies{"workload.copies"};
inline constexpr KeyName<std::uint64_t> workload_seed{"workload.seed"};

inline constexpr KeyName<std::string> measured_jobs{"measure.jobs"};
inline constexpr KeyName<std::int64_t> first_job{"measure.jobs.first"};
inline constexpr KeyName<std::int64_t> last_job{"measure.jobs.last"};
inline constexpr KeyName<double> measure_warmup{"measure.warmup_s"};
inline constexpr KeyName<double> measure_window{"measure.window_s"};
/// The keys that name the measured jobs by number or by a window, so that no word says which.
inline constexpr std::array<const char*, 4> numbers_or_window = {first_job.name, last_job.name, measure_warmup.name,
                                                                 measure_window.name};
inline constexpr KeyName<std::string> columns{"workload.columns"};
inline constexpr KeyName<bool> measure_initial{"measure.initial"};

inline constexpr KeyName<std::string> start{"engine.start"};
inline constexpr KeyName<double> migration{"engine.migration_s"};
inline constexpr KeyName<double> starvation{"engine.starvation_s"};
inline constexpr KeyName<double> checkpoint{"engine.checkpoint_s"};

inline constexpr KeyName<std::string> system{"policy.system"};
inline constexpr KeyName<std::string> scheduler{"policy.scheduler"};
inline constexpr KeyName<std::string> order{"policy.order"};
inline constexpr KeyName<std::string> placement{"policy.placement"};
inline constexpr KeyName<std::string> backfill{"policy.backfill"};
inline constexpr KeyName<std::string> overrun{"policy.overrun"};
inline constexpr KeyName<std::string> locality{"policy.locality"};
inline constexpr KeyName<std::string> knowledge{"policy.knowledge"};
inline constexpr KeyName<std::uint64_t> policy_seed{"policy.seed"};

inline constexpr KeyName<std::string> slurm_passes{"slurm.passes"};
inline constexpr KeyName<std::string> slurm_conf{"slurm.conf"}, queues{"slurm.queues"}, accounts{"slurm.accounts"};

inline constexpr KeyName<std::string> failure_model{"failures.model"};
inline constexpr KeyName<bool> power_account{"power.account"};
inline constexpr KeyName<std::string> power_watts{"power.watts"};
inline constexpr KeyName<std::string> quota_file{"tenants.quotas"};
inline constexpr KeyName<std::string> quota_table{"tenants.gpus"};
inline constexpr KeyName<bool> quota_scale{"tenants.scale"}, dedicated{"tenants.dedicated"};
inline constexpr KeyName<double> preempt_occupancy{"tenants.preempt_occupancy"}, gang_timeout{"gang.timeout_s"};
inline constexpr KeyName<double> ladder_attempts{"ladder.attempts"};
inline constexpr KeyName<double> interference_intra{"interference.intra"};

inline constexpr KeyName<std::string> power_off{"power.off"}, power_forecast{"power.forecast"},
    power_off_order{"power.off_order"};
inline constexpr KeyName<double> power_tick{"power.tick_s"};

inline constexpr KeyName<std::string> baseline{"compare.baseline"};
inline constexpr KeyName<std::string> metric{"compare.metric"};
inline constexpr KeyName<std::string> stop_metric{"stop.metric"};
inline constexpr KeyName<double> stop_width{"stop.relative_half_width"};
inline constexpr KeyName<std::string> stop_looks{"stop.looks"};
inline constexpr KeyName<std::string> study_name{"study.name"};
inline constexpr KeyName<std::string> study_title{"study.title"}, study_question{"study.question"};
inline constexpr KeyName<std::string> study_license{"study.license"};
inline constexpr KeyName<std::string> study_creator{"study.creator"};

}  // namespace palstudy::keys
