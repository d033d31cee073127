// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/comparison_text.hpp"

namespace palstudy {
namespace {

struct CompareOptions {
  std::string file;
  ComparisonOptions comparison;
  bool json = false, brief = false;
};

int compare_file(const CompareOptions& options) {
  const Comparison result = compare(ArchiveReader(options.file), options.comparison);
  fmt::print("{}", options.json    ? comparison_json(result)
                   : options.brief ? comparison_brief(result)
                                   : comparison_text(result));
  return 0;
}

std::function<int()> set_up(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<CompareOptions>();
  ComparisonOptions& to = options->comparison;
  app.add_option("FILE", options->file, "the archive (HDF5)")->required();
  app.add_option("--metric", to.metric, "a metric of /runs; by default the study's compare.metric");
  app.add_option("--baseline", to.baselines, "a placement to compare with; repeatable; by default compare.baseline")
      ->allow_extra_args(false);
  app.add_option("--policy", to.policies, "only the gain of this placement; repeatable; by default of all")
      ->allow_extra_args(false);
  app.add_option("--by", to.by,
                 "one block for each value of this axis; or KEY>NUMBER, with an axis of numbers or\n"
                 "cluster.slowdown_max, the largest slowdown of a GPU of the run's cluster; repeatable")
      ->allow_extra_args(false);
  auto* json = app.add_flag("--json", options->json, "for programs");
  app.add_flag("--brief", options->brief, "the gains alone, one line each")->excludes(json);
  app.footer(
      "Runs are compared in pairs that agree in every axis but policy.placement. The gain is 1 - the geometric mean "
      "of\n"
      "their ratios. Pairs of the same seeds count as one replication; from 8 replications on there is a 95 % "
      "interval\n"
      "(Student's t on the logarithms). Runs that failed, left jobs unfinished or were unstable make no claim.\n"
      "Stragglers: compare FILE --by cluster.source --by \"cluster.slowdown_max>2\" --brief");
  return [options] { return compare_file(*options); };
}

}  // namespace

void register_command_compare(CommandRegistry& registry) {
  registry.add({"compare", "Compare policies run by run: gains over baselines, with intervals", {}, set_up});
}

}  // namespace palstudy
