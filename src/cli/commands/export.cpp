// SPDX-License-Identifier: MIT
#include "archive/export.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "archive/reader.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

struct ExportOptions {
  std::string file, table, format = "csv";
  std::int64_t run = -1;
};

TableId table_named(const std::string& name) {
  const std::vector<std::string> names = exported_tables();
  if (std::ranges::find(names, name) != names.end()) {
    return std::ranges::find(all_tables(), "/" + name, &Table::name)->id;
  }
  throw usage_error(fmt::format("there is no table \"{}\"{}", name, suggestion(name, names)), "--table",
                    "known: " + join(names));
}

std::function<int()> set_up_export(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<ExportOptions>();
  app.add_option("FILE", options->file, "the archive (HDF5)")->required();
  app.add_option("--table", options->table, join(exported_tables(), ", "))->required();
  whole_number(app.add_option("--run", options->run, "only the rows of this run"), 0);
  app.add_option("--format", options->format, "csv or json; numbers in full precision, names instead of codes")
      ->check(CLI::IsMember({"csv", "json"}))
      ->capture_default_str();
  return [options] {
    const TableId table = table_named(options->table);
    const ArchiveReader archive(options->file);
    fmt::print("{}", export_table(archive, table, options->run, options->format == "json"));
    return 0;
  };
}

}  // namespace

void register_command_export(CommandRegistry& registry) {
  registry.add({"export", "Print a table of an archive as CSV or JSON", {}, set_up_export});
}

}  // namespace palstudy
