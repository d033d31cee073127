// SPDX-License-Identifier: MIT
#include "measure/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "kernels/runner.hpp"

namespace palstudy {

Protocol changed_protocol(Backend backend, const ProtocolChanges& changes) {
  Protocol protocol = default_protocol(backend);
  const auto scale = [](double& value, double factor) { value *= factor; };
  if (changes.quick) {
    scale(protocol.batch_s, 0.2);
    for (double* value : {&protocol.window_s, &protocol.warm_up_least_s, &protocol.warm_up_most_s,
                          &protocol.repeat_least_s, &protocol.repeat_most_s}) {
      scale(*value, 0.1);
    }
  }
  if (changes.repeats) protocol.repeats = *changes.repeats;
  if (changes.batch_s) protocol.batch_s = *changes.batch_s;
  if (changes.warm_up_s) {
    const double shorter = *changes.warm_up_s / protocol.warm_up_most_s;
    scale(protocol.window_s, std::min(1.0, shorter));
    scale(protocol.warm_up_least_s, std::min(1.0, shorter));
    protocol.warm_up_most_s = *changes.warm_up_s;
  }
  if (changes.repeat_s) {
    protocol.repeat_least_s = *changes.repeat_s;
    protocol.repeat_most_s = 1.2 * *changes.repeat_s;
  }
  return protocol;
}

std::string protocol_text(const Protocol& protocol, Backend backend, double telemetry_hz) {
  return fmt::format(
      "clock = {}, repeats = {}, batch_s = {:.6g}, batches_least = {}, warm_up_s = {:.6g} to {:.6g}, "
      "window_s = {:.6g}, repeat_s = {:.6g} to {:.6g}, telemetry_hz = {:.6g}",
      backend == Backend::cuda ? "cuda-events" : "thread-cpu-time", protocol.repeats, protocol.batch_s,
      protocol.batches_least, protocol.warm_up_least_s, protocol.warm_up_most_s, protocol.window_s,
      protocol.repeat_least_s, protocol.repeat_most_s, telemetry_hz);
}

namespace {

using GivenParams = std::map<std::string, std::map<std::string, std::string>>;

bool between_gpus(const KernelEntry& kernel) { return kernel.name == "link" || kernel.name == "allreduce"; }

GivenParams split_params(const std::vector<std::string>& params) {
  GivenParams given;
  for (const std::string& param : params) {
    const auto equals = param.find('='), dot = param.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
      throw usage_error("\"" + param + "\" is not KERNEL.NAME=VALUE", "--param", "for example sgemm.n=4096");
    }
    given[param.substr(0, dot)][param.substr(dot + 1, equals - dot - 1)] = param.substr(equals + 1);
  }
  return given;
}

std::vector<const KernelEntry*> wanted_kernels(const MeasureOptions& options, Backend backend) {
  std::vector<const KernelEntry*> wanted;
  for (const std::string& name : options.kernels) {
    const KernelEntry& kernel = kernels().at(name, "--kernel");
    if (!between_gpus(kernel)) wanted.push_back(&kernel);
  }
  if (options.kernels.empty()) {
    for (const KernelEntry& kernel : kernels().entries()) {
      const bool asked = options.all ? !between_gpus(kernel) : kernel.make.by_default;
      if (asked && has_kernel(backend, kernel)) wanted.push_back(&kernel);
    }
  }
  std::ranges::sort(wanted, [](const auto* a, const auto* b) { return a->name < b->name; });
  return wanted;
}

ChosenKernel choose(const KernelEntry& kernel, Backend backend, const std::map<std::string, std::string>& given,
                    std::uint64_t seed) {
  if (!has_kernel(backend, kernel)) {
    throw usage_error("kernel " + kernel.name + " is not there for --backend " + backend_name(backend), "--kernel",
                      "palstudy list kernels shows what each needs");
  }
  ChosenKernel chosen{&kernel, kernel_params(kernel, backend, given), {}, 0};
  const auto problem = kernel.make.make(chosen.params);
  for (const ArraySpec& array : problem->arrays()) chosen.bytes += array.bytes;
  chosen.record.name = kernel.name;
  for (const auto& [name, value] : kernel_param_texts(kernel, backend, given)) {
    chosen.record.params += fmt::format("{} = {}, ", name, value);
  }
  chosen.record.params += fmt::format("seed = {}", seed);
  chosen.record.pipe = kernel_pipe(kernel, backend);
  chosen.record.flops = problem->flops();
  chosen.record.bytes_least = problem->bytes();
  chosen.record.bytes_most = problem->bytes_most();
  return chosen;
}

}  // namespace

std::vector<ChosenKernel> choose_kernels(const MeasureOptions& options, Backend backend) {
  GivenParams given = split_params(options.params);
  std::vector<ChosenKernel> chosen;
  for (const KernelEntry* kernel : wanted_kernels(options, backend)) {
    if (!chosen.empty() && chosen.back().entry == kernel) {
      throw usage_error("kernel " + kernel->name + " is named twice", "--kernel", "name it once");
    }
    chosen.push_back(choose(*kernel, backend, given[kernel->name], options.seed));
  }
  for (const auto& [name, params] : given) {
    const auto is = [&](const ChosenKernel& kernel) { return kernel.record.name == name; };
    if (std::ranges::any_of(chosen, is)) continue;
    (void)kernels().at(name, "--param");  // names the nearest
    throw usage_error("kernel " + name + " is not measured", "--param", "name it with --kernel too");
  }
  return chosen;
}

}  // namespace palstudy
