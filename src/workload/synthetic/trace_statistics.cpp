// SPDX-License-Identifier: MIT
#include "workload/synthetic/trace_statistics.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "workload/trace/job_fields.hpp"

namespace palstudy {
namespace {

/// A table of the file with its place, for messages.
class Table {
 public:
  Table(const std::string& file, const toml::table& table) : file_(&file), table_(&table) {}

  void check_keys(const std::vector<std::string>& known) const {
    for (const auto& [key, node] : *table_) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      throw data_error(fmt::format("unknown key \"{}\"{}", key.str(), suggestion(key.str(), known)),
                       where(key.source()), "known here: " + join(known));
    }
  }

  [[nodiscard]] std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const auto& [key, node] : *table_) all.emplace_back(key.str());
    return all;
  }

  [[nodiscard]] Table table(std::string_view key) const {
    const auto& node = required(key);
    if (node.as_table() == nullptr) throw data_error(fmt::format("\"{}\" is not a table", key), where(node.source()));
    return {*file_, *node.as_table()};
  }

  [[nodiscard]] std::vector<Table> tables(std::string_view key) const {
    const auto* list = required(key).as_array();
    if (list == nullptr || list->empty() || !list->is_homogeneous(toml::node_type::table)) {
      throw wrong(key, required(key), "write it as [[...]] tables");
    }
    std::vector<Table> all;
    for (const auto& node : *list) all.emplace_back(*file_, *node.as_table());
    return all;
  }

  [[nodiscard]] double number(std::string_view key, double least, double most) const {
    return number(key, required(key), least, most);
  }

  [[nodiscard]] std::uint32_t count(std::string_view key, double least, double most) const {
    return whole(key, number(key, least, most));
  }

  /// A list of numbers; `size` 0 is any but none.
  [[nodiscard]] std::vector<double> numbers(std::string_view key, std::size_t size, double least, double most) const {
    const auto* list = required(key).as_array();
    if (list == nullptr || (size == 0 ? list->empty() : list->size() != size)) {
      throw wrong(key, required(key), size == 0 ? "give a list" : fmt::format("give {} numbers", size));
    }
    std::vector<double> all;
    for (const auto& node : *list) all.push_back(number(key, node, least, most));
    return all;
  }

  /// `[from, to]`.
  [[nodiscard]] std::pair<double, double> range(std::string_view key, double least, double most) const {
    const auto ends = numbers(key, 2, least, most);
    if (ends[0] > ends[1]) throw wrong(key, required(key), "give the least and the most");
    return {ends[0], ends[1]};
  }

  void check_ascending(std::string_view key, const std::vector<double>& numbers, bool strictly) const {
    const bool ascend = strictly ? std::ranges::adjacent_find(numbers, std::greater_equal<>()) == numbers.end()
                                 : std::ranges::is_sorted(numbers);
    if (!ascend) throw wrong(key, required(key), "give ascending numbers");
  }

  [[nodiscard]] std::uint32_t whole(std::string_view key, double value) const {
    if (value != std::floor(value)) throw wrong(key, required(key), "give whole numbers");
    return static_cast<std::uint32_t>(value);
  }

  [[nodiscard]] std::string where() const { return where(table_->source()); }

 private:
  [[nodiscard]] std::string where(const toml::source_region& at) const {
    return fmt::format("{}:{}:{}", *file_, at.begin.line, at.begin.column);
  }

  [[nodiscard]] Error wrong(std::string_view key, const toml::node& node, const std::string& advice) const {
    return data_error(fmt::format("\"{}\" is not right", key), where(node.source()), advice);
  }

  [[nodiscard]] const toml::node& required(std::string_view key) const {
    if (const auto* node = table_->get(key)) return *node;
    throw data_error(fmt::format("the key \"{}\" is missing", key), where(), "the file of the program has it");
  }

  [[nodiscard]] double number(std::string_view key, const toml::node& node, double least, double most) const {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (value && *value >= least && *value <= most) return *value;
    throw wrong(key, node, fmt::format("give numbers from {} to {}", shortest(least), shortest(most)));
  }

  const std::string* file_;
  const toml::table* table_;
};

BurstStatistics bursts(const Table& table) {
  table.check_keys({"few", "few_jobs", "many", "many_jobs", "tail"});
  BurstStatistics numbers;
  numbers.few = table.number("few", 0, 1);
  numbers.many = table.number("many", 0, 1 - numbers.few);
  std::tie(numbers.few_from, numbers.few_to) = table.range("few_jobs", 2, 1e5);
  std::tie(numbers.many_from, numbers.many_to) = table.range("many_jobs", 2, 1e5);
  for (const double jobs : {numbers.few_from, numbers.few_to}) (void)table.whole("few_jobs", jobs);
  for (const double jobs : {numbers.many_from, numbers.many_to}) (void)table.whole("many_jobs", jobs);
  numbers.tail = table.number("tail", 0.1, 10);
  return numbers;
}

