// SPDX-License-Identifier: MIT
// kernel-bench: one kernel by hand.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "core/error.hpp"
#include "core/text.hpp"
#include "kernels/protocol.hpp"

namespace palstudy {
namespace {

struct Options {
  std::string kernel, backend = "host";
  std::vector<std::string> params;
  std::size_t batches = 10;
  double batch_s = 0.1;
  RunnerOptions runner;
  double telemetry_hz = 10;
  bool list = false, whole = false;
};

std::map<std::string, std::string> split(const std::vector<std::string>& params) {
  std::map<std::string, std::string> all;
  for (const std::string& param : params) {
    const auto equals = param.find('=');
    if (equals == std::string::npos) throw usage_error("\"" + param + "\" is not NAME=VALUE", "--param");
    all[param.substr(0, equals)] = param.substr(equals + 1);
  }
  return all;
}

void list() {
  for (const auto& kernel : kernels().entries()) {
    fmt::print("{:<16} {}\n", kernel.name, kernel.summary);
    for (const Param& param : kernel.params) {
      const auto host = kernel.make.host_sizes.find(param.name);
      fmt::print("    {} = {}{}  {}\n", param.name, param.default_value,
                 host == kernel.make.host_sizes.end() ? "" : " (host: " + host->second + ")", param.summary);
    }
  }
}

void print_rates(const BatchSummary& summary, double flops, double bytes) {
  const double seconds = summary.median * 1e-3;
  fmt::print("median {:.4f} ms, MAD {:.4f} ms, least {:.4f} ms, most {:.4f} ms\n", summary.median, summary.mad,
             summary.least, summary.most);
  fmt::print("{:.2f} GFLOP/s, {:.2f} GB/s\n", flops / seconds * 1e-9, bytes / seconds * 1e-9);
}

std::unique_ptr<TelemetrySource> open_telemetry(Backend backend, int device) {
  NvmlResult nvml{nullptr, "the host has no NVML"};
  if (backend == Backend::cuda) nvml = open_nvml(device_info(backend, device).pci_bus_id);
  if (nvml.source) return std::move(nvml.source);
  fmt::print(stderr, "clocks, power and temperature are NaN: {}\n", nvml.problem);
  return std::make_unique<NoTelemetry>();
}

/// The whole protocol once: warm-up until steady, timed batches, telemetry.
Repeat measure(Runner& runner, Backend backend, const Options& options) {
  const Protocol protocol = default_protocol(backend);
  fmt::print(stderr, "up to {:.0f} s\n", protocol.warm_up_most_s + protocol.repeat_most_s);
  const auto telemetry = open_telemetry(backend, options.runner.device);
  const Repeat repeat = measure_repeat(runner, protocol, *telemetry, options.telemetry_hz);
  const TelemetrySample& last = repeat.telemetry.back();
  fmt::print("warm-up {:.1f} s, flags: {}\n", repeat.warm_up_s, flag_names(repeat.flags));
  fmt::print("at the end: SM {} MHz, memory {} MHz, {} W, {} C\n", last.sm_mhz, last.mem_mhz, last.power_mw / 1e3,
             last.temp_c);
  return repeat;
}

Repeat by_hand(Runner& runner, const Options& options) {
  Repeat repeat;
  repeat.launches = calibrate(runner, options.batch_s);
  for (const double s : runner.batches(options.batches, repeat.launches)) {
    repeat.batch_ms.push_back(static_cast<float>(s * 1e3));
    fmt::print("batch {:>3}  {:.4f} ms\n", repeat.batch_ms.size(), s * 1e3);
  }
  return repeat;
}

int bench(const Options& options) {
  const KernelEntry& kernel = kernels().at(options.kernel);
  const Backend backend = parse_backend(options.backend);
  const auto given = split(options.params);
  const ParamValues params = kernel_params(kernel, backend, given);
  const auto problem = kernel.make.make(params);
  const auto runner = make_runner(backend, kernel, params, options.runner);
  for (const auto& [name, value] : kernel_param_texts(kernel, backend, given)) fmt::print("{} = {}\n", name, value);
  const Repeat repeat = options.whole ? measure(*runner, backend, options) : by_hand(*runner, options);
  fmt::print("{} launches a batch, each {:.4g} FLOP and {:.4g} bytes\n", repeat.launches, problem->flops(),
             problem->bytes());
  const auto launches = static_cast<double>(repeat.launches);
  print_rates(summarize(repeat.batch_ms), launches * problem->flops(), launches * problem->bytes());
  const Verdict verdict = runner->check();
  fmt::print("check {}: {:.3g} of what rounding allows{}\n", verdict.passed() ? "passed" : "FAILED", verdict.error,
             verdict.worst.empty() ? "" : " (" + verdict.worst + ")");
  return verdict.passed() ? 0 : static_cast<int>(ErrorCode::verification);
}

int parse_and_run(int argc, char** argv) {
  Options options;
  CLI::App app{"Runs one of palstudy's kernels, prints its times and rates, and checks its result."};
  app.add_option("KERNEL", options.kernel, "which; --list tells");
  app.add_option("--backend", options.backend, "host or cuda")->capture_default_str();
  app.add_option("--param", options.params, "NAME=VALUE, may be given again");
  app.add_option("--batches", options.batches, "how many")->check(CLI::Range(1, 1'000'000))->capture_default_str();
  app.add_option("--batch-s", options.batch_s, "seconds of a batch")
      ->check(CLI::Range(1e-6, 3600.0))
      ->capture_default_str();
  app.add_option("--seed", options.runner.seed, "of the operands")->capture_default_str();
  app.add_option("--device", options.runner.device, "number of the GPU")->capture_default_str();
  app.add_flag("--protocol", options.whole, "as in a measurement: warm-up until steady, telemetry");
  app.add_option("--telemetry-hz", options.telemetry_hz, "samples a second")
      ->check(CLI::Range(0.1, 1000.0))
      ->capture_default_str();
  app.add_flag("--list", options.list, "the kernels and their parameters");
  CLI11_PARSE(app, argc, argv);
  if (options.list) {
    list();
    return 0;
  }
  if (options.kernel.empty()) throw usage_error("which kernel?", "", "known: " + join(kernels().names()));
  return bench(options);
}

}  // namespace
}  // namespace palstudy

int main(int argc, char** argv) {
  try {
    return palstudy::parse_and_run(argc, argv);
  } catch (const palstudy::Error& error) {
    fmt::print(stderr, "kernel-bench: {}\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "kernel-bench: {}\n", error.what());
    return 1;
  }
}
