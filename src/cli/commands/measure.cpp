// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "archive/profile/profile_file.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/print.hpp"
#include "cli/tables/profile_text.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "measure/measurement.hpp"

namespace palstudy {
namespace {

struct CommandOptions {
  MeasureOptions measure;
  std::string backend;
};

int measure(CommandOptions& options, const CommandContext& context) {
  MeasureOptions& to = options.measure;
  if (to.output.empty()) throw usage_error("no output is named", "-o", "give -o PROFILE.h5");
  if (!options.backend.empty()) to.backend = parse_backend(options.backend);
  to.command_line = command_line(context);
  Mpi mpi(context.argc, context.argv);
  return on_every_rank(mpi, [&] {
    const int code = measure_campaign(to, mpi);
    if (mpi.rank() == 0) print_text(repeats_text(read_profile(to.output), to.output.string(), screen_columns()));
    return code;
  });
}

/// A number from `least` to `most`; unlike CLI::Range it takes no NaN, with which a measurement would never end.
CLI::Validator within(double least, double most) {
  return CLI::Validator(
      [=](const std::string& text) {
        const auto value = parse_double(text);
        return value && *value >= least && *value <= most
                   ? std::string()
                   : fmt::format("{} is not a number from {} to {}", text, least, most);
      },
      "");
}

void add_what(CLI::App& app, CommandOptions& options) {
  MeasureOptions& to = options.measure;
  app.add_option("-o,--output", to.output, "the profile to write (HDF5)");
  app.add_option("--backend", options.backend, "cuda, or host: CPU cores; cuda by default");
  auto* kernel = app.add_option("--kernel", to.kernels, "only this kernel; repeatable (palstudy list kernels)")
                     ->allow_extra_args(false);
  app.add_option("--param", to.params, "KERNEL.NAME=VALUE: a parameter of a kernel; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--all", to.all, "all kernels, not only those that stand for classes and the ceilings")
      ->excludes(kernel);
  app.add_flag("--solo", to.solo, "one GPU of a node at a time, not all together");
  app.add_option("--session", to.session, "a label for this session");
  app.add_option("--cabinet-regex", to.cabinet_regex,
                 "regular expression of the cabinet in a host's name: its first group, or all of it");
  whole_number(app.add_option("--seed", to.seed, "of the operands, and of the order of the kernels"), 0)
      ->capture_default_str();
  app.add_flag("--allow-mig", to.allow_mig, "measure MIG instances");
  app.add_flag("--force", to.force, "replace an existing profile, drop an unfinished measurement");
}

void add_protocol(CLI::App& app, CommandOptions& options) {
  MeasureOptions& to = options.measure;
  const CLI::Validator seconds = within(1e-3, 3600.0);
  whole_number(app.add_option("--repeats", to.protocol.repeats, "of each kernel, others between; 3 by default"), 1,
               1000);
  app.add_option("--batch-s", to.protocol.batch_s, "seconds of a batch")->check(seconds);
  app.add_option("--warm-up-s", to.protocol.warm_up_s, "the longest warm-up, in seconds")->check(seconds);
  app.add_option("--repeat-s", to.protocol.repeat_s, "seconds of the timed part of a repeat")->check(seconds);
  app.add_flag("--quick", to.protocol.quick, "a tenth of the times, to try things out; no measurement to trust");
  app.add_option("--telemetry-hz", to.telemetry_hz, "samples of clocks, power and temperature a second; 0 for none")
      ->check(within(0.0, 50.0))
      ->capture_default_str();
  app.add_option("--time-limit", to.time_limit_s, "begin no repeat after so many seconds; exit code 4")
      ->check(within(1e-3, 1e9));
}

void add_planting(CLI::App& app, CommandOptions& options) {
  MeasureOptions& to = options.measure;
  app.add_option("--inject-slowdown,--plant", to.injected_slowdown,
                 "slow cores by known factors, to test what comes after: a CSV with the columns factor, rank (or host "
                 "and local), and, if wanted, kernel; --backend host only");
  whole_number(app.add_option("--hosts-of", to.hosts_of, "let ranks pose as hosts of so many; --backend host only"), 1,
               1 << 20);
}

std::function<int()> set_up_measure(CLI::App& app, const CommandContext& context) {
  auto options = std::make_shared<CommandOptions>();
  add_what(app, *options);
  add_protocol(app, *options);
  add_planting(app, *options);
  app.footer(
      "One rank for each GPU: srun --ntasks-per-node=N palstudy measure -o PROFILE.h5, or mpirun; without a launcher\n"
      "one GPU. Killed or stopped (SIGTERM, SIGINT, SIGUSR1), the same command goes on from where it was.");
  return [options, context] { return measure(*options, context); };
}

}  // namespace

void register_command_measure(CommandRegistry& registry) {
  registry.add({"measure", "Measure GPUs with the bundled kernels and write their profile", {}, set_up_measure});
}

}  // namespace palstudy
