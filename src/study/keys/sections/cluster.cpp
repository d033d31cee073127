// SPDX-License-Identifier: MIT
// [cluster]: nodes, partitions, and the slowdowns of the GPUs.
#include <fmt/format.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

constexpr double max_gpus = 1 << 24;
constexpr auto gpus = keys::cluster_gpus, gpus_per_node = keys::gpus_per_node;
constexpr auto nodes = keys::cluster_nodes;

/// Names of sources that use a key of [cluster], or do not.
std::vector<std::string> sources_with(const std::string& key, bool with = true) {
  return names_where(cluster_sources(), [&](const ClusterSource& source) { return source.uses(key) == with; });
}

/// A key of this section that some sources use.
template <class T>
Key of_sources(const KeyName<T>& name, const Key& key) {
  const std::string own = name.name + std::string(cluster_section).size() + 1;
  return key.used_where([own](const RunPlan& run) { return source_of(run.cluster).uses(own); },
                        fmt::format("no run has {} = {}", keys::source.name, one_of(sources_with(own))));
}

bool uses_seed(const RunPlan& run) { return source_of(run.cluster).uses("seed") || run.policy.knowledge_by_cluster; }

/// The kernels of a profile that `palstudy measure` made are not those of the machines of the papers.
std::optional<TomlValue> usual_classes(const KeyValues& values) {
  return TomlValue::of(std::string(is_profile_path(keys::profile.in(values)) ? "measured" : "pal"));
}

std::vector<NodeGroup> node_groups(const KeyValues& values) {
  if (!nodes.given_in(values)) {
    const auto each = static_cast<std::uint32_t>(gpus_per_node.in(values));
    return {{static_cast<std::uint32_t>(gpus.in(values)) / each, each}};
  }
  std::vector<NodeGroup> groups;
  for (const auto& group : nodes.at(values).items) {
    groups.push_back({static_cast<std::uint32_t>(group.find("count")->integer),
                      static_cast<std::uint32_t>(group.find("gpus")->integer)});
  }
  return groups;
}

void refuse_beside_nodes(const KeyName<std::int64_t>& key, const KeyValues& given, KeyValues& values) {
  if (key.given_in(given)) {
    throw usage_error(fmt::format("{} and {} exclude each other", key.name, nodes.name), key.at(given).where,
                      "keep one of them");
  }
  values.erase(key);
}

void check_multiple(const KeyValues& given, const KeyValues& values) {
  const std::int64_t all = gpus.in(values), each = gpus_per_node.in(values);
  if (all % each == 0) return;
  const std::int64_t above = (all / each + 1) * each;
  throw usage_error(fmt::format("{} = {} is not a multiple of {} = {}", gpus.name, all, gpus_per_node.name, each),
                    gpus.given_in(given) ? gpus.at(values).where : gpus_per_node.at(values).where,
                    fmt::format("give {}{}, or {} = [{{ count = 16, gpus = 4 }}, ...]",
                                all < each ? "" : fmt::format("{} or ", above - each), above, nodes.name));
}

void check_counts(const KeyValues& values) {
  std::uint64_t node_count = 0, gpu_count = 0;
  for (const NodeGroup& group : node_groups(values)) {
    node_count += group.count;
    gpu_count += std::uint64_t{group.count} * group.gpus;
  }
  constexpr std::uint64_t most_single = 1024;
  if (keys::outliers.in(values) == "single" && gpu_count > most_single) {
    throw usage_error(fmt::format("{} = \"single\" on {} GPUs", keys::outliers.name, gpu_count),
                      keys::outliers.at(values).where, "it is for at most 1024 GPUs; use \"binned\"");
  }
  if (static_cast<std::uint64_t>(keys::partitions.in(values)) > node_count) {
    throw usage_error(fmt::format("{} = {}, but the cluster has {} nodes", keys::partitions.name,
                                  keys::partitions.in(values), node_count),
                      keys::partitions.at(values).where, "a partition has at least one node");
  }
  if (keys::node_weights.given_in(values) && keys::partitions.in(values) > 1) {
    throw usage_error(
        fmt::format("{} is given for {} partitions", keys::node_weights.name, keys::partitions.in(values)),
        keys::node_weights.at(values).where, "leave it out, or cluster.partitions");
  }
}

