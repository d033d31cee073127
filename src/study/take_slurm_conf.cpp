// SPDX-License-Identifier: MIT
#include "study/take_slurm_conf.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "study/keys/key_names.hpp"
#include "study/slurm_conf.hpp"

namespace palstudy {
namespace {

const NoteKind slurm_conf_note("slurm-conf", Severity::info);

/// Whether some run has this value.
bool chosen(const ParsedStudy& parsed, const KeyName<std::string>& key, const std::string& name) {
  const auto given = [&](const KeyValues& values) {
    const auto value = values.find(key.name);
    return value != values.end() && value->second.text == name;
  };
  if (given(parsed.base)) return true;
  return std::ranges::any_of(parsed.axes, [&](const auto& axis) {
    const auto same = [&](const TomlValue& value) { return value.text == name; };
    return std::ranges::any_of(axis.second.sets, given) ||
           (axis.first == key.name && std::ranges::any_of(axis.second.values, same));
  });
}

/// Whether all nodes are alike, so that no run need know the weights.
bool same_weights(const std::vector<SlurmNode>& nodes) {
  return std::ranges::all_of(nodes, [&](const SlurmNode& node) { return node.weight == nodes.front().weight; });
}

/// Whether the queues say anything: one queue of all nodes without a limit does not.
bool matter(const std::vector<SlurmQueue>& queues) {
  return queues.size() > 1 || std::ranges::any_of(queues, [](const SlurmQueue& queue) {
           return !queue.nodes.empty() || queue.default_s || queue.most_s;
         });
}

TomlValue node_groups(const std::vector<SlurmNode>& nodes) {
  TomlValue groups;
  groups.kind = TomlValue::Kind::array;
  for (auto node = nodes.begin(); node != nodes.end();) {
    const auto next = std::find_if(node, nodes.end(), [&](const SlurmNode& other) { return other.gpus != node->gpus; });
    TomlValue group;
    group.names = {"count", "gpus"};
    group.items = {TomlValue::of(static_cast<std::int64_t>(next - node)), TomlValue::of(std::int64_t{node->gpus})};
    groups.items.push_back(std::move(group));
    node = next;
  }
  return groups;
}

/// Puts values in the place of keys that are not given.
class Filling {
 public:
  Filling(ParsedStudy& parsed, std::string where) : parsed_(parsed), where_(std::move(where)) {}

  void fill(const std::string& key, TomlValue value) {
    if (is_given(parsed_, key)) return;
    if (value.where.empty()) value.where = value.key_where = where_;
    parsed_.base.insert_or_assign(key, std::move(value));
    filled_.push_back(key);
  }
  /// The parameters among `values` of those that some run has.
  template <class Registered>
  void fill_params(const KeyName<std::string>& choice, const Registered& all, const KeyValues& values) {
    for (const auto& entry : all.entries()) {
      if (!chosen(parsed_, choice, entry.name)) continue;
      for (const Param& param : entry.params) {
        const auto value = values.find(key_of(policy_section, param));
        if (value != values.end()) fill(value->first, value->second);
      }
    }
  }
  [[nodiscard]] const std::vector<std::string>& filled() const { return filled_; }

 private:
  ParsedStudy& parsed_;
  std::string where_;
  std::vector<std::string> filled_;
};

bool any_weight(const KeyValues& values) {
  return std::ranges::any_of(values, [](const auto& value) {
    return value.first.starts_with("slurm.PriorityWeight") && value.second.as_real() > 0;
  });
}

}  // namespace

void take_slurm_conf(ParsedStudy& parsed, const std::filesystem::path& study_file, std::vector<Note>& notes) {
  const auto given = parsed.base.find(keys::slurm_conf);
  if (given == parsed.base.end()) return;
  const TomlValue key = given->second;
  parsed.base.erase(given);
  SlurmConf conf = read_slurm_conf(study_file.parent_path() / key.text);
  const TomlValue path = TomlValue::of(key.text);
  if (!chosen(parsed, keys::slurm_passes, "slurm")) {  // no pass has a clock
    std::erase_if(conf.values, [](const auto& value) {
      return value.first.ends_with(".bf_interval") || value.first.ends_with(".batch_sched_delay");
    });
  }
  if (!any_weight(conf.values)) conf.values.erase(keys::order);  // all priorities are 0: first come, first served
  Filling filling(parsed, key.where);
  if (!is_given(parsed, keys::cluster_gpus) && !is_given(parsed, keys::gpus_per_node)) {
    filling.fill(keys::cluster_nodes, node_groups(conf.nodes));
  }
  if (const auto order = conf.values.find(keys::order); order != conf.values.end())
    filling.fill(keys::order, order->second);
  const auto backfill = conf.values.find(keys::backfill);
  filling.fill(keys::backfill, backfill != conf.values.end() ? backfill->second : TomlValue::of(std::string("slurm")));
  filling.fill(keys::placement, TomlValue::of(std::string("slurm")));
  filling.fill_params(keys::order, orders(), conf.values);
  filling.fill_params(keys::backfill, backfills(), conf.values);
  // Slurm kills, unless OverTimeLimit says otherwise, which is not read.
  const bool plans = chosen(parsed, keys::backfill, "slurm");
  const auto over = std::ranges::find(conf.unread, "OverTimeLimit");
  if (plans && parsed.base.contains(keys::backfill) && over == conf.unread.end()) {
    filling.fill(keys::overrun, TomlValue::of(std::string("kill")));
  }
  if (matter(conf.queues) && !plans) conf.unread.emplace_back("PartitionName");
  if (!same_weights(conf.nodes) && chosen(parsed, keys::placement, "slurm")) filling.fill(keys::node_weights, path);
  if (matter(conf.queues) && plans) filling.fill(keys::queues, path);
  if (chosen(parsed, keys::source, "site")) filling.fill(keys::hosts, path);
  notes.push_back(slurm_conf_note({{"keys", filling.filled()}, {"unread", conf.unread}}, key.text));
}

}  // namespace palstudy
