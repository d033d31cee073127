// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/tables/comparison_json.hpp"
#include "cli/tables/comparison_text.hpp"
#include "cli/tables/comparison_wide.hpp"

namespace palstudy {
namespace {

struct CompareOptions {
  std::string file;
  ComparisonOptions comparison;
  bool json = false, brief = false, notes = false, assumptions = false, wide = false;
};

std::string text_of(const Comparison& result, const CompareOptions& options) {
  const std::size_t columns = screen_columns();
  if (options.notes) return comparison_notes(result, columns);
  if (options.assumptions) return comparison_assumptions(result, columns);
  if (options.wide) return comparison_wide(result);
  return options.brief ? comparison_brief(result, columns) : comparison_text(result, columns);
}

int compare_file(const CompareOptions& options) {
  const ArchiveReader archive(options.file, options.json ? ArchiveTexts::raw : ArchiveTexts::shown);
  const Comparison result = compare(archive, options.comparison);
  if (options.json) {
    fmt::print("{}", comparison_json(result));
  } else {
    print_text(text_of(result, options));
  }
  return 0;
}

std::function<int()> set_up_compare(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<CompareOptions>();
  ComparisonOptions& to = options->comparison;
  app.add_option("FILE", options->file, "the archive (HDF5)")->required();
  app.add_option("--metric", to.metrics,
                 "a metric (palstudy list metrics); repeatable. all, causes or outcomes: a family.\n"
                 "By default the study's compare.metric, and a few beside it in --json")
      ->allow_extra_args(false);
  auto* baseline =
      app.add_option("--baseline", to.baselines, "a placement to compare with; repeatable; by default compare.baseline")
          ->allow_extra_args(false);
  app.add_option("--policy", to.policies, "only the gain of this placement; repeatable; by default of all")
      ->allow_extra_args(false);
  app.add_option("--by", to.by,
                 "split by an axis, by class, size, tenant, user or model of jobs, or by KEY>NUMBER of an axis or\n"
                 "of cluster.slowdown_max, the slowest GPU; repeatable. none: no split. By default all axes but\n"
                 "seeds and traces, if that makes 12 blocks or fewer")
      ->allow_extra_args(false);
  app.add_option(
         "--against", to.against,
         "KEY=VALUE: compare the values of this axis, in place of placements, with this one of them; pairs agree\n"
         "in every other axis, placements included")
      ->excludes(baseline);
  auto* json = app.add_flag("--json", options->json, "print JSON");
  auto* brief = app.add_flag("--brief", options->brief, "the changes alone, a line each")->excludes(json);
  auto* notes = app.add_flag("--notes", options->notes, "all notes, and the runs left out")->excludes(json, brief);
  auto* assumptions =
      app.add_flag("--assumptions", options->assumptions, "what the changes depend on")->excludes(json, brief, notes);
  app.add_flag("--wide", options->wide,
               "every point and every metric, with both intervals, p and how the intervals are made, in long lines")
      ->excludes(json, brief, notes, assumptions);
  app.footer(
      "Runs are compared in pairs that agree in every axis but the one compared. A change is the geometric mean of\n"
      "their ratios, less 1: -10 % is a tenth less. \"~\" is no difference found. Intervals are of 95 % and hold "
      "together.\n"
      "They need 8 replications, which are pairs of a cluster seed and a workload seed. Runs that failed, are "
      "unstable\n"
      "or left measured jobs unfinished make no claim. docs/concepts/reading.md says how it is done.\n"
      "Clusters with a very slow GPU: compare FILE --by cluster.source --by \"cluster.slowdown_max>2\" --brief");
  return [options] { return compare_file(*options); };
}

}  // namespace

void register_command_compare(CommandRegistry& registry) {
  registry.add({"compare", "Compare policies run by run: gains over baselines, with intervals", {}, set_up_compare});
}

}  // namespace palstudy
