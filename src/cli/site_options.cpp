// SPDX-License-Identifier: MIT
#include "cli/site_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <system_error>
#include <utility>

#include "campaign/site/site_study.hpp"
#include "cli/command_line.hpp"
#include "core/error.hpp"

namespace palstudy {

void add_site_options(CLI::App& app, SiteOptions& options) {
  app.add_option("STUDY", options.study, "the study file (TOML); or give the next three");
  set_option(app, options.overrides, "replace a key of the study");
  app.add_option("--trace", options.trace, "the log of jobs: sacct's, or of another format that says what it is");
  app.add_option("--profile", options.profile, "the times of the GPUs: a profile, or a file that profile import knows");
  app.add_option("--nodes", options.nodes, "nodes and the GPUs of each: 60x4, or 60x4,10x8");
  app.add_option("-o,--output", options.output, "the study to write from these files")->capture_default_str();
  app.add_flag("--force", options.force, "replace a study that is there, and what was written with it");
}

SiteStudy::SiteStudy(const SiteOptions& options, const CommandContext& context) {
  const bool files = !options.trace.empty() || !options.profile.empty() || !options.nodes.empty();
  if (!options.study.empty() && files) {
    throw usage_error("both a study and files of a site are given", options.study,
                      "give the study, or --trace, --profile and --nodes");
  }
  if (!files) {
    if (options.study.empty()) {
      throw usage_error("no study is given", "", "give one, or --trace jobs.psv --profile bench.csv --nodes 60x4");
    }
    file_ = options.study;
    return;
  }
  for (const auto& [option, value] :
       {std::pair("--trace", options.trace), {"--profile", options.profile}, {"--nodes", options.nodes}}) {
    if (value.empty()) {
      throw usage_error(fmt::format("{} is not given", option), "", "give --trace, --profile and --nodes, or a study");
    }
  }
  file_ = options.output;
  written_ = write_site_study({options.trace, options.profile, nodes_named(options.nodes), file_, options.force},
                              command_line(context));
}

SiteStudy::~SiteStudy() {
  std::error_code ignored;
  for (const auto& file : written_) std::filesystem::remove(file, ignored);
}

void SiteStudy::keep() {
  if (written_.empty()) return;
  written_.clear();
  fmt::print(stderr, "{} is written: edit it, and give it in place of these files next time\n", file_);
}

}  // namespace palstudy
