// SPDX-License-Identifier: MIT
#include "analysis/trace_names.hpp"

#include <set>

#include "analysis/comparison.hpp"

namespace palstudy {
namespace {

std::string stem(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const auto dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace

std::map<std::string, std::string> trace_names(const std::vector<std::string>& paths) {
  const std::set<std::string> distinct(paths.begin(), paths.end());
  std::map<std::string, std::size_t> with_stem;
  for (const auto& path : distinct) ++with_stem[stem(path)];
  std::map<std::string, std::string> names;
  for (const auto& path : distinct) names.emplace(path, with_stem.at(stem(path)) == 1 ? stem(path) : path);
  return names;
}

std::string with_trace_names(std::string text, const std::map<std::string, std::string>& names) {
  const std::string before = std::string(trace_key) + " = ";
  const auto at = text.find(before);
  if (at == std::string::npos) return text;
  const auto from = at + before.size();
  for (const auto& [path, name] : names) {
    const auto end = from + path.size();
    const bool whole = end == text.size() || (end < text.size() && (text[end] == ',' || text[end] == ')'));
    if (whole && text.compare(from, path.size(), path) == 0) return text.replace(from, path.size(), name);
  }
  return text;
}

}  // namespace palstudy
