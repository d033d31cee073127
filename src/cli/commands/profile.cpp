// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <limits>
#include <memory>

#include "archive/file_checks.hpp"
#include "archive/profile/profile_columns.hpp"
#include "archive/profile/profile_file.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/print.hpp"
#include "cli/tables/profile_tables.hpp"
#include "cli/tables/profile_text.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "inputs/profile/profile_files.hpp"
#include "inputs/profile/profile_tools.hpp"
#include "study/data_dir.hpp"
#include "study/study.hpp"
#include "variability/profile/importer.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "variability/profile/profile_summary.hpp"
#include "variability/sources/reliability.hpp"
#include "words/note_text.hpp"
#include "workload/model_table.hpp"

namespace palstudy {
namespace {

struct ProfileOptions {
  std::string file, bins = "silhouette", outliers = "binned";
  std::size_t nodes = 10;
  bool wide = false, all_nodes = false, json = false;
};

BinRule bin_rule(const ProfileOptions& options) {
  BinRule rule;
  rule.single_outliers = options.outliers == "single";
  if (options.bins == "silhouette") return rule;
  const auto bins = parse_integer(options.bins);
  if (!bins || *bins < 1 || *bins > max_bins) {
    throw usage_error("\"" + options.bins + "\" is no number of bins", "--bins",
                      fmt::format("give silhouette or an integer from 1 to {}", max_bins));
  }
  rule.bins = static_cast<std::uint32_t>(*bins);
  return rule;
}

int print(const FigureTable& table, bool json) {
  if (json) {
    fmt::print("{}\n", figures_json(table));
  } else {
    print_text(figures_text(table));
  }
  return 0;
}

std::vector<Measurements> load(const std::string& file) {
  auto [measured, notes] = load_profile(file);
  log_notes(notes);
  return std::move(measured);
}

int show(const ProfileOptions& options) {
  if (!options.json && !options.wide && !options.all_nodes) {
    const auto [measured, notes] = load_profile(options.file);
    print_text(profile_text(measured, notes, options.file, screen_columns()));
    return 0;
  }
  const auto profile = load(options.file);
  const auto kernels = distribution_table(profile);
  const std::size_t most = options.all_nodes ? std::numeric_limits<std::size_t>::max() : options.nodes;
  const auto nodes = node_table(profile, most), outliers = outlier_table(profile, most);
  const auto trust = reliability_table(profile);
  if (options.json) {
    fmt::print(
        "{{\"measurements\": {},\n\"reliability\": {},\n\"histogram\": {},\n\"outliers\": {},\n\"nodes\": {}}}\n",
        figures_json(kernels), figures_json(trust), figures_json(histogram_table(profile)), figures_json(outliers),
        figures_json(nodes));
  } else {
    print_text(fmt::format("{}\n{}\n{}\n{}\n{}", figures_text(kernels), figures_text(trust), histogram_text(profile),
                           outliers.rows.empty() ? "no GPU is an outlier\n" : figures_text(outliers),
                           figures_text(nodes)));
  }
  return 0;
}

int reliability(const ProfileOptions& options) {
  const auto profile = load(options.file);
  if (options.json || options.wide) {
    print(reliability_table(profile), options.json);
  } else {
    print_text(reliability_text(profile, options.file, screen_columns()));
  }
  for (const Measurements& measured : profile) {
    if (const auto note = reliability_note(measured)) log_notes({*note});
  }
  return 0;
}

int show_bins(const ProfileOptions& options) {
  const auto profile = load(options.file);
  const BinRule rule = bin_rule(options);
  const int code = print(bin_table(profile, rule), options.json);
  for (const Measurements& measured : profile) {
    if (const auto note = note_on_bins(measured, rule)) log_notes({*note});
  }
  return code;
}

struct LinkOptions {
  std::string file, models;
  std::uint32_t gpus = 8;
  double overlap = 0;
  bool json = false;
};

int links(const LinkOptions& options) {
  refuse_bundled(options.file, "no data were moved between them");
  const LocalityModel found = fit_locality(read_profile(options.file), options.file);
  const std::filesystem::path bundled = data_dir() / "jobs" / "models.toml";
  const ModelTable models = read_model_table(options.models.empty() ? bundled : std::filesystem::path(options.models));
  const auto levels = link_table(found), penalties = penalty_table(found, models, options.gpus, options.overlap);
  if (options.json) {
    fmt::print("{{\"levels\": {},\n\"penalties\": {}}}\n", figures_json(levels), figures_json(penalties));
  } else {
    print_text(figures_text(levels) + "\n" + figures_text(penalties));
  }
  log_notes(found.notes);
  return 0;
}

CLI::App* add_links(CLI::App& app, const std::shared_ptr<LinkOptions>& options) {
  CLI::App* sub =
      app.add_subcommand("links", "What messages cost on each level, and the locality penalties that follow");
  sub->add_option("FILE", options->file, "a profile (HDF5) with transfers")->required();
  whole_number(sub->add_option("--gpus", options->gpus, "GPUs of the jobs whose penalties are shown"), 1, 1 << 24)
      ->capture_default_str();
  sub->add_option("--overlap", options->overlap, "as network.overlap: the share of an exchange that computing hides")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  sub->add_option("--models", options->models, "a table of models instead of the bundled one");
  sub->add_flag("--json", options->json, "print JSON");
  return sub;
}

CLI::App* add(CLI::App& app, const char* name, const char* summary, const std::shared_ptr<ProfileOptions>& options) {
  CLI::App* sub = app.add_subcommand(name, summary);
  sub->add_option("FILE", options->file,
                  "a bundled machine or measurement (longhorn, longhorn-sgemm), a CSV, or a profile (.h5)")
      ->required();
  sub->add_flag("--json", options->json, "print JSON");
  return sub;
}

struct JoinOptions {
  std::vector<std::string> files;
  std::string output, format, columns;
  bool force = false, json = false;
};

/// "host=node,gpu=device" of --columns.
ImportColumns named_columns(const std::string& written) {
  ImportColumns columns;
  for (const std::string& one : split(written, ',')) {
    const auto mark = one.find('=');
    if (mark == std::string::npos || mark == 0 || mark + 1 == one.size()) {
      throw usage_error("\"" + one + "\" names no column", "--columns", "give NAME=COLUMN, as in host=node,gpu=device");
    }
    columns[one.substr(0, mark)] = one.substr(mark + 1);
  }
  return columns;
}

/// `merge` joins profiles, `import` what other programs measured; both write one profile.
int join_profiles(const JoinOptions& options, bool imports, const CommandContext& context) {
  const std::vector<std::filesystem::path> files(options.files.begin(), options.files.end());
  require_new_hdf5(options.output, options.force, profile_schema_name, files);
  auto [merged, read] = imports ? import_files(files, options.format, named_columns(options.columns))
                                : Imported{merge_profile_files(files), files};
  for (Note& note : profile_notes(merged.profile, "")) merged.notes.push_back(std::move(note));
  make_folder_of(options.output);
  write_profile(options.output, merged.profile, profile_provenance(command_line(context), read, worded(merged.notes)));
  log_notes(merged.notes);
  if (options.json) {
    fmt::print("{}", coverage_json(merged.profile));
  } else if (imports) {
    print_text(import_text(merged.profile, options.output, screen_columns()));
  } else {
    print_text(coverage_text(merged.profile));
  }
  return 0;
}

CLI::App* add_join(CLI::App& app, const char* name, const char* summary, const char* files,
                   const std::shared_ptr<JoinOptions>& options) {
  CLI::App* sub = app.add_subcommand(name, summary);
  sub->add_option("FILES", options->files, files)->required();
  sub->add_option("-o,--output", options->output, "the profile to write (HDF5)")->required();
  sub->add_flag("--force", options->force, "replace an existing file");
  sub->add_flag("--json", options->json, "print what was measured as JSON");
  return sub;
}

std::function<int()> set_up_profile(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<ProfileOptions>();
  app.require_subcommand(1);
  CLI::App* to_show =
      add(app, "show", "How far GPUs and nodes differ, which are outliers, how far it can be trusted", options);
  auto* nodes = whole_number(to_show->add_option(
                                 "--nodes", options->nodes,
                                 "with --wide, so many nodes of each measurement, the slowest first, and outliers"),
                             0)
                    ->capture_default_str();
  to_show->add_flag("--all", options->all_nodes, "all tables, of all nodes and outliers")->excludes(nodes);
  to_show->add_flag("--wide", options->wide, "all tables: spread, trust, histogram, outliers, nodes");
  CLI::App* to_trust = add(app, "reliability", "Whether a GPU that was slow is slow again", options);
  to_trust->add_flag("--wide", options->wide, "all columns");
  CLI::App* to_bin = add(app, "bins", "The bins that a study would make of the measured GPUs", options);
  to_bin->add_option("--bins", options->bins, "as cluster.bins: silhouette or a number")->capture_default_str();
  to_bin->add_option("--outliers", options->outliers, "as cluster.outliers: binned or single")
      ->check(CLI::IsMember({"binned", "single"}))
      ->capture_default_str();
  auto link_options = std::make_shared<LinkOptions>();
  CLI::App* to_link = add_links(app, link_options);
  auto join_options = std::make_shared<JoinOptions>();
  CLI::App* to_merge =
      add_join(app, "merge", "Join profiles of many jobs and days by GPU and session", "profiles (HDF5)", join_options);
  CLI::App* to_import = add_join(app, "import", "Make a profile of what other programs measured",
                                 "tables, and logs of the formats that palstudy list importers names", join_options);
  to_import->add_option("--format", join_options->format, "the format of all files, not told by looking")
      ->check(CLI::IsMember(importers().names()));
  to_import->add_option("--columns", join_options->columns, "what the columns of a table are: host=COLUMN,time=COLUMN");
  return [=] {
    if (to_merge->parsed() || to_import->parsed()) {
      return join_profiles(*join_options, to_import->parsed(), context);
    }
    if (to_link->parsed()) return links(*link_options);
    if (to_show->parsed()) return show(*options);
    if (to_trust->parsed()) return reliability(*options);
    return show_bins(*options);
  };
}

}  // namespace

void register_command_profile(CommandRegistry& registry) {
  registry.add({"profile",
                "Show measured GPUs: their spread, how far it can be trusted, their bins; join and import profiles",
                {},
                set_up_profile});
}

}  // namespace palstudy
