// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "archive/cluster_file.hpp"
#include "archive/replaced_output.hpp"
#include "campaign/campaign_info.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/tables/cluster_text.hpp"
#include "core/output.hpp"
#include "inputs/cluster_inputs.hpp"
#include "inputs/inputs.hpp"
#include "inputs/shared_inputs.hpp"

namespace palstudy {
namespace {

struct ClusterCommandOptions {
  std::string study, output;
  std::vector<std::string> overrides;
  bool force = false, json = false;
};

int make_clusters(const ClusterCommandOptions& options, const CommandContext& context) {
  const std::filesystem::path output = options.output;
  const Study study = read_study(options.study, options.overrides);
  require_new_hdf5(output, options.force, cluster_schema_name, input_paths(study));
  Inputs inputs(study);
  const auto clusters = checked_clusters(study, inputs);
  Provenance provenance = make_provenance(study, inputs, inputs.notes(), command_line(context), 1);
  provenance.end_utc = utc_now();
  make_folder_of(output);
  write_cluster_file(output, clusters, provenance);
  for (const auto& note : inputs.notes()) spdlog::warn("{}", note);
  fmt::print("{}", options.json ? cluster_json(clusters) : cluster_text(clusters));
  return 0;
}

std::function<int()> set_up_cluster(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<ClusterCommandOptions>();
  app.add_option("STUDY", options->study, "the study file (TOML)")->required();
  app.add_option("-o,--output", options->output, "where the slowdowns go (HDF5)")->required();
  set_option(app, options->overrides, "replace a key of the study, or an axis");
  app.add_flag("--force", options->force, "replace an existing file");
  app.add_flag("--json", options->json, "print the check for programs");
  return [options, context] { return make_clusters(*options, context); };
}

}  // namespace

void register_command_cluster(CommandRegistry& registry) {
  registry.add(
      {"cluster", "Write the slowdowns of a study's clusters and compare them with their source", {}, set_up_cluster});
}

}  // namespace palstudy
