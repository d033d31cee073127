// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

enum class ParamType { number, integer, text, boolean };

/// One parameter of a registered thing. `palstudy list`, --help, the check of the study's keys and the tables in docs/
/// are all made from these.
struct Param {
  std::string name;  ///< as in the study file, e.g. "jobs_per_h"
  ParamType type = ParamType::number;
  std::string unit;           ///< "" where there is none
  std::string summary;        ///< one sentence
  std::string default_value;  ///< as TOML; "" if it must be given
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices{};  ///< of a text: its possible values; none: any
  std::string section{};               ///< of the study file; "": that of the kind
};

/// The key of a parameter of a kind whose section is `section`.
[[nodiscard]] inline std::string key_of(const std::string& section, const Param& param) {
  return (param.section.empty() ? section : param.section) + "." + param.name;
}

/// The resolved parameters of one use: every registered name has a value.
class ParamValues {
 public:
  void set(const std::string& name, double value) { numbers_[name] = value; }
  void set(const std::string& name, std::string value) { texts_[name] = std::move(value); }
  [[nodiscard]] double number(const std::string& name) const { return numbers_.at(name); }
  [[nodiscard]] const std::string& text(const std::string& name) const { return texts_.at(name); }

 private:
  std::map<std::string, double> numbers_;  // booleans are 0 and 1
  std::map<std::string, std::string> texts_;
};

/// A named entry that a study can choose, with its documentation.
template <class Make>
struct Entry {
  std::string name;     ///< as in the study file
  std::string summary;  ///< one sentence
  std::vector<Param> params;
  Make make;
};

/// The entries of one kind (placements, orders, readers, ...), by name.
template <class Make>
class Registry {
 public:
  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  /// Errors (fault): a name that is there already.
  void add(Entry<Make> entry) {
    const auto place = std::lower_bound(entries_.begin(), entries_.end(), entry.name,
                                        [](const Entry<Make>& e, const std::string& name) { return e.name < name; });
    if (place != entries_.end() && place->name == entry.name) throw fault("two " + kind_ + "s named " + entry.name);
    entries_.insert(place, std::move(entry));
  }

  /// Errors (usage): an unknown name; names the nearest one.
  [[nodiscard]] const Entry<Make>& at(std::string_view name, const std::string& where = "") const {
    for (const auto& entry : entries_) {
      if (entry.name == name) return entry;
    }
    const auto all = names();
    throw usage_error("unknown " + kind_ + " \"" + std::string(name) + "\"" + suggestion(name, all), where,
                      "known: " + join(all));
  }

  /// Sorted by name.
  [[nodiscard]] const std::vector<Entry<Make>>& entries() const { return entries_; }
  [[nodiscard]] const std::string& kind() const { return kind_; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : entries_) all.push_back(entry.name);
    return all;
  }

 private:
  std::string kind_;
  std::vector<Entry<Make>> entries_;
};

}  // namespace palstudy
