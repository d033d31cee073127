// SPDX-License-Identifier: MIT
#include "words/nodes_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "study/host_lists.hpp"
#include "study/slurm_lines.hpp"

namespace palstudy {
namespace {

/// Nodes of one line that get one weight, by their places in it; without a weight they keep the line's.
struct NodesOfWeight {
  std::optional<std::int64_t> weight;
  std::vector<std::size_t> places;
};

/// In the order of the first node of each.
std::vector<NodesOfWeight> by_weight(const std::vector<std::string>& names,
                                     const std::map<std::string, std::int64_t>& weights) {
  std::vector<NodesOfWeight> groups;
  std::map<std::optional<std::int64_t>, std::size_t> known;
  for (std::size_t place = 0; place < names.size(); ++place) {
    const auto found = weights.find(names[place]);
    const auto weight = found == weights.end() ? std::nullopt : std::optional(found->second);
    const auto [group, is_new] = known.emplace(weight, groups.size());
    if (is_new) groups.push_back({weight, {}});
    groups[group->second].places.push_back(place);
  }
  return groups;
}

/// Writes a NodeName line again, for some of its nodes.
class NodeLine {
 public:
  explicit NodeLine(const SlurmLine& line) : line_(line), names_(host_names(line.settings.front().value, line.where)) {}

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  [[nodiscard]] std::string of(const NodesOfWeight& nodes) const {
    std::string text;
    std::size_t at = 0;
    bool weighed = !nodes.weight;
    for (const SlurmSetting& setting : line_.settings) {
      text += line_.text.substr(at, setting.value_begin - at);
      text += value_of_setting(setting, nodes);
      at = setting.end;
      weighed = weighed || in_small_letters(setting.name) == "weight";
    }
    text += line_.text.substr(at);
    return weighed ? text : fmt::format("{} Weight={}", text, *nodes.weight);
  }

 private:
  [[nodiscard]] std::string value_of_setting(const SlurmSetting& setting, const NodesOfWeight& nodes) const {
    const std::string name = in_small_letters(setting.name);
    if (name == "weight" && nodes.weight) return std::to_string(*nodes.weight);
    constexpr std::array of_each_node = {"nodename", "nodehostname", "nodeaddr", "bcastaddr", "port"};
    if (nodes.places.size() < names_.size() && std::ranges::find(of_each_node, name) != of_each_node.end()) {
      // One value is that of all; Slurm refuses less than one for each node otherwise.
      const auto values = host_names(setting.value, line_.where);
      if (values.size() >= names_.size()) return host_list(at_places(values, nodes.places));
    }
    return line_.text.substr(setting.value_begin, setting.end - setting.value_begin);
  }

  static std::vector<std::string> at_places(const std::vector<std::string>& values,
                                            const std::vector<std::size_t>& places) {
    std::vector<std::string> some;
    std::ranges::transform(places, std::back_inserter(some), [&](std::size_t place) { return values[place]; });
    return some;
  }

  const SlurmLine& line_;
  std::vector<std::string> names_;
};

/// The line with its nodes' weights, as one line or several.
std::string rewritten(const SlurmLine& line, const NodeLine& nodes,
                      const std::map<std::string, std::int64_t>& weights) {
  const auto groups = by_weight(nodes.names(), weights);
  if (std::ranges::none_of(groups, [](const NodesOfWeight& group) { return group.weight.has_value(); })) {
    return line.written + "\n";
  }
  std::string lines;
  for (const NodesOfWeight& group : groups) {
    lines += nodes.of(group);
    if (&group == &groups.front() && !line.comment.empty()) lines += " " + line.comment;
    lines += "\n";
  }
  return lines;
}

}  // namespace

NodesConf nodes_with_weights(const std::string& conf, const std::string& name,
                             const std::map<std::string, std::int64_t>& weights) {
  NodesConf made;
  for (const SlurmLine& line : slurm_lines(conf, name)) {
    const std::string kind = in_small_letters(line.settings.front().name);
    if (kind == "include") made.includes.push_back(line.where + ": " + line.settings.front().value);
    if (kind != "nodename") continue;
    if (in_small_letters(line.settings.front().value) == "default") {
      made.lines += line.written + "\n";
      continue;
    }
    const NodeLine nodes(line);
    made.hosts.insert(made.hosts.end(), nodes.names().begin(), nodes.names().end());
    made.lines += rewritten(line, nodes, weights);
  }
  return made;
}

}  // namespace palstudy
