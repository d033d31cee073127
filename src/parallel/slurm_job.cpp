// SPDX-License-Identifier: MIT
#include "parallel/slurm_job.hpp"

#include <cstdlib>
#include <sstream>

#include "core/text.hpp"

namespace palstudy {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<std::int64_t> positive(const std::string& text) {
  const auto number = parse_integer(text);
  return number && *number > 0 ? std::optional<std::int64_t>(*number) : std::nullopt;
}

// "72(x2)" or "36".
std::optional<std::int64_t> parse_group(const std::string& text) {
  const auto open = text.find("(x");
  if (open == std::string::npos) return positive(text);
  if (text.back() != ')') return std::nullopt;
  const auto cpus = positive(text.substr(0, open)), nodes = positive(text.substr(open + 2, text.size() - open - 3));
  return cpus && nodes ? std::optional(*cpus * *nodes) : std::nullopt;
}

}  // namespace

std::string slurm_job_id() {
  const auto array = variable("SLURM_ARRAY_JOB_ID"), task = variable("SLURM_ARRAY_TASK_ID");
  if (positive(array) && parse_integer(task)) return array + "_" + task;
  const auto job = variable("SLURM_JOB_ID");
  return positive(job) ? job : "";
}

std::optional<std::int64_t> parse_cpus_per_node(const std::string& text) {
  std::istringstream groups(text);
  std::optional<std::int64_t> sum;
  for (std::string group; std::getline(groups, group, ',');) {
    const auto cpus = parse_group(group);
    if (!cpus) return std::nullopt;
    sum = sum.value_or(0) + *cpus;
  }
  return sum;
}

std::optional<std::int64_t> slurm_nodes() {
  return slurm_job_id().empty() ? std::nullopt : positive(variable("SLURM_JOB_NUM_NODES"));
}

std::optional<std::int64_t> slurm_cpus() {
  return slurm_job_id().empty() ? std::nullopt : parse_cpus_per_node(variable("SLURM_JOB_CPUS_PER_NODE"));
}

}  // namespace palstudy
