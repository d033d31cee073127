// SPDX-License-Identifier: MIT
#include "parallel/slurm_job.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <span>

#include "core/numbers.hpp"
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
  std::optional<std::int64_t> sum;
  for (const std::string& group : split(text, ',')) {
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

namespace {

/// Its standard output without the line's end; "" if it cannot be started.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 256> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  (void)pclose(pipe);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::optional<double> from_environment() {
  const char* text = std::getenv("SLURM_JOB_END_TIME");
  const auto end = text == nullptr ? std::nullopt : parse_integer(text);
  if (!end || *end <= 0) return std::nullopt;
  return std::max(0.0, static_cast<double>(*end) - static_cast<double>(std::time(nullptr)));
}

std::optional<double> time_left() {
  const std::string job = slurm_job_id();  // digits, and an underscore at most
  if (job.empty()) return std::nullopt;
  // The limit may have been changed since the job began, so squeue comes first.
  const std::string said = output_of("squeue -h -j " + job + " -o %L 2>/dev/null");
  return said.empty() ? from_environment() : parse_time_left(said);
}

}  // namespace

std::optional<double> parse_time_left(const std::string& text) {
  double days = 0;
  std::string clock = text;
  if (const auto dash = text.find('-'); dash != std::string::npos) {
    const auto number = parse_integer(text.substr(0, dash));
    if (!number || *number < 0) return std::nullopt;
    days = static_cast<double>(*number);
    clock = text.substr(dash + 1);
  }
  double seconds = 0;
  int parts = 0;
  for (std::size_t at = 0; at <= clock.size(); ++parts) {
    const std::size_t colon = std::min(clock.find(':', at), clock.size());
    const auto number = parse_integer(clock.substr(at, colon - at));
    if (!number || *number < 0) return std::nullopt;
    seconds = 60 * seconds + static_cast<double>(*number);
    at = colon + 1;
  }
  return parts <= 3 ? std::optional(days * 86400 + seconds) : std::nullopt;
}

double limit_before_job_end(double left_s, double margin_s) {
  return std::max(left_s - std::max(std::clamp(left_s / 10, 10.0, 120.0), margin_s), left_s / 2);
}

std::optional<double> time_limit_of_job(Mpi& mpi, double margin_s) {
  double limit = nan;
  if (mpi.rank() == 0) {
    if (const auto left = time_left()) {
      limit = limit_before_job_end(*left, margin_s);
      spdlog::info("job {} ends in {:.0f} s, so this stops by {:.0f} s (--time-limit says otherwise)", slurm_job_id(),
                   *left, limit);
    }
  }
  mpi.broadcast(std::span(&limit, 1));
  return std::isnan(limit) ? std::nullopt : std::optional(limit);
}

}  // namespace palstudy
