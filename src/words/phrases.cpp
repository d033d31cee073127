// SPDX-License-Identifier: MIT
#include "words/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {

std::string range_text(double least, double most) {
  const std::string from = in_digits(least), to = in_digits(most);
  return from == to ? from : from + " to " + to;
}

std::string range_text(const Value& range) { return range_text(range.least(), range.most()); }

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

int places_of_error(double error) {
  constexpr int most = 6;
  if (!(error > 0) || !std::isfinite(error)) return most;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), -most, most);
}

std::string to_places(double value, int places) {
  const double unit = std::pow(10.0, std::min(places, 0));
  const double rounded = places < 0 ? std::round(value * unit) / unit : value;
  const std::string text = fmt::format("{:.{}f}", rounded, std::max(places, 0));
  return text.find_first_not_of("-0.") == std::string::npos && text.front() == '-' ? text.substr(1) : text;
}

std::string some_of(const Value& some, const Value& all, const char* what) {
  if (some == all) return "";
  return fmt::format(" in {} of {}", grouped(some.count()), counted(all.count(), what));
}

std::vector<std::string> names_of(const Value& list) {
  std::vector<std::string> names;
  for (const Value& one : list.list()) names.push_back(one.name());
  return names;
}

std::string subject_text(const Note& note) { return note.subject.empty() ? "" : note.subject + ": "; }

std::string policy_text(const Value* key, const std::string& name) {
  return key == nullptr || key->name() == keys::placement.name ? name : key->name() + " = " + name;
}

}  // namespace palstudy
