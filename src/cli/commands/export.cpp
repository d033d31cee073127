// SPDX-License-Identifier: MIT
#include "archive/export.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "archive/reader.hpp"
#include "bundle/run_export.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

struct ExportOptions {
  std::string file, table, format = "csv", output;
  std::int64_t run = -1, trace = -1;
  bool force = false;
};

void print_table(const ExportOptions& options) {
  const std::vector<std::string> names = exported_tables();
  const std::string& name = options.table;
  if (std::ranges::find(names, name) == names.end()) {
    throw usage_error(fmt::format("there is no table \"{}\"{}", name, suggestion(name, names)), "--table",
                      "known: " + join(names));
  }
  const auto table = std::ranges::find(all_tables(), "/" + name, &Table::name);
  const bool json = options.format == "json", of_runs = table != all_tables().end();
  if (!of_runs && options.run >= 0) throw usage_error("notes are of all runs", "--run", "leave it out");
  const ArchiveReader archive(options.file);
  fmt::print("{}", of_runs ? export_table(archive, table->id, options.run, json) : export_notes(archive, json));
}

void write_run(const ExportOptions& options) {
  if (options.output.empty()) throw usage_error("no output is named", "-o", "give -o FILE.csv");
  export_run({options.file, options.trace, options.output, options.force});
}

int export_from(const ExportOptions& options) {
  if (options.trace >= 0) {
    write_run(options);
  } else if (!options.table.empty()) {
    print_table(options);
  } else {
    throw usage_error("it is not said what to export", "palstudy export",
                      "give --table NAME, or --trace N -o FILE.csv");
  }
  return 0;
}

std::function<int()> set_up_export(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<ExportOptions>();
  app.add_option("FILE", options->file, "the archive (HDF5); with --trace also a bundle")->required();
  auto* table = app.add_option("--table", options->table, "print it: " + join(exported_tables(), ", "));
  auto* run = whole_number(app.add_option("--run", options->run, "only the rows of this run"), 0);
  auto* format =
      app.add_option("--format", options->format, "csv or json; numbers in full precision, names instead of codes")
          ->check(CLI::IsMember({"csv", "json"}))
          ->capture_default_str();
  auto* trace = whole_number(
      app.add_option("--trace", options->trace, "write the jobs of this run as a trace, with the study that runs it"),
      0);
  trace->excludes(table)->excludes(run)->excludes(format);
  app.add_option("-o,--output", options->output, "where the trace goes (CSV); the study goes beside it (TOML)")
      ->needs(trace);
  app.add_flag("--force", options->force, "replace existing files")->needs(trace);
  app.footer(
      "palstudy export FILE --trace N -o jobs.csv also writes jobs.toml. palstudy run jobs.toml -o again.h5 gives the\n"
      "events of run N once more, to the bit. The inputs of the study have to be there as they were.");
  return [options] { return export_from(*options); };
}

}  // namespace

void register_command_export(CommandRegistry& registry) {
  registry.add({"export",
                "Print a table of an archive as CSV or JSON, or write the jobs of a run as a trace",
                {},
                set_up_export});
}

}  // namespace palstudy
