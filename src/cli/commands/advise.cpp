// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <vector>

#include "campaign/site/site_advice.hpp"
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/site_options.hpp"
#include "cli/slurm_files.hpp"
#include "cli/tables/advice_tables.hpp"
#include "core/files.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

struct AdviseOptions {
  SiteOptions site;
  std::string slurm;
  bool json = false;
};

/// Those of the advice; if it drains none, those of the best drain.
std::uint32_t nodes_to_drain(const Advice& advice) {
  if (advice.action.drained > 0) return advice.action.drained;
  const ActionGain* const best = best_drain(advice);
  return best == nullptr ? 0 : best->action.drained;
}

/// Slurm cannot place by class: weights are the nearest to that.
SlurmAdvice slurm_advice(const AdviceFound& found) {
  const ActionKind kind = found.advice.action.kind;
  SlurmAdvice advice;
  advice.weights_advised = kind != ActionKind::drain;
  advice.drains_advised = kind == ActionKind::drain || kind == ActionKind::both;
  for (const RankedNode& node : found.nodes) {
    if (!node.host.empty()) advice.weights.push_back({node.host, node.weight});
  }
  for (std::uint32_t i = 0; i < nodes_to_drain(found.advice); ++i) {
    const RankedNode& node = found.nodes[i];
    if (!node.host.empty()) advice.drains.push_back({node.host, node.cls, node.slowdown});
  }
  if (!found.slurm_conf.empty()) {
    advice.conf_text = read_text_file(found.slurm_conf);
    advice.conf_name = found.slurm_conf.string();
  }
  return advice;
}

/// Writes the files and says which of them are the advice; on standard error beside --json.
void write_for_slurm(const AdviceFound& found, const std::string& folder, std::FILE* to) {
  const SlurmAdvice advice = slurm_advice(found);
  for (const std::filesystem::path& file : write_slurm_files(advice, folder)) {
    const std::string name = file.filename().string();
    const bool advised = name == users_file || (name == drain_file ? advice.drains_advised : advice.weights_advised);
    fmt::print(to, "{}{}\n", file.string(), advised ? "" : "  (not advised)");
  }
}

int advise(const AdviseOptions& options, const CommandContext& context) {
  if (!options.slurm.empty()) require_new_slurm_files(options.slurm);
  SiteStudy study(options.site, context);
  const auto told = [&](double seconds, std::size_t simulations) {
    study.keep();
    fmt::print(stderr, "{} simulations take about {}\n", grouped(simulations), duration_text(seconds));
  };
  const AdviceFound found = site_advice({.study = study.file(),
                                         .overrides = options.site.overrides,
                                         .hosts_for = options.slurm.empty() ? "" : "--slurm",
                                         .told = told});
  if (options.json) {
    fmt::print("{}", advice_json(found));
  } else {
    print_text(advice_text(found, screen_columns()));
  }
  if (options.slurm.empty()) return 0;
  if (found.advice.action.kind == ActionKind::nothing) {
    fmt::print(stderr, "nothing is advised: no file for Slurm is written\n");
    return 0;
  }
  write_for_slurm(found, options.slurm, options.json ? stderr : stdout);
  return 0;
}

std::function<int()> set_up_advise(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<AdviseOptions>();
  add_site_options(app, options->site);
  app.add_option("--slurm", options->slurm,
                 "a folder for files that Slurm takes: weights.sh, drain.sh, nodes.conf, and users.txt");
  app.add_flag("--json", options->json, "print JSON");
  app.footer(
      "Tries what a site can do about slow GPUs: nothing, prefer fast nodes by weights, drain the slowest nodes, "
      "place\n"
      "as PAL does (pal-sticky), or the last two together. Nothing is [policy], or the first baseline where placement\n"
      "is an axis. Replications are the study's seeds; without seeds its traces, if it has 8 or more; else 16 to 64 "
      "draws\n"
      "of the days of its log. The advice is the cheapest action with most of the gain. If none pays beyond doubt, it "
      "is\n"
      "to do nothing.");
  return [options, context] { return advise(*options, context); };
}

}  // namespace

void register_command_advise(CommandRegistry& registry) {
  registry.add({"advise",
                "What to do about slow GPUs: nothing, drain or prefer nodes, or place as PAL does",
                {},
                set_up_advise});
}

}  // namespace palstudy
