// SPDX-License-Identifier: MIT
#include "study/slurm_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "study/host_lists.hpp"
#include "study/keys/key_names.hpp"
#include "study/slurm_lines.hpp"

namespace palstudy {
namespace {

constexpr double hour_min = 60, day_min = 24 * hour_min;

/// GPUs of "gpu:a100:4(S:0-1),shard:8".
std::uint32_t gpus_in(const std::string& gres, const std::string& where) {
  std::uint32_t sum = 0;
  for (std::string one : split(gres, ',')) {
    one.erase(std::min(one.find('('), one.size()));
    if (in_small_letters(one).substr(0, 3) != "gpu" || (one.size() > 3 && one[3] != ':')) continue;
    const auto colon = one.rfind(':');
    const auto count = colon == std::string::npos ? std::optional<long long>(1) : parse_integer(one.substr(colon + 1));
    if (!count || *count < 0) throw data_error(fmt::format("Gres \"{}\"", gres), where, "as in gpu:4 or gpu:a100:4");
    sum += static_cast<std::uint32_t>(*count);
  }
  return sum;
}

/// Minutes of "90", "90:30", "1:30:00", "2-12" or "2-12:00:00"; none where there is no limit.
std::optional<double> minutes_of(const std::string& text, const std::string& where) {
  if (const std::string word = in_small_letters(text); word == "unlimited" || word == "infinite" || word == "-1")
    return std::nullopt;
  const auto dash = text.find('-');
  std::vector<double> parts;
  for (const std::string& part : split(dash == std::string::npos ? text : text.substr(dash + 1), ':')) {
    const auto number = parse_integer(part);
    if (!number || *number < 0) parts.clear();
    if (!number || *number < 0) break;
    parts.push_back(static_cast<double>(*number));
  }
  const auto days = dash == std::string::npos ? std::optional<long long>(0) : parse_integer(text.substr(0, dash));
  if (parts.empty() || parts.size() > 3 || !days) {
    throw data_error(fmt::format("\"{}\" is no time", text), where, "minutes, or as in 2-12:00:00");
  }
  if (dash == std::string::npos && parts.size() < 3) parts.insert(parts.begin(), 0);  // minutes:seconds
  parts.resize(3, 0);
  return static_cast<double>(*days) * day_min + parts[0] * hour_min + parts[1] + parts[2] / minute_s;
}

/// The value of a key of `[slurm]`, from the setting of the same name; none where it says nothing.
std::optional<TomlValue> value_of(const Param& param, const std::string& text, const std::string& where) {
  TomlValue value;
  if (!param.choices.empty()) {
    const auto words = split(in_small_letters(text), ',');
    const auto chosen = std::ranges::find_if(param.choices, [&](const std::string& one) {
      return std::ranges::find(words, in_small_letters(one)) != words.end();
    });
    if (chosen == param.choices.end()) return std::nullopt;
    value = TomlValue::of(*chosen);
  } else if (param.type == ParamType::boolean) {
    const std::string word = in_small_letters(text);
    value = TomlValue::of(word == "yes" || word == "true" || word == "1");
  } else {
    const auto number = param.unit == "min" ? minutes_of(text, where) : parse_double(text);
    if (!number && param.unit == "min") return std::nullopt;
    if (!number) throw data_error(fmt::format("{} = {}", param.name, text), where, "a number");
    value =
        param.type == ParamType::integer ? TomlValue::of(static_cast<std::int64_t>(*number)) : TomlValue::of(*number);
  }
  return value;
}

/// The parameters of `[slurm]` by their names in small letters.
std::map<std::string, Param> slurm_params() {
  std::map<std::string, Param> params;
  const auto add = [&](const std::vector<Param>& all) {
    for (const Param& param : all) {
      if (param.section == slurm_section) params.emplace(in_small_letters(param.name), param);
    }
  };
  for (const auto& entry : backfills().entries()) add(entry.params);
  for (const auto& entry : orders().entries()) add(entry.params);
  return params;
}

class Reader {
 public:
  void read(const SlurmLine& line) {
    const std::string kind = in_small_letters(line.settings.front().name);
    if (kind == "nodename") return read_nodes(line);
    if (kind == "partitionname") return read_queue(line);
    for (const SlurmSetting& setting : line.settings) read_setting(setting.name, setting.value, line.where);
  }