/// The GPUs up to the end of a node, the last one at or before `gpu` and the first one at or after it.
std::pair<std::uint64_t, std::uint64_t> node_ends(const std::vector<NodeGroup>& groups, std::uint64_t gpu) {
  std::uint64_t begin = 0;
  for (const NodeGroup& group : groups) {
    const std::uint64_t end = begin + std::uint64_t{group.count} * group.gpus, inside = (gpu - begin) % group.gpus;
    if (gpu <= end) return {gpu - inside, inside == 0 ? gpu : gpu - inside + group.gpus};
    begin = end;
  }
  return {begin, begin};
}

/// Partitions of given sizes are whole nodes and the whole cluster.
void check_sizes(const KeyValues& values) {
  const TomlValue& sizes = keys::partitions.at(values);
  const std::vector<NodeGroup> groups = node_groups(values);
  std::uint64_t sum = 0, all = 0;
  for (const NodeGroup& group : groups) all += std::uint64_t{group.count} * group.gpus;
  for (const TomlValue& size : sizes.items) sum += static_cast<std::uint64_t>(size.integer);
  if (!sizes.items.empty() && sum != all) {
    throw usage_error(
        fmt::format("the sizes of {} add up to {} GPUs, and the cluster has {}", keys::partitions.name, sum, all),
        sizes.where, fmt::format("give sizes that add up to {}", all));
  }
  std::uint64_t begin = 0;
  for (const TomlValue& size : sizes.items) {
    const std::uint64_t end = begin + static_cast<std::uint64_t>(size.integer);
    const auto [below, above] = node_ends(groups, end);
    if (below != end) {
      throw usage_error(fmt::format("a size of {} in {} ends inside a node", size.integer, keys::partitions.name),
                        size.where,
                        fmt::format("give {}{}, whole nodes", below > begin ? fmt::format("{} or ", below - begin) : "",
                                    above - begin));
    }
    begin = end;
  }
}

void complete_cluster(const KeyValues& given, KeyValues& values, const std::string& file) {
  if (nodes.given_in(given)) {
    refuse_beside_nodes(gpus, given, values);
    refuse_beside_nodes(gpus_per_node, given, values);
  } else {
    check_multiple(given, values);
  }
  const auto& source = cluster_sources().at(keys::source.in(values));
  if (source.make.uses("table") && !keys::slowdown_table.given_in(values)) {
    throw usage_error(
        fmt::format("{} is \"{}\", but no {} is given", keys::source.name, source.name, keys::slowdown_table.name),
        file,
        fmt::format("give {} = \"cluster.csv\", or {} = {}", keys::slowdown_table.name, keys::source.name,
                    one_of(sources_with("table", false))));
  }
  complete_params(cluster_section, source, keys::source.at(values).where, values);
  check_counts(values);
  check_sizes(values);
}

std::string partitions_text(const RunPlan& run) {
  std::string text = std::to_string(run.cluster.partitions);
  for (const auto& [tenant, size] : run.cluster.partition_sizes) text += fmt::format(" {}={}", tenant, size);
  return text;
}

void bind_cluster(const KeyValues& values, RunPlan& run) {
  run.cluster.nodes = node_groups(values);
  run.cluster.source_params = param_values(cluster_section, cluster_sources().at(run.cluster.source).params, values);
  const TomlValue& sizes = keys::partitions.at(values);
  for (std::size_t p = 0; p < sizes.items.size(); ++p) {
    run.cluster.partition_sizes.emplace_back(sizes.names.empty() ? "" : sizes.names[p], sizes.items[p].integer);
  }
}

}  // namespace

