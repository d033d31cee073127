// SPDX-License-Identifier: MIT
#include "measure/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "kernels/runner.hpp"

namespace palstudy {
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
  std::sort(wanted.begin(), wanted.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
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
    if (std::any_of(chosen.begin(), chosen.end(), is)) continue;
    (void)kernels().at(name, "--param");  // names the nearest
    throw usage_error("kernel " + name + " is not measured", "--param", "name it with --kernel too");
  }
  return chosen;
}

}  // namespace palstudy
