// SPDX-License-Identifier: MIT
#include "words/slurm_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/shown_text.hpp"
#include "core/text.hpp"
#include "study/host_lists.hpp"
#include "study/slurm_lines.hpp"
#include "words/nodes_conf.hpp"

namespace palstudy {
namespace {

constexpr std::size_t characters_of_a_list = 90;  // so that a line fits a screen, or nearly

/// The advice by host, checked. A host that is drained for several classes is so for the one it slows most.
struct CheckedAdvice {
  std::map<std::string, std::int64_t> weights;
  std::map<std::int64_t, std::vector<std::string>> hosts;  ///< by weight, in the order of their names
  std::vector<DrainedNode> drains;                         ///< in the order of their names
};

/// A name goes into scripts and into slurm.conf as it is, so it must mean nothing there.
void check_host(const std::string& host) {
  const auto usual = [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-');
  };
  const std::string small = in_small_letters(host);
  if (host.empty() || !std::ranges::all_of(host, usual) || small == "all" || small == "default") {
    throw data_error(fmt::format("host \"{}\" is no name that Slurm takes for a node", shown(host)), "",
                     "rename it in the profile: letters, digits, dots, dashes, underscores; not ALL or DEFAULT");
  }
}

void check_weight(const WeighedNode& node) {
  constexpr std::int64_t most_weight = 4294967280;  // of Slurm
  if (node.weight < 0 || node.weight > most_weight) {
    throw data_error(fmt::format("weight {} of host {} is out of Slurm's range", node.weight, node.host), "",
                     fmt::format("a whole number from 0 to {}", most_weight));
  }
}

std::vector<std::string> hosts_of(const std::vector<DrainedNode>& drains) {
  std::vector<std::string> hosts;
  for (const DrainedNode& node : drains) hosts.push_back(node.host);
  return in_host_order(std::move(hosts));
}

std::vector<DrainedNode> worst_by_host(const std::vector<DrainedNode>& drains) {
  std::map<std::string, DrainedNode> worst;
  for (const DrainedNode& node : drains) {
    check_host(node.host);
    const auto [found, is_new] = worst.emplace(node.host, node);
    if (!is_new && node.slowdown > found->second.slowdown) found->second = node;
  }
  std::vector<DrainedNode> nodes;
  for (auto& [host, node] : worst) nodes.push_back(node);
  std::vector<DrainedNode> ordered;
  for (const std::string& host : hosts_of(nodes)) ordered.push_back(worst.at(host));
  return ordered;
}

CheckedAdvice checked(const SlurmAdvice& advice) {
  CheckedAdvice good;
  for (const WeighedNode& node : advice.weights) {
    check_host(node.host);
    check_weight(node);
    if (!good.weights.emplace(node.host, node.weight).second) {
      throw data_error(fmt::format("host {} has two weights", node.host), "", "give each host one");
    }
    good.hosts[node.weight].push_back(node.host);
  }
  for (auto& [weight, hosts] : good.hosts) hosts = in_host_order(std::move(hosts));
  good.drains = worst_by_host(advice.drains);
  return good;
}

/// Every host of the advice is a node of the slurm.conf; else the files would be refused when they are used.
void check_known(const CheckedAdvice& advice, const NodesConf& conf, const std::string& name) {
  const std::set<std::string> known(conf.hosts.begin(), conf.hosts.end());
  const auto check = [&](const std::string& host) {
    if (known.contains(host)) return;
    throw data_error(fmt::format("host {} has no NodeName line", host), name,
                     "hosts of the profile have to be called as in NodeName; files that it includes are not read");
  };
  for (const auto& [host, weight] : advice.weights) check(host);
  for (const DrainedNode& node : advice.drains) check(node.host);
}

/// What a word of the study may bring into a script or into Slurm, in double quotes.
std::string plain(const std::string& text) {
  std::string safe = text;
  std::ranges::replace_if(
      safe,
      [](unsigned char c) {
        return c >= 0x80 || (std::isalnum(c) == 0 &&
                             std::string_view(" ._:+/-").find(static_cast<char>(c)) == std::string_view::npos);
      },
      '_');
  return safe;
}

/// A line of a file that stands beside the advice.
std::string unless_advised(bool advised) { return advised ? "" : "# Not advised: it is here in case you choose it.\n"; }

std::string weights_script(const CheckedAdvice& advice, bool with_conf, bool advised) {
  std::string text = "#!/bin/sh\n" + unless_advised(advised) +
                     "# Written by palstudy. Slurm takes free nodes of the lowest weight first.\n"
                     "# These weights are lost at the next `scontrol reconfigure` or start of slurmctld.\n";
  text += with_conf ? fmt::format("# {} keeps them.\n", nodes_file)
                    : "# To keep them, put Weight= into the NodeName lines of slurm.conf.\n";
  text += "set -e\n";
  for (const auto& [weight, hosts] : advice.hosts) {
    for (const std::string& list : host_lists(hosts, characters_of_a_list)) {
      text += fmt::format("scontrol update NodeName={} Weight={}\n", list, weight);
    }
  }
  return text;
}

std::string reason_of(const DrainedNode& node) {
  const std::string of_class = node.cls.empty() ? "" : " for class " + plain(node.cls);
  return fmt::format("slowest GPU {} x median{} (palstudy)", in_digits(node.slowdown), of_class);
}

std::string drain_script(const CheckedAdvice& advice, bool advised) {
  std::string text =
      "#!/bin/sh\n" + unless_advised(advised) +
      "# Written by palstudy. It drains nodes with slow GPUs: running jobs end first, and no other job starts there.\n"
      "# Nodes stay drained until somebody puts them back. See before which ones others have drained, and why:\n"
      "# sinfo -R\n"
      "set -e\n";
  for (const DrainedNode& node : advice.drains) {
    text += fmt::format("scontrol update NodeName={} State=DRAIN Reason=\"{}\"\n", node.host, reason_of(node));
  }
  text += "# To put them back:\n";
  for (const std::string& list : host_lists(hosts_of(advice.drains), characters_of_a_list)) {
    text += fmt::format("# scontrol update NodeName={} State=RESUME\n", list);
  }
  return text;
}

std::string nodes_text(const NodesConf& conf, const std::string& name, bool advised) {
  std::string text = unless_advised(advised) +
                     fmt::format(
                         "# Written by palstudy: the NodeName lines of {0} with other weights.\n"
                         "# Put them in place of all NodeName lines there. A second line of a node stops slurmctld.\n"
                         "# Then: scontrol reconfigure\n",
                         shown(name));
  for (const std::string& include : conf.includes) {
    text += fmt::format("# Not read, so leave this Include where it is: {}\n", shown(include));
  }
  return text + conf.lines;
}

std::string drained_text(const std::vector<DrainedNode>& drains) {
  if (drains.empty()) return "";
  std::string text = "\nOut of service: no job starts there until the nodes are put back. Running jobs end first.\n";
  for (const DrainedNode& node : drains) {
    const std::string of_class = node.cls.empty() ? "" : fmt::format(" for jobs of class {}", shown(node.cls));
    text += fmt::format("  {}: its slowest GPU takes {} times as long as the median{}\n", node.host,
                        in_digits(node.slowdown), of_class);
  }
  return text;
}

/// Hosts by weight, without those that are drained.
std::map<std::int64_t, std::vector<std::string>> in_service(const CheckedAdvice& advice) {
  std::map<std::int64_t, std::vector<std::string>> left;
  for (const auto& [weight, hosts] : advice.hosts) {
    for (const std::string& host : hosts) {
      if (std::ranges::find(advice.drains, host, &DrainedNode::host) == advice.drains.end()) {
        left[weight].push_back(host);
      }
    }
  }
  return left;
}

/// The lightest and the heaviest weight, and all others as one.
std::string order_text(const CheckedAdvice& advice) {
  const auto left = in_service(advice);
  if (left.empty()) return "";
  std::string text = "\nSlurm gives a job free nodes in this order:\n";
  const auto add = [&](const char* when, const std::vector<std::string>& hosts) {
    for (const std::string& list : host_lists(hosts, characters_of_a_list)) {
      text += fmt::format("  {:<6} {}\n", std::exchange(when, ""), list);
    }
  };
  std::vector<std::string> between;
  for (const auto& [weight, hosts] : left) {
    const bool is_end = weight == left.begin()->first || weight == left.rbegin()->first;
    if (!is_end) between.insert(between.end(), hosts.begin(), hosts.end());
  }
  add("first", left.begin()->second);
  add("then", in_host_order(std::move(between)));
  if (left.size() > 1) add("last", left.rbegin()->second);
  return text;
}

/// Users are told of what is advised; the other files are there for a site that decides otherwise.
CheckedAdvice told_to_users(const SlurmAdvice& advice, CheckedAdvice good) {
  if (!advice.drains_advised) good.drains.clear();
  if (!advice.weights_advised) good.hosts.clear();
  return good;
}

std::string users_text(const CheckedAdvice& advice) {
  std::string text =
      "Some GPUs of this cluster are slower than others. A job on several GPUs is as slow as the slowest of them.\n";
  text += drained_text(advice.drains);
  text += order_text(advice);
  text += "\nWhat you may notice:\n";
  if (!advice.drains.empty()) {
    text += fmt::format(
        "- {} fewer: when the cluster is full, jobs may start later.\n"
        "- A job that asks for one of them by --nodelist waits. Leave the name out.\n",
        counted(advice.drains.size(), "node"));
  }
  if (!advice.hosts.empty()) {
    text +=
        "- Jobs start on other nodes than before, the fast ones first.\n"
        "- The same job takes longer when only slow nodes are free. Leave room in --time.\n";
  }
  return text;
}

}  // namespace

std::vector<SlurmFile> slurm_files(const SlurmAdvice& advice) {
  const CheckedAdvice good = checked(advice);
  std::vector<SlurmFile> files;
  const bool with_conf = advice.conf_text.has_value() && !good.weights.empty();
  if (!good.weights.empty())
    files.push_back({weights_file, weights_script(good, with_conf, advice.weights_advised), true});
  if (!good.drains.empty()) files.push_back({drain_file, drain_script(good, advice.drains_advised), true});
  if (advice.conf_text) {
    const std::string name = advice.conf_name.value_or("slurm.conf");
    const NodesConf conf = nodes_with_weights(*advice.conf_text, name, good.weights);
    check_known(good, conf, name);
    if (with_conf) files.push_back({nodes_file, nodes_text(conf, name, advice.weights_advised), false});
  }
  if (!files.empty()) files.push_back({users_file, users_text(told_to_users(advice, good)), false});
  return files;
}

}  // namespace palstudy
