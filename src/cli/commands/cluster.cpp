// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/cluster_file.hpp"
#include "archive/file_checks.hpp"
#include "campaign/campaign_info.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/print.hpp"
#include "cli/tables/text_table.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "inputs/cluster_inputs.hpp"
#include "inputs/inputs.hpp"
#include "inputs/shared_inputs.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

std::string checked_cell(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); }

std::string checks_table(const std::vector<ClassCheck>& checks) {
  TextTable table{{"class"}, {{"measured as"}, {"measured GPUs"}, {"KS distance"}}};
  for (const ClassCheck& check : checks) {
    table.header.insert(table.header.end(), {check.class_name, "source"});
    table.rows[0].insert(table.rows[0].end(), {check.kernel, ""});
    table.rows[1].insert(table.rows[1].end(), {"", std::to_string(check.source_gpus)});
    table.rows[2].insert(table.rows[2].end(), {checked_cell(check.ks), ""});
  }
  const auto add = [&](auto figures_of, const std::string& prefix) {
    for (std::size_t i = 0; i < figures_of(checks.front()).size(); ++i) {
      std::vector<std::string> row{prefix + figures_of(checks.front())[i].name};
      for (const ClassCheck& check : checks) {
        row.push_back(checked_cell(figures_of(check)[i].generated));
        row.push_back(checked_cell(figures_of(check)[i].source));
      }
      table.rows.push_back(std::move(row));
    }
  };
  add(
      [](const ClassCheck& check) -> const auto& { return check.figures; }, "");
  add(
      [](const ClassCheck& check) -> const auto& { return check.expected_max; }, "E[max] of ");
  return to_text(table);
}

Json checked_json(const std::vector<CheckedFigure>& figures) {
  Json all = Json::array();
  for (const CheckedFigure& figure : figures) {  // a NaN becomes null
    all.push_back({{"name", figure.name}, {"generated", figure.generated}, {"source", figure.source}});
  }
  return all;
}

/// How generated clusters compare with their source: a table a cluster, figures as rows, generated and source for each
/// class.
std::string clusters_text(const std::vector<CheckedCluster>& clusters) {
  std::string text;
  for (const CheckedCluster& checked : clusters) {
    text += fmt::format("{}cluster {}: {} GPUs in {} nodes\n", text.empty() ? "" : "\n", checked.cluster.key,
                        checked.topology->gpus(), checked.topology->nodes());
    text += checked.checks.empty() ? "  read from a table, so there is no source to compare it with\n"
                                   : checks_table(checked.checks);
  }
  return text;
}

/// All of it, for programs.
std::string clusters_json(const std::vector<CheckedCluster>& clusters) {
  Json all = Json::array();
  for (const CheckedCluster& checked : clusters) {
    Json classes = Json::array();
    for (const ClassCheck& check : checked.checks) {
      classes.push_back({{"class", check.class_name},
                         {"kernel", check.kernel},
                         {"source_gpus", check.source_gpus},
                         {"source_nodes", check.source_nodes},
                         {"ks", check.ks},
                         {"figures", checked_json(check.figures)},
                         {"expected_max", checked_json(check.expected_max)}});
    }
    all.push_back({{"cluster", checked.cluster.key},
                   {"gpus", checked.topology->gpus()},
                   {"nodes", checked.topology->nodes()},
                   {"recipe", checked.cluster.recipe},
                   {"classes", std::move(classes)}});
  }
  return all.dump(2) + "\n";
}

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
  Provenance provenance = make_provenance(study, inputs, command_line(context), 1);
  provenance.end_utc = utc_now();
  make_folder_of(output);
  write_cluster_file(output, clusters, provenance);
  log_notes(inputs.notes());
  if (options.json) {
    fmt::print("{}", clusters_json(clusters));
  } else {
    print_text(clusters_text(clusters));
  }
  return 0;
}

std::function<int()> set_up_cluster(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<ClusterCommandOptions>();
  app.add_option("STUDY", options->study, "the study file (TOML)")->required();
  app.add_option("-o,--output", options->output, "where the slowdowns go (HDF5)")->required();
  set_option(app, options->overrides, "replace a key of the study, or an axis");
  app.add_flag("--force", options->force, "replace an existing file");
  app.add_flag("--json", options->json, "print the check as JSON");
  return [options, context] { return make_clusters(*options, context); };
}

}  // namespace

void register_command_cluster(CommandRegistry& registry) {
  registry.add(
      {"cluster", "Write the slowdowns of a study's clusters and compare them with their source", {}, set_up_cluster});
}

}  // namespace palstudy