  /// Once all lines are read: a queue may come before its nodes.
  SlurmConf take(const std::string& file) {
    if (conf_.nodes.empty()) throw data_error("has no node with GPUs", file, "NodeName lines with Gres=gpu:4");
    for (const Queue& queue : queues_) add_queue(queue);
    std::ranges::stable_partition(conf_.queues, [&](const SlurmQueue& queue) { return queue.name == default_; });
    conf_.unread.assign(unread_.begin(), unread_.end());
    return std::move(conf_);
  }

 private:
  using Settings = std::map<std::string, std::string>;
  struct Queue {
    Settings settings;
    std::string where;
  };

  /// The settings of a line over those of the line of name DEFAULT before it; names that are not among `known` are
  /// noted. None for a line of name DEFAULT.
  std::optional<Settings> of_line(const SlurmLine& line, Settings& defaults, const std::set<std::string>& known) {
    Settings settings = defaults;
    for (const SlurmSetting& setting : line.settings) {
      const std::string &name = setting.name, &value = setting.value;
      settings.insert_or_assign(in_small_letters(name), value);
      if (in_small_letters(name) == "state") {
        constexpr std::array usual = {"up", "unknown", "idle", "cloud"};
        if (std::ranges::find(usual, in_small_letters(value)) == usual.end()) unread_.insert("State=" + value);
      } else if (!known.contains(in_small_letters(name))) {
        unread_.insert(name);
      }
    }
    if (in_small_letters(line.settings.front().value) != "default") return settings;
    defaults = settings;
    return std::nullopt;
  }

  void read_nodes(const SlurmLine& line) {
    const auto settings = of_line(line, node_defaults_, {"nodename", "gres", "weight"});
    if (!settings) return;
    const auto text = [&](const char* name) { return settings->contains(name) ? settings->at(name) : std::string(); };
    const std::uint32_t gpus = gpus_in(text("gres"), line.where);
    const std::string weight = text("weight");
    const auto heavy = weight.empty() ? std::optional<double>(1) : parse_double(weight);
    if (!heavy || *heavy < 0) throw data_error(fmt::format("Weight={}", weight), line.where, "a number from 0 on");
    for (const std::string& name : host_names(settings->at("nodename"), line.where)) {
      if (!places_.emplace(name, gpus > 0 ? std::optional(conf_.nodes.size()) : std::nullopt).second) {
        throw data_error(fmt::format("node {} is given twice", name), line.where, "keep one of its lines");
      }
      if (gpus > 0) conf_.nodes.push_back({name, gpus, *heavy});
    }
  }

  void read_queue(const SlurmLine& line) {
    const auto settings =
        of_line(line, queue_defaults_, {"partitionname", "nodes", "default", "prioritytier", "defaulttime", "maxtime"});
    if (!settings) return;
    if (settings->contains("default") && in_small_letters(settings->at("default")) == "yes")
      default_ = settings->at("partitionname");
    queues_.push_back({*settings, line.where});
  }

  void add_queue(const Queue& from) {
    const auto text = [&](const char* name) {
      return from.settings.contains(name) ? from.settings.at(name) : std::string();
    };
    const auto limit_s = [&](const char* name) -> std::optional<double> {
      const std::string written = text(name);
      if (written.empty() || in_small_letters(written) == "none") return std::nullopt;
      const auto minutes = minutes_of(written, from.where);
      return minutes ? std::optional(*minutes * minute_s) : std::nullopt;
    };
    SlurmQueue queue{text("partitionname"), {}, 1, limit_s("defaulttime"), limit_s("maxtime"), from.where};
    if (const std::string tier = text("prioritytier"); !tier.empty()) {
      const auto number = parse_integer(tier);
      constexpr long long most_tier = 65533;
      if (!number || *number < 0 || *number > most_tier) {
        throw data_error(fmt::format("PriorityTier={}", tier), from.where, "a number from 0 to 65533");
      }
      queue.tier = static_cast<std::uint32_t>(*number);
    }
    if (in_small_letters(text("nodes")) != "all") {
      queue.nodes = ranges_of(text("nodes"), from.where);
      if (queue.nodes.empty()) return;  // it has no GPU
      if (queue.nodes.front().first == 0 && queue.nodes.front().last + 1 == conf_.nodes.size()) queue.nodes.clear();
    }
    conf_.queues.push_back(std::move(queue));
  }

