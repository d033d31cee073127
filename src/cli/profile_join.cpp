// SPDX-License-Identifier: MIT
#include "cli/profile_join.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "archive/profile/profile_columns.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/replaced_output.hpp"
#include "cli/command_line.hpp"
#include "cli/tables/profile_tables.hpp"
#include "core/output.hpp"
#include "inputs/profile/profile_tools.hpp"
#include "variability/profile/profile_coverage.hpp"

namespace palstudy {
namespace {

struct JoinOptions {
  std::vector<std::string> files;
  std::string output;
  bool force = false, json = false;
};

int finish(const JoinOptions& options, MergedProfile merged, const std::vector<std::filesystem::path>& read,
           const CommandContext& context) {
  for (const auto& warning : profile_warnings(merged.profile)) merged.notes.push_back(warning);
  make_folder_of(options.output);
  write_profile(options.output, merged.profile, profile_provenance(command_line(context), read, merged.notes));
  for (const auto& note : merged.notes) spdlog::warn("{}", note);
  fmt::print("{}", options.json ? coverage_json(merged.profile) : coverage_text(merged.profile));
  return 0;
}

ProfileJoin add(CLI::App& app, const char* name, const char* summary, const char* files,
                const std::shared_ptr<JoinOptions>& options) {
  CLI::App* sub = app.add_subcommand(name, summary);
  sub->add_option("FILES", options->files, files)->required();
  sub->add_option("-o,--output", options->output, "the profile to write (HDF5)")->required();
  sub->add_flag("--force", options->force, "replace an existing file");
  sub->add_flag("--json", options->json, "print what was measured for programs");
  return {sub, {}};
}

}  // namespace

ProfileJoin add_profile_merge(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<JoinOptions>();
  ProfileJoin join =
      add(app, "merge", "Join profiles of many jobs and days by GPU and session", "profiles (HDF5)", options);
  join.act = [options, context] {
    require_new_hdf5(options->output, options->force, profile_schema_name,
                     {options->files.begin(), options->files.end()});
    const std::vector<std::filesystem::path> files(options->files.begin(), options->files.end());
    return finish(*options, merge_profile_files(files), files, context);
  };
  return join;
}

ProfileJoin add_profile_import(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<JoinOptions>();
  ProfileJoin join = add(app, "import", "Make a profile of what other programs measured",
                         "CSVs with a row a GPU beside runs/, and outputs of ncu --csv", options);
  join.act = [options, context] {
    require_new_hdf5(options->output, options->force, profile_schema_name,
                     {options->files.begin(), options->files.end()});
    auto imported = import_files({options->files.begin(), options->files.end()});
    return finish(*options, std::move(imported.merged), imported.read, context);
  };
  return join;
}

}  // namespace palstudy
