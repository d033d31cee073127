// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "campaign/campaign.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

struct MergeOptions {
  std::string file;
  bool force = false, json = false;
};

std::string to_json(const std::string& file, const Merged& merged) {
  const Json all = {
      {"file", file}, {"runs", merged.runs}, {"done", merged.runs - merged.failed}, {"failed", merged.failed}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int merge(const MergeOptions& options, const CommandContext& context) {
  Mpi mpi(context.argc, context.argv);
  return on_every_rank(mpi, [&] {
    const Merged merged = merge_campaign(options.file, options.force, command_line(context), mpi);
    if (options.json && mpi.rank() == 0) fmt::print("{}", to_json(options.file, merged));
    require_no_failed(options.file, merged.failed, merged.runs);
    return 0;
  });
}

std::function<int()> set_up_merge(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<MergeOptions>();
  app.add_option("FILE", options->file, "the archive to write from FILE.parts/")->required();
  app.add_flag("--force", options->force, "replace an existing archive");
  app.add_flag("--json", options->json, "print what the archive holds as JSON, once it is written");
  app.footer(
      "Needed after run --slice; else run merges by itself. Exit code 4 if runs are missing. Exit code 3 if runs\n"
      "failed; the archive is written then too.");
  return [options, context] { return merge(*options, context); };
}

}  // namespace

void register_command_merge(CommandRegistry& registry) {
  registry.add({"merge", "Join the shards of a campaign into the archive", {}, set_up_merge});
}

}  // namespace palstudy
