// SPDX-License-Identifier: MIT
#include "campaign/site/site_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "archive/file_checks.hpp"
#include "archive/profile/profile_columns.hpp"
#include "archive/profile/profile_file.hpp"
#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "inputs/profile/profile_files.hpp"
#include "inputs/profile/profile_tools.hpp"
#include "study/run_plan.hpp"
#include "study/toml_value.hpp"
#include "variability/profile/importer.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "variability/profile/profile_summary.hpp"
#include "words/note_text.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

/// "STUDY.toml" with another ending: "STUDY.classes.toml".
fs::path beside(const fs::path& study, const char* ending) {
  fs::path file = study;
  return file.replace_extension(ending);
}

/// As a study beside it names a file.
std::string named_from(const fs::path& study, const fs::path& file) {
  const fs::path folder = fs::absolute(study).parent_path();
  const fs::path near = fs::absolute(file).lexically_relative(folder);
  const bool under = !near.empty() && near.begin()->string() != "..";
  return (under ? near : fs::absolute(file)).string();
}

void import_profile(const SiteFiles& files, const fs::path& output, const std::string& command) {
  auto [imported, read] = import_files({files.profile}, "", {});
  for (Note& note : profile_notes(imported.profile, "")) imported.notes.push_back(std::move(note));
  write_profile(output, imported.profile, profile_provenance(command, read, worded(imported.notes)));
  log_notes(imported.notes);
}

/// The kernel that most GPUs were measured with; of several the first by name.
std::string main_kernel(const std::vector<Measurements>& measured) {
  return std::ranges::max_element(measured, {}, [](const Measurements& one) { return one.gpus.size(); })->name;
}

std::string in_toml(const std::string& text) { return to_toml(TomlValue::of(text)); }

std::string classes_text(const std::vector<Measurements>& measured) {
  std::string text = "# The benchmark that stands for each class of jobs.\n[classes.site]\n";
  for (const Measurements& one : measured) text += fmt::format("{0} = {0}\n", in_toml(one.name));
  return text;
}

std::string class_of_text(const std::string& cls) { return "name,class\n*," + csv_field(cls) + "\n"; }

std::string nodes_text(const std::vector<NodeGroup>& nodes) {
  std::vector<std::string> groups;
  for (const auto& [count, gpus] : nodes) groups.push_back(fmt::format("{{ count = {}, gpus = {} }}", count, gpus));
  return "[" + join(groups) + "]";
}

/// The keys of a site that are not known from its files stand with what to do about them.
std::string study_text(const SiteFiles& files, const fs::path& profile, const std::string& command) {
  const auto name = [&](const fs::path& file) { return in_toml(named_from(files.study, file)); };
  const std::string reader = reader_of(files.trace);
  const bool of_site = readers().at(reader).make.of_site;
  return fmt::format(
      "# {command}\n"
      "[study]\n"
      "name = {study}\n"
      "question = \"What should we do about slow GPUs?\"\n"
      "[cluster]\n"
      "nodes = {nodes}\n"
      "source = \"site\"              # the nodes that were measured, by the names of their hosts\n"
      "profile = {profile}\n"
      "classes = {classes}\n"
      "[network]\n"
      "penalty = {{ node = 1.0, cabinet = 1.7, cluster = 1.7 }}    # of jobs that span nodes: an assumption\n"
      "[workload]\n"
      "trace = {trace}\n"
      "reader = \"{reader}\"\n"
      "{class_of}"
      "wider = \"skip\"\n"
      "[engine]\n"
      "start = \"event\"             # as slurm.passes wants it\n"
      "migration_s = 1e8             # jobs cannot move; if yours can, what a move costs\n"
      "[policy]\n"
      "order = \"fifo\"                # multifactor, with weights under [slurm], for priority/multifactor\n"
      "backfill = \"slurm\"\n"
      "placement = \"slurm\"\n"
      "[slurm]\n"
      "passes = \"slurm\"\n"
      "# conf = \"slurm.conf\"         # yours: nodes, weights, queues, limits and priorities\n",
      fmt::arg("command", replaced(command, "\n", " ")), fmt::arg("study", in_toml(files.study.stem().string())),
      fmt::arg("nodes", nodes_text(files.nodes)), fmt::arg("profile", name(profile)),
      fmt::arg("classes", name(beside(files.study, ".classes.toml"))), fmt::arg("trace", name(files.trace)),
      fmt::arg("reader", reader),
      fmt::arg("class_of", of_site ? fmt::format("class_of = {}       # who runs what\n",
                                                 name(beside(files.study, ".class-of.csv")))
                                   : ""));
}

void write_text(const fs::path& file, const std::string& text) { write_durably(file, std::as_bytes(std::span(text))); }

}  // namespace

std::vector<NodeGroup> nodes_named(const std::string& text) {
  std::vector<NodeGroup> groups;
  for (const std::string& one : split(text + ",", ',')) {  // so that nothing after a comma is a part, too
    const auto mark = one.find('x');
    const auto count = parse_integer(one.substr(0, mark));
    const auto gpus = mark == std::string::npos ? std::nullopt : parse_integer(one.substr(mark + 1));
    constexpr long long most_nodes = 1 << 24;
    if (!count || !gpus || *count < 1 || *count > most_nodes || *gpus < 1 || *gpus > max_gpus_per_node) {
      throw usage_error(fmt::format("\"{}\" is no number of nodes and GPUs", one), "--nodes",
                        "give nodes x GPUs of each, as in 60x4, or 60x4,10x8");
    }
    groups.push_back({static_cast<std::uint32_t>(*count), static_cast<std::uint32_t>(*gpus)});
  }
  return groups;
}

std::vector<fs::path> write_site_study(const SiteFiles& files, const std::string& command) {
  const bool imports = !is_profile_path(files.profile.string());
  const fs::path profile = imports ? beside(files.study, ".profile.h5") : files.profile;
  const fs::path classes = beside(files.study, ".classes.toml"), class_of = beside(files.study, ".class-of.csv");
  for (const fs::path& file : {files.study, classes, class_of}) require_new_output(file, files.force);
  if (imports) require_new_hdf5(profile, files.force, profile_schema_name, {files.profile});
  const std::string study = study_text(files, profile, command);
  make_folder_of(files.study);
  if (imports) import_profile(files, profile, command);
  const std::vector<Measurements> measured = load_profile(profile.string()).measured;
  write_text(classes, classes_text(measured));
  write_text(class_of, class_of_text(main_kernel(measured)));
  write_text(files.study, study);
  std::vector<fs::path> written = {files.study, classes, class_of};
  if (imports) written.push_back(profile);
  return written;
}

}  // namespace palstudy
