// SPDX-License-Identifier: MIT
#include "kernels/kernel.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

Backend parse_backend(const std::string& name) {
  if (name == "host") return Backend::host;
  if (name == "cuda") return Backend::cuda;
  throw usage_error("unknown backend \"" + name + "\"", "--backend", "known: cuda, host");
}

std::string backend_name(Backend backend) { return backend == Backend::host ? "host" : "cuda"; }

namespace {

double checked_number(const KernelEntry& kernel, const Param& param, const std::string& text) {
  const std::string where = "parameter " + param.name + " of kernel " + kernel.name;
  const bool whole = param.type == ParamType::integer;
  const std::string advice = std::string("give a ") + (whole ? "whole " : "") + "number from " + shortest(param.least) +
                             " to " + shortest(param.most);
  const auto value = parse_double(text);
  if (!value || !std::isfinite(*value)) throw usage_error("\"" + text + "\" is not a number", where, advice);
  if (whole && *value != std::floor(*value)) throw usage_error(text + " is not a whole number", where, advice);
  if (*value < param.least || *value > param.most) throw usage_error(text + " is out of range", where, advice);
  return *value;
}

}  // namespace

std::map<std::string, std::string> kernel_param_texts(const KernelEntry& kernel, Backend backend,
                                                      const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> all;
  std::vector<std::string> names;
  for (const Param& param : kernel.params) {
    all[param.name] = param.default_value;
    names.push_back(param.name);
  }
  if (backend == Backend::host) {
    for (const auto& [name, value] : kernel.make.host_sizes) all.at(name) = value;
  }
  for (const auto& [name, value] : given) {
    const auto place = all.find(name);
    if (place == all.end()) {
      throw usage_error("kernel " + kernel.name + " has no parameter \"" + name + "\"" + suggestion(name, names),
                        "--param", "known: " + join(names));
    }
    place->second = value;
  }
  return all;
}

ParamValues kernel_params(const KernelEntry& kernel, Backend backend, const std::map<std::string, std::string>& given) {
  const auto texts = kernel_param_texts(kernel, backend, given);
  ParamValues values;
  for (const Param& param : kernel.params) {
    const std::string& text = texts.at(param.name);
    if (param.type == ParamType::text) {
      values.set(param.name, text);
    } else {
      values.set(param.name, checked_number(kernel, param, text));
    }
  }
  return values;
}

std::string kernel_pipe(const KernelEntry& kernel, Backend backend) {
  return backend == Backend::host && kernel.make.pipe == "tensor" ? "fp32" : kernel.make.pipe;
}

double TiledProduct::bytes() const {
  const double down = std::ceil(rows / tile_rows), across = std::ceil(columns / tile_columns);
  return operand * depth * (rows * across + columns * down) + result * rows * columns;
}

std::size_t size_param(const ParamValues& params, const std::string& name) {
  return static_cast<std::size_t>(params.number(name));
}

void require_multiple(const std::string& kernel, const std::string& name, std::size_t value, std::size_t unit) {
  if (value % unit != 0) {
    throw usage_error(std::to_string(value) + " is not a multiple of " + std::to_string(unit),
                      "parameter " + name + " of kernel " + kernel,
                      "the next smaller and larger are " + std::to_string(value - value % unit) + " and " +
                          std::to_string(value - value % unit + unit));
  }
}

}  // namespace palstudy
