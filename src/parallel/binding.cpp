// SPDX-License-Identifier: MIT
#include "parallel/binding.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "core/host.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr int most_cpus = 1 << 16;

std::set<int> allowed_cpus() {
  for (int room = CPU_SETSIZE; room <= most_cpus; room *= 2) {
    cpu_set_t* mask = CPU_ALLOC(room);
    const std::size_t bytes = CPU_ALLOC_SIZE(room);
    const int failed = sched_getaffinity(0, bytes, mask);
    std::set<int> cpus;
    for (int cpu = 0; failed == 0 && cpu < room; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, mask)) cpus.insert(cpu);
    }
    CPU_FREE(mask);
    if (failed == 0 || errno != EINVAL) return cpus;  // EINVAL: the kernel has more processors than the mask
  }
  return {};
}

int core_of(int cpu) {
  std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
  std::string line;
  std::getline(file, line);
  const std::set<int> siblings = parse_cpu_list(line);
  return siblings.empty() ? cpu : *siblings.begin();
}

Binding read_binding(const std::string& lines) {
  std::istringstream text(lines);
  std::string host, cpus, cores;
  std::getline(text, host);
  std::getline(text, cpus);
  std::getline(text, cores);
  return {host, parse_cpu_list(cpus), parse_cpu_list(cores)};
}

using HostBindings = std::vector<const Binding*>;

/// Hosts in the order of their lowest ranks.
std::vector<HostBindings> by_host(const std::vector<Binding>& bindings) {
  std::vector<HostBindings> hosts;
  std::map<std::string, std::size_t> places;
  for (const Binding& binding : bindings) {
    const auto [place, is_new] = places.emplace(binding.host, hosts.size());
    if (is_new) hosts.emplace_back();
    hosts[place->second].push_back(&binding);
  }
  return hosts;
}

std::string cpus_text(const HostBindings& ranks) {
  std::vector<std::string> lists;
  for (const Binding* rank : ranks) lists.push_back(cpu_list(rank->cpus));
  const bool alike = std::ranges::all_of(lists, [&](const auto& list) { return list == lists.front(); });
  return alike ? fmt::format("{} on {}", counted(ranks.size(), "rank"), lists.front()) : join(lists, " | ");
}

std::string shared_text(std::size_t ranks, std::size_t cores, const std::string& host) {
  return ranks <= cores || cores == 0
             ? ""
             : fmt::format("{} share {} of {}", counted(ranks, "rank"), counted(cores, "core"), host);
}

}  // namespace

std::string cpu_list(const std::set<int>& cpus) {
  std::vector<std::string> parts;
  for (auto first = cpus.begin(); first != cpus.end();) {
    auto last = first;
    while (std::next(last) != cpus.end() && *std::next(last) == *last + 1) ++last;
    parts.push_back(first == last ? std::to_string(*first) : fmt::format("{}-{}", *first, *last));
    first = std::next(last);
  }
  return join(parts, ",");
}

std::set<int> parse_cpu_list(const std::string& text) {
  std::set<int> cpus;
  for (const std::string& part : split(text, ',')) {
    const auto dash = std::min(part.find('-'), part.size());
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == part.size() ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= most_cpus) return {};
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.insert(static_cast<int>(cpu));
  }
  return cpus;
}

std::vector<Binding> gather_bindings(Mpi& mpi) {
  const std::set<int> cpus = allowed_cpus();
  std::set<int> cores;
  for (const int cpu : cpus) cores.insert(core_of(cpu));
  std::vector<Binding> all;
  for (const std::string& lines : mpi.gather(host_name() + '\n' + cpu_list(cpus) + '\n' + cpu_list(cores)))
    all.push_back(read_binding(lines));
  return all;
}

std::string binding_text(const std::vector<Binding>& bindings) {
  std::vector<std::pair<std::string, std::string>> groups;  // hosts, and the processors of their ranks
  for (const HostBindings& ranks : by_host(bindings)) {
    const std::string cpus = cpus_text(ranks), &host = ranks.front()->host;
    const auto same = std::ranges::find_if(groups, [&](const auto& group) { return group.second == cpus; });
    if (same == groups.end()) {
      groups.emplace_back(host, cpus);
    } else {
      same->first += ", " + host;
    }
  }
  std::vector<std::string> parts;
  for (const auto& [hosts, cpus] : groups) parts.push_back(hosts + ": " + cpus);
  return join(parts, "; ");
}

std::string shared_cores_text(const std::vector<Binding>& bindings) {
  for (const HostBindings& ranks : by_host(bindings)) {
    std::map<std::set<int>, std::size_t> alike;
    std::set<int> all;
    for (const Binding* rank : ranks) {
      ++alike[rank->cores];
      all.insert(rank->cores.begin(), rank->cores.end());
    }
    for (const auto& [cores, count] : alike) {
      if (auto text = shared_text(count, cores.size(), ranks.front()->host); !text.empty()) return text;
    }
    if (auto text = shared_text(ranks.size(), all.size(), ranks.front()->host); !text.empty()) return text;
  }
  return "";
}

}  // namespace palstudy
