// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <span>

#include "archive/profile/profile_file.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/print.hpp"
#include "cli/tables/classes_text.hpp"
#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "inputs/profile/profile_files.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

struct ClassifyOptions {
  std::string profile, output, name = "measured", also;
  ClassifierOptions classifier;
  bool force = false, json = false;
};

/// Names that TOML takes without quotes, and a study file with them.
void check_name(const std::string& name) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
  if (name.empty() || !std::ranges::all_of(name, fits)) {
    throw usage_error("\"" + name + "\" is no name of a table of classes", "--name", "use letters, digits, - and _");
  }
}

/// Applications that were profiled but not timed, and those of the CSV.
std::vector<KnownUse> other_uses(const Profile& profile, const ClassifyOptions& options) {
  std::vector<KnownUse> others;
  for (const ProfileUtilization& row : profile.utilization) {
    const bool timed =
        std::ranges::any_of(profile.kernels, [&](const auto& kernel) { return kernel.name == row.application; });
    if (!timed) others.push_back({row.application, {row.u_dram, row.u_fu}});
  }
  if (options.also.empty()) return others;
  const auto listed = read_known_uses(options.also);
  others.insert(others.end(), listed.begin(), listed.end());
  return others;
}

/// Errors (usage): as require_new_output; a file is there that this command did not write, forced or not.
void check_output(const ClassifyOptions& options) {
  require_new_output(options.output, true);
  const bool there = std::filesystem::exists(options.output) && std::filesystem::file_size(options.output) > 0;
  if (there && !is_classes_toml(options.output)) {
    throw usage_error("is there and no table of classes that palstudy classify wrote", options.output,
                      "give another -o; to write there all the same, move the file away first");
  }
  require_new_output(options.output, options.force);
}

void write_classes(const ClassifyOptions& options, const Classification& found) {
  make_folder_of(options.output);
  const std::string text = classes_toml(found, options.name, options.profile);
  write_durably(options.output, std::as_bytes(std::span(text)));
}

int run_classify(const ClassifyOptions& options) {
  check_name(options.name);
  if (!options.output.empty()) check_output(options);
  refuse_bundled(options.profile, "what they computed is not known, so that they cannot be put into classes");
  const Profile profile = read_profile(options.profile);
  require_classifiable(profile, options.profile);
  log_notes(profile_notes(profile, options.profile));
  const Classification found = classify(kernel_uses(profile), options.classifier, options.profile);
  const auto others = other_uses(profile, options);
  if (!options.output.empty()) write_classes(options, found);
  if (options.json) {
    fmt::print("{}", classes_json(found, others));
  } else {
    print_text(classes_text(found, others));
  }
  return 0;
}

std::function<int()> set_up_classify(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<ClassifyOptions>();
  app.add_option("PROFILE", options->profile, "a profile (HDF5) of at least 8 GPUs and 2 sessions")->required();
  app.add_option("-o,--output", options->output, "the table of classes to write (TOML), for `cluster.classes`");
  app.add_option("--name", options->name, "name of the table")->capture_default_str();
  app.add_option("--also", options->also, "CSV of further applications: application,u_dram,u_fu");
  whole_number(app.add_option("--classes", options->classifier.classes,
                              "number of classes; by default chosen by the silhouette"),
               1, 26);
  app.add_option("--leave-out", options->classifier.leave_out, "a kernel that is not clustered; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--with-ceilings", options->classifier.with_ceilings,
               "cluster also triad, fma-peak, link and allreduce");
  app.add_flag("--force", options->force, "replace an existing file");
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return run_classify(*options); };
}

}  // namespace

void register_command_classify(CommandRegistry& registry) {
  registry.add({"classify", "Put a profile's kernels into classes by how they use a GPU", {}, set_up_classify});
}

}  // namespace palstudy