  std::vector<NodeRange> ranges_of(const std::string& names, const std::string& where) const {
    std::set<std::uint32_t> numbers;
    for (const std::string& name : host_names(names, where)) {
      const auto place = places_.find(name);
      if (place == places_.end()) {
        throw data_error(fmt::format("node {}, which no line NodeName has", name), where,
                         "add it, or leave it out; the names of NodeSet lines are not read");
      }
      if (place->second) numbers.insert(static_cast<std::uint32_t>(*place->second));
    }
    std::vector<NodeRange> ranges;
    for (const std::uint32_t number : numbers) {
      if (!ranges.empty() && ranges.back().last + 1 == number)
        ranges.back().last = number;
      else
        ranges.push_back({number, number});
    }
    return ranges;
  }

  void read_setting(const std::string& name, const std::string& value, const std::string& where) {
    const std::string known = in_small_letters(name);
    if (known == "authinfo") {
      for (const std::string& one : split(value, ',')) {
        if (one.starts_with("cred_expire=")) read_setting("cred_expire", one.substr(one.find('=') + 1), where);
      }
    } else if (known == "schedulerparameters") {
      for (const std::string& one : split(value, ',')) {
        const auto equals = one.find('=');
        read_setting(one.substr(0, equals), equals == std::string::npos ? "" : one.substr(equals + 1), where);
      }
    } else if (known == "prioritytype") {
      if (in_small_letters(value) == "priority/multifactor")
        set(keys::order, TomlValue::of(std::string("multifactor")), where);
    } else if (known == "schedulertype") {
      if (in_small_letters(value) == "sched/builtin") set(keys::backfill, TomlValue::of(std::string("none")), where);
    } else if (known == "overtimelimit" && value == "0") {
      return;  // jobs are killed at their limits
    } else if (const auto param = params_.find(known); param != params_.end()) {
      for (const std::string& word : param->second.choices.empty() ? std::vector<std::string>() : split(value, ',')) {
        if (std::ranges::find(param->second.choices, word) == param->second.choices.end()) {
          unread_.insert(param->second.name + "=" + word);
        }
      }
      if (auto read = value_of(param->second, value, where)) {
        set(key_of(slurm_section, param->second), std::move(*read), where);
      }
    } else {
      unread_.insert(name);
    }
  }
  void set(const std::string& key, TomlValue value, const std::string& where) {
    value.where = value.key_where = where;
    conf_.values.insert_or_assign(key, std::move(value));
  }

  const std::map<std::string, Param> params_ = slurm_params();
  SlurmConf conf_;
  std::map<std::string, std::optional<std::size_t>> places_;  // of nodes by name; none without GPUs
  Settings node_defaults_, queue_defaults_;
  std::vector<Queue> queues_;
  std::string default_;
  std::set<std::string> unread_;
};

}  // namespace

NodeSet nodes_of_queue(const SlurmQueue& queue, std::uint32_t nodes) {
  if (queue.nodes.empty()) return NodeSet::all(nodes);
  NodeSet set(nodes);
  for (const NodeRange& range : queue.nodes) {
    if (range.last >= nodes) {
      throw data_error(
          fmt::format("queue \"{}\" has node {}, and the cluster has {} nodes", queue.name, range.last, nodes),
          queue.where, "nodes are counted from 0");
    }
    for (std::uint32_t node = range.first; node <= range.last; ++node) set.insert(NodeId(node));
  }
  return set;
}

SlurmConf parse_slurm_conf(const std::string& text, const std::string& name) {
  Reader reader;
  for (const SlurmLine& line : slurm_lines(text, name)) reader.read(line);
  return reader.take(name);
}

SlurmConf read_slurm_conf(const std::filesystem::path& file) {
  return parse_slurm_conf(read_text_file(file), file.string());
}

}  // namespace palstudy
