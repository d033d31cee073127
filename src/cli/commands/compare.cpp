// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/tables/comparison_json.hpp"
#include "cli/tables/comparison_text.hpp"

namespace palstudy {
namespace {

struct CompareOptions {
  std::string file;
  ComparisonOptions comparison;
  bool json = false, brief = false;
};

int compare_file(const CompareOptions& options) {
  const ArchiveReader archive(options.file, options.json ? ArchiveTexts::raw : ArchiveTexts::shown);
  const Comparison result = compare(archive, options.comparison);
  if (options.json) {
    fmt::print("{}", comparison_json(result));
  } else {
    print_text(options.brief ? comparison_brief(result) : comparison_text(result));
  }
  return 0;
}

std::function<int()> set_up_compare(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<CompareOptions>();
  ComparisonOptions& to = options->comparison;
  app.add_option("FILE", options->file, "the archive (HDF5)")->required();
  app.add_option(
         "--metric", to.metrics,
         "what is compared (palstudy list metrics); repeatable; all: every metric; causes: the time by cause;\n"
         "outcomes: what became of jobs, where attempts fail; by default the study's compare.metric, with makespan_s\n"
         "where no window is measured and, beside jct_mean_s, the median, the bounded slowdown and the geometric mean, "
         "which depend less on a few long jobs")
      ->allow_extra_args(false);
  auto* baseline =
      app.add_option("--baseline", to.baselines, "a placement to compare with; repeatable; by default compare.baseline")
          ->allow_extra_args(false);
  app.add_option("--policy", to.policies, "only the gain of this placement; repeatable; by default of all")
      ->allow_extra_args(false);
  app.add_option("--by", to.by,
                 "one block for each value of this axis, or for each class, size, tenant, user or model of jobs;\n"
                 "or KEY>NUMBER, with an axis of numbers or cluster.slowdown_max, the largest slowdown of a GPU of\n"
                 "the run's cluster; repeatable; none: one block of all; by default every axis that is neither a seed\n"
                 "nor a trace, where that makes 12 blocks or fewer")
      ->allow_extra_args(false);
  app.add_option(
         "--against", to.against,
         "KEY=VALUE: compare the values of this axis, in place of placements, with this one of them; pairs agree\n"
         "in every other axis, placements included")
      ->excludes(baseline);
  auto* json = app.add_flag("--json", options->json, "print JSON");
  app.add_flag("--brief", options->brief,
               "the gains one line each, without the tables of means; notes and warnings stay")
      ->excludes(json);
  app.footer(
      "Runs are compared in pairs that agree in every axis but policy.placement. The ratio is the geometric mean of\n"
      "theirs, the gain 1 - ratio (ratio - 1 for what should be large, such as busy_fraction). A replication is a "
      "pair\n"
      "of cluster seed and workload seed; from 8 on there is a 95 % interval: Student's t on the log-ratios, "
      "bootstrap-t\n"
      "for quantiles, both ways where the seeds are crossed. Digits follow from it. Runs that failed, left jobs\n"
      "unfinished or were unstable make no claim. Means are over the seeds at which all policies make one. "
      "Simultaneous\n"
      "intervals all hold together in 95 % of studies. docs/metrics.md says more.\n"
      "Stragglers: compare FILE --by cluster.source --by \"cluster.slowdown_max>2\" --brief");
  return [options] { return compare_file(*options); };
}

}  // namespace

void register_command_compare(CommandRegistry& registry) {
  registry.add({"compare", "Compare policies run by run: gains over baselines, with intervals", {}, set_up_compare});
}

}  // namespace palstudy
