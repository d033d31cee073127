// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/all_ranks.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "study/campaign.hpp"

namespace palstudy {
namespace {

struct MergeOptions {
  std::string file;
  bool force = false;
};

int merge(const MergeOptions& options, const CommandContext& context) {
  Mpi mpi(context.argc, context.argv);
  return on_every_rank(mpi, [&] {
    merge_campaign(options.file, options.force, command_line(context), mpi);
    return 0;
  });
}

std::function<int()> set_up_merge(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<MergeOptions>();
  app.add_option("FILE", options->file, "the archive to write from FILE.parts/")->required();
  app.add_flag("--force", options->force, "replace an existing archive");
  app.footer(
      "Needed after run --slice; run without it merges by itself. Every run of the study must be there.\n"
      "Under mpirun or srun the ranks share the packing of the data; the file is the same.");
  return [options, context] { return merge(*options, context); };
}

}  // namespace

void register_command_merge(CommandRegistry& registry) {
  registry.add({"merge", "Join the shards of a campaign into the archive", {}, set_up_merge});
}

}  // namespace palstudy
