// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/tables/list_tables.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

struct ListOptions {
  std::string kind;
  bool json = false, markdown = false, schema = false;
};

int list(const ListOptions& options) {
  if (options.schema && options.kind != "keys") {
    throw usage_error("only keys have a JSON Schema", "--schema", "palstudy list keys --schema");
  }
  if (options.schema) {
    fmt::print("{}", study_schema());
    return 0;
  }
  const TextTable table = list_table(options.kind);
  fmt::print("{}", options.json       ? to_json(table)
                   : options.markdown ? to_markdown(table)
                                      : to_text(table, screen_columns()));
  return 0;
}

std::function<int()> set_up_list(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<ListOptions>();
  app.add_option("KIND", options->kind, join(list_kinds()))->required();
  auto* json = app.add_flag("--json", options->json, "print JSON");
  auto* markdown = app.add_flag("--markdown", options->markdown, "for documentation")->excludes(json);
  app.add_flag("--schema", options->schema, "of keys: the JSON Schema of studies, for editors")
      ->excludes(json, markdown);
  return [options] { return list(*options); };
}

}  // namespace

void register_command_list(CommandRegistry& registry) {
  registry.add({"list", "List readers, policies, keys, metrics, notes and more", {}, set_up_list});
}

}  // namespace palstudy