void register_key_section_cluster(KeySections& sections) {
  const std::string for_drawn = fmt::format("For sources {}: ", join(sources_with("profile")));
  KeySection section{
      {Key::integer(gpus, "GPU", "64", "GPUs of the cluster, a multiple of gpus_per_node.", 1, max_gpus),
       Key::integer(gpus_per_node, "GPU", "4", "GPUs of each node.", 1, 32),
       Key::integer("cluster.nodes_per_cabinet", "node", "16", "Nodes of each cabinet.", 1, max_gpus)
           .sets(&RunPlan::cluster, &ClusterOptions::nodes_per_cabinet),
       Key::text(KeyType::nodes, nodes, "", "from gpus and gpus_per_node",
                 "Groups of nodes, [{ count = 100, gpus = 8 }, ...], instead of gpus and gpus_per_node."),
       Key::text(
           KeyType::partitions, keys::partitions, "1", "",
           "Partitions of the cluster, each with a scheduler and a queue of its own; or their sizes in GPUs, also "
           "by tenant, for routing tenant.")
           .sets(&RunPlan::cluster, &ClusterOptions::partitions)
           .with(&Key::read, partitions_text),
       Key::text(KeyType::path, keys::outages, "", "no outages",
                 "CSV with node,from_s,to_s,kind: nodes that go down, or drain, and come back.")
           .sets(&RunPlan::cluster, &ClusterOptions::outages)
           .is(&Key::names_file),
       Key::text(KeyType::path, keys::node_weights, "", "all nodes are alike",
                 "CSV with node,weight, or a slurm.conf: placement slurm takes the lightest nodes first, as in Slurm.")
           .sets(&RunPlan::cluster, &ClusterOptions::weights)
           .is(&Key::names_file)
           .used_where([](const RunPlan& run) { return traits_of(run.policy).weighs_nodes; },
                       "no run has a placement that knows weights, such as \"slurm\""),
       Key::choice(keys::source, "\"table\"", "Where the slowdowns come from: palstudy list sources.",
                   cluster_sources().names())
           .sets(&RunPlan::cluster, &ClusterOptions::source),
       of_sources(keys::slowdown_table, Key::text(KeyType::path, keys::slowdown_table, "", "",
                                                  "For source table: CSV with gpu_id,node_id,class,score."))
           .sets(&RunPlan::cluster, &ClusterOptions::table)
           .is(&Key::names_file),
       of_sources(keys::profile,
                  Key::text(KeyType::text, keys::profile, "\"longhorn\"", "",
                            for_drawn + "the bundled machine whose measurements are drawn; or a profile, a path that "
                                        "ends in .h5."))
           .sets(&RunPlan::cluster, &ClusterOptions::profile)
           .is(&Key::names_file),
       of_sources(keys::classes,
                  Key::text(KeyType::text, keys::classes, "", "",
                            for_drawn + "the table of jobs/models.toml that says what stands for each class; or a "
                                        "path that ends in .toml."))
           .otherwise("\"pal\"; \"measured\" where profile is a path", usual_classes)
           .with(&Key::follows, {keys::profile})
           .sets(&RunPlan::cluster, &ClusterOptions::classes)
           .is(&Key::names_file),
       of_sources(keys::hosts, Key::text(KeyType::path, keys::hosts, "", "hosts go by their names",
                                         "For source site: a slurm.conf, whose nodes are the hosts of the profile."))
           .sets(&RunPlan::cluster, &ClusterOptions::hosts)
           .is(&Key::names_file),
       Key::text(KeyType::bins, keys::bins, "\"silhouette\"", "", "Bins among the non-outliers of each class.")
           .sets(&RunPlan::cluster, &ClusterOptions::bins, &BinRule::bins),
       Key::choice(keys::outliers, "\"binned\"",
                   "Outliers get bins of their own; single: the number of bins counts each outlier, as published.")
           .sets_word({{"binned", false}, {"single", true}}, &RunPlan::cluster, &ClusterOptions::bins,
                      &BinRule::single_outliers),
       of_sources(keys::cluster_seed, Key::seed(keys::cluster_seed, "Seed of the drawn slowdowns."))
           .sets(&RunPlan::cluster, &ClusterOptions::seed)
           .with(&Key::used, uses_seed)},
      complete_cluster,
      bind_cluster};
  const auto of_chosen = keys_of_choice(keys::source, cluster_sources());
  section.keys.insert(section.keys.end(), of_chosen.begin(), of_chosen.end());
  sections.push_back(section);
}

}  // namespace palstudy
