// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "study/keys/key.hpp"
#include "study/parsed_study.hpp"
#include "study/run_plan.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The runs of a study that differ in independent keys alone (Key::independent), seeds above all. Defaults and plan are
/// made once for all of them, and each further run costs no more than a copy. A run is equal to
/// `make_plan(fill_defaults(...))` of its own values, id included.
class SeedVariants {
 public:
  /// `values`: completed, of any of the runs. `varied`: the independent keys that vary, each with the index of its
  /// value in the argument of `variant`; several may share an index, as the seeds do. Errors (fault): another key
  /// varies.
  SeedVariants(const KeyValues& values, const std::map<std::string, std::size_t>& varied);
  /// The plan of the run with these values, in the form of their keys; number and axis values are the caller's.
  [[nodiscard]] RunPlan variant(const std::vector<const TomlValue*>& values) const;
  /// The run with the values that were given to the constructor.
  [[nodiscard]] const RunPlan& first() const { return plan_; }

 private:
  struct Varied {
    std::string before;  ///< the canonical text from the last varied key to this one
    const Key* key;
    std::size_t value;
  };
  RunPlan plan_;
  std::vector<Varied> varied_;
  std::string rest_;  ///< the canonical text after the last varied key
};

/// Adds the parameters of the policies and generators that the run has, as keys.
void note_params(const RunPlan& plan, std::set<std::string>& used);

/// Makes all runs of a study, `study.runs`; `study.axes` must be there. Every combination of the keys that others
/// depend on is completed once, and the runs that differ from it in independent keys alone are copies of it. Adds to
/// `used` the parameters of the policies and generators of the runs. Returns the keys that have one value in all runs,
/// defaults included; keys that are axes may be among them. Errors (usage): those of fill_defaults,
/// for the first run that has one.
[[nodiscard]] KeyValues expand_runs(const ParsedStudy& parsed, Study& study, std::set<std::string>& used);

}  // namespace palstudy
