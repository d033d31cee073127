// SPDX-License-Identifier: MIT
#include "hdf5/code_names.hpp"

#include <numeric>
#include <set>
#include <string_view>

namespace palstudy::hdf5 {
namespace {

bool is_allowed(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || std::string_view("_-.+@").find(c) != std::string_view::npos;
}

}  // namespace

std::string flag_meanings(const std::vector<std::string>& texts) {
  std::string words;
  std::set<std::string> used;
  for (std::string word : texts) {
    for (char& c : word) c = is_allowed(c) ? c : '_';
    if (word.empty()) word = "_";
    while (!used.insert(word).second) word += '_';
    words += (words.empty() ? "" : " ") + word;
  }
  return words;
}

void name_flags(File& file, const std::string& dataset, const std::vector<std::string>& texts) {
  const std::string words = flag_meanings(texts);
  if (texts.empty() || words.size() > longest_meanings) return;
  std::vector<std::int32_t> values(texts.size());
  std::iota(values.begin(), values.end(), 0);
  file.attribute(dataset, "flag_values", values);
  file.attribute(dataset, "flag_meanings", words);
}

}  // namespace palstudy::hdf5