TenantStatistics tenants(const Table& table) {
  table.check_keys({"gpus_each", "most", "block", "narrow_ratio", "wide_ratio"});
  return {.gpus_each = table.number("gpus_each", 1, most_job_gpus),
          .most = table.count("most", 1, 65535),
          .block = table.count("block", 1, 65535),
          .narrow_ratio = table.number("narrow_ratio", 0.01, 0.99),
          .wide_ratio = table.number("wide_ratio", 0.01, 0.99)};
}

SizeGroup size_group(const Table& table, const Table& percentiles_of) {
  SizeGroup sizes;
  sizes.gpus = table.numbers("gpus", 0, 1, most_job_gpus);
  for (const double gpus : sizes.gpus) (void)table.whole("gpus", gpus);
  sizes.shares = table.numbers("shares", sizes.gpus.size(), 0, 1);
  sizes.percentiles = percentiles_of.numbers("percentiles", 0, 0, 100);
  percentiles_of.check_ascending("percentiles", sizes.percentiles, true);
  for (double& percentile : sizes.percentiles) percentile /= 100;
  if (sizes.percentiles.size() < 2) throw data_error("one percentile is not enough", percentiles_of.where());
  sizes.seconds = table.numbers("seconds", sizes.percentiles.size(), 1e-3, longest_job_s);
  table.check_ascending("seconds", sizes.seconds, false);
  return sizes;
}

void check_shares(const std::vector<SizeGroup>& groups, const Table& at) {
  double sum = 0;
  for (const auto& sizes : groups) sum = std::accumulate(sizes.shares.begin(), sizes.shares.end(), sum);
  if (std::abs(sum - 1) <= 0.01) return;
  throw data_error(fmt::format("the shares of all jobs sum to {}", shortest(sum)), at.where(), "make them sum to 1");
}

void add_cluster(const Table& cluster, TraceStatistics& out) {
  cluster.check_keys({"hours", "percentiles", "jobs"});
  out.hours = cluster.numbers("hours", 24, 1e-6, 1e6);
  for (const Table& jobs : cluster.tables("jobs")) {
    jobs.check_keys({"gpus", "shares", "seconds"});
    out.jobs.push_back(size_group(jobs, cluster));
  }
  check_shares(out.jobs, cluster);
}

void add_llm(const Table& llm, TraceStatistics& out) {
  llm.check_keys({"least_gpus", "gpus", "shares", "percentiles", "seconds"});
  out.llm = size_group(llm, llm);
  out.llm_least_gpus = llm.number("least_gpus", 0, most_job_gpus);
  check_shares({out.llm}, llm);
}

TraceStatistics numbers_of(const Table& file, const std::string& cluster) {
  file.check_keys({"arrivals", "bursts", "tenants", "limits", "llm", "clusters"});
  TraceStatistics out;
  const Table arrivals = file.table("arrivals"), all_bursts = file.table("bursts"), limits = file.table("limits");
  arrivals.check_keys({"weekdays"});
  out.weekdays = arrivals.numbers("weekdays", 7, 1e-6, 1e6);
  all_bursts.check_keys({"reference_gpus", "gap_s", "shared", "narrow", "wide"});
  out.reference_gpus = all_bursts.number("reference_gpus", 1, most_job_gpus);
  std::tie(out.gap_least_s, out.gap_most_s) = all_bursts.range("gap_s", 1e-3, 3600);
  out.shared = all_bursts.number("shared", 0, 1);
  out.narrow = bursts(all_bursts.table("narrow"));
  out.wide = bursts(all_bursts.table("wide"));
  out.tenants = tenants(file.table("tenants"));
  limits.check_keys({"always_gpus", "longest_s"});
  out.always_gpus = limits.number("always_gpus", 1, most_job_gpus);
  out.longest_s = limits.number("longest_s", 1, longest_job_s);
  add_llm(file.table("llm"), out);
  const Table clusters = file.table("clusters");
  const std::vector<std::string> known = clusters.keys();
  if (std::ranges::find(known, cluster) == known.end()) {
    throw usage_error(fmt::format("unknown cluster \"{}\"{}", cluster, suggestion(cluster, known)),
                      "workload.trace_cluster", "known: " + join(known));
  }
  add_cluster(clusters.table(cluster), out);
  return out;
}

}  // namespace

TraceStatistics read_trace_statistics(const std::filesystem::path& path, const std::string& cluster) {
  const std::string text = read_text_file(path);
  const std::string name = path.string();
  try {
    const toml::table root = toml::parse(text, name);
    return numbers_of({name, root}, cluster);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw data_error(std::string(error.description()), fmt::format("{}:{}:{}", name, at.line, at.column),
                     "correct the TOML");
  }
}

}  // namespace palstudy
