// SPDX-License-Identifier: MIT
#include "analysis/earlier_lines.hpp"

#include <cstdint>

#include "core/text.hpp"

namespace palstudy {
namespace {

ValueRecord earlier_load(const ArchiveReader& archive) {
  ValueRecord values;
  const auto number = [&](const std::string& name) { return parse_double(archive.attribute("offered_load." + name)); };
  for (const char* name : {"workloads", "overloaded", "over_one"}) {
    if (const auto count = number(name)) values.emplace_back(name, static_cast<std::int64_t>(*count));
  }
  for (const std::string name : {"jobs", "of", "load", "whole", "busiest"}) {
    const auto least = number(name + "_least"), most = number(name + "_most");
    if (least && most) values.emplace_back(name, least_and_most(*least, *most));
  }
  return values;
}

}  // namespace

EarlierLines earlier_lines(const ArchiveReader& archive) {
  return {archive.attribute("measured"), archive.attribute("offered_load"), archive.attribute("stop"),
          earlier_load(archive)};
}

}  // namespace palstudy
